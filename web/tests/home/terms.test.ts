/** What a player chooses, and the terms that follow. */

import { expect, test } from "vitest";
import {
  botsOf,
  FIRST_CHOICE,
  fitted,
  isAgainstBots,
  openOptions,
  presetOf,
  termsOf,
  usualValue,
  type Rulesets,
} from "../../src/home/terms";

const number = { lowest: null, highest: null };
const OFFERED: Rulesets = {
  rulesets: [
    {
      preset: "tortuga",
      family: "escape",
      signs: [],
      options: [
        { name: "hand_size", rule: "R1.12", default: 6, values: [6], ...number },
        { name: "pass_allowed", rule: "R2.8", default: false, values: [false, true], ...number },
        { name: "quiet_rounds", rule: "R6.14", default: 40, values: null, lowest: 0, highest: 1000 },
      ],
    },
    { preset: "nest", family: "nest", signs: [], options: [] },
  ],
  editions: { en: {}, de: { pass_allowed: true } },
  fewest_seats: 2,
  most_seats: 5,
  levels: ["random", "deckhand", "captain"],
};

test("the first choice opens a casual table for two without a clock", () => {
  expect(termsOf(fitted({}, OFFERED))).toEqual({
    ruleset: "tortuga",
    edition: "en",
    options: {},
    seats: 2,
    clock: null,
    listed: true,
    rated: false,
    spectators: true,
  });
});

test("hints are asked for by name, and never where ratings change", () => {
  expect(termsOf({ ...FIRST_CHOICE, hints: true }).hints).toBe(true);
  expect("hints" in termsOf(FIRST_CHOICE)).toBe(false);
  expect("hints" in termsOf({ ...FIRST_CHOICE, hints: true, rated: true })).toBe(false);
});

test("clocks are told in seconds or days", () => {
  expect(termsOf({ ...FIRST_CHOICE, clock: "live" }).clock).toEqual({
    kind: "live",
    bank: 600,
    increment: 15,
  });
  expect(termsOf({ ...FIRST_CHOICE, clock: "correspondence" }).clock).toEqual({
    kind: "correspondence",
    days: 2,
  });
});

test("only the seats of the table count for bots, and a rated game has none", () => {
  const choice = { ...FIRST_CHOICE, seats: 3, others: ["captain", "deckhand", "captain", null] };
  expect(botsOf(choice)).toEqual(["captain", "deckhand"]);
  expect(isAgainstBots(choice)).toBe(true);
  expect(botsOf({ ...choice, rated: true })).toEqual([]);
  expect(isAgainstBots({ ...choice, others: [null, "captain", null, null] })).toBe(false);
});

test("a kept choice is made to fit what the service offers", () => {
  const kept = {
    ruleset: "atlantis",
    edition: "fr",
    seats: 9,
    others: ["admiral", "captain"],
    options: { pass_allowed: true, quiet_rounds: 5000, hand_size: 9, unknown: 1 },
  };
  const choice = fitted(kept, OFFERED);
  expect(choice.ruleset).toBe("tortuga");
  expect(choice.edition).toBe("en");
  expect(choice.seats).toBe(5);
  expect(choice.others).toEqual([null, "captain", null, null]);
  expect(choice.options).toEqual({ pass_allowed: true });
});

test("an option without a choice is not shown, and an edition may read one otherwise", () => {
  const preset = presetOf(FIRST_CHOICE, OFFERED);
  const [pass, quiet] = openOptions(preset);
  expect([pass?.name, quiet?.name]).toEqual(["pass_allowed", "quiet_rounds"]);
  if (pass === undefined) throw new Error("unreachable: checked above");
  expect(usualValue(pass, "en", OFFERED)).toBe(false);
  expect(usualValue(pass, "de", OFFERED)).toBe(true);
});
