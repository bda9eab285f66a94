/** Stepping through a game: moments, their addresses, the score sheet, and the analysis laid over them. */

import { describe, expect, it } from "vitest";
import type { AnalysisFound, Happening, Replay, ReplayStep, Table, View } from "../../src/api/messages";
import { momentAt, hashOf } from "../../src/replay/replaying/address";
import { chancesOf, isMarked, mistakeFrom } from "../../src/replay/replaying/chances";
import { deedOf } from "../../src/replay/replaying/deeds";
import { momentsOf, turnsOf } from "../../src/replay/replaying/moments";
import { momentUnder, lineOf, plotFor, xOf } from "../../src/replay/replaying/plotting";
import { glyphsOf, sheetOf } from "../../src/replay/replaying/sheet";

// Only what the code under test looks at.
const FIRST = { turn_seat: 1, turn: 1, ending: null, pirates: [[0], [0]] } as unknown as View;

const played: Happening = { happening: "played", seat: 1, card: "hat" };
const moved: Happening = { happening: "moved", seat: 1, crew: 1, start: 0, target: 5 };
const drew: Happening = { happening: "drew", seat: 1, card: null, from_row: false, turned_over: false };
const ended = (seat: number): Happening => ({ happening: "turn_ended", seat, next_seat: 1 - seat });
const passed = (seat: number, forced: boolean): Happening => ({ happening: "passed", seat, forced });

function step(turn: number, seat: number, happened: Happening[], changed: object = {}): ReplayStep {
  return { turn, seat, code: 0, happened, changed };
}

/** Seat 1: two actions, end. Seat 0 is forced to pass. Seat 1: one action, end. Seat 0 passes; it is over. */
const REPLAY: Replay = {
  seat: null,
  analysis: false,
  table: { stage: "over" } as Table,
  first: FIRST,
  steps: [
    step(1, 1, [played, moved], { pirates: [[0], [5]] }),
    step(1, 1, [moved, drew, drew]),
    step(1, 1, [ended(1), passed(0, true), ended(0)], { turn: 3 }),
    step(3, 1, [moved, drew]),
    step(3, 1, [ended(1)], { turn: 4, turn_seat: 0 }),
    step(4, 0, [passed(0, false), ended(0), { happening: "quiet", rounds: 40 }], { ending: "quiet" }),
  ],
};
const moments = momentsOf(REPLAY);

describe("moments", () => {
  it("are the deal and each action; the end of a turn belongs to the action before", () => {
    expect(moments.map(({ turn, action, step: last }) => [turn, action, last])).toEqual([
      [0, 0, -1],
      [1, 1, 0],
      [1, 2, 1],
      [2, 1, 2],
      [3, 1, 4],
      [4, 1, 5],
    ]);
    expect(moments.map(({ deed }) => deed?.kind)).toEqual([
      undefined,
      "play",
      "retreat",
      "pass",
      "retreat",
      "pass",
    ]);
  });

  it("have the view after the action, put together from what changed", () => {
    expect(moments[1]?.view).toEqual({ ...FIRST, pirates: [[0], [5]] });
    // The turn ended after it.
    expect(moments[4]?.view.turn_seat).toBe(1);
    expect(moments.at(-1)?.view).toMatchObject({ pirates: [[0], [5]], turn: 4, ending: "quiet" });
  });

  it("of a turn stand together", () => {
    expect(turnsOf(moments).get(1)).toEqual({ first: 1, last: 2 });
    expect(turnsOf(moments).get(3)).toEqual({ first: 4, last: 4 });
  });

  it("show the end of a game that ends with a turn", () => {
    const quiet: Happening = { happening: "quiet", rounds: 40 };
    const last = momentsOf({
      ...REPLAY,
      steps: [step(1, 1, [played, moved]), step(1, 1, [ended(1), quiet], { ending: "quiet" })],
    }).at(-1);
    expect(last?.view.ending).toBe("quiet");
    expect(last?.happened).toContain(quiet);
  });
});

describe("deeds", () => {
  it("are read off what happened", () => {
    expect(deedOf([moved, drew])).toMatchObject({ kind: "retreat", start: 0, target: 5, drawn: [null] });
    expect(deedOf([{ ...moved, crew: 0 }, drew])).toMatchObject({ kind: "push", crew: 0, seat: 1 });
    expect(deedOf([{ happening: "sailed", seat: 0, dock: 2, free: true }])).toMatchObject({
      kind: "sail",
      unasked: true,
    });
    expect(deedOf([{ happening: "trimmed", seat: 0, card: null }])).toMatchObject({
      kind: "trim",
      card: null,
    });
    expect(deedOf([ended(0)])).toBeNull();
  });
});

describe("an address", () => {
  it("names an action, and is found again", () => {
    expect(moments.map(hashOf)).toEqual(["#t0", "#t1.1", "#t1.2", "#t2.1", "#t3.1", "#t4.1"]);
    expect(moments.map((moment) => momentAt(hashOf(moment), moments))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("that is not there leads to the nearest before, and any other text nowhere", () => {
    expect(momentAt("#t1.9", moments)).toBe(2);
    expect(momentAt("#t3", moments)).toBe(4);
    expect(momentAt("#t99.1", moments)).toBe(5);
    expect(momentAt("#t0", moments)).toBe(0);
    for (const other of ["", "#", "#rules", "#t", "#t1.", "#t-1", "#t1.2x"]) {
      expect(momentAt(other, moments)).toBeNull();
    }
  });
});

it("the score sheet has rounds down and seats across, from the one that began", () => {
  const sheet = sheetOf(moments, 2, 1);
  expect(sheet.seats).toEqual([1, 0]);
  expect(sheet.rounds).toEqual([
    [
      { turn: 1, seat: 1, first: 1, last: 2 },
      { turn: 2, seat: 0, first: 3, last: 3 },
    ],
    [
      { turn: 3, seat: 1, first: 4, last: 4 },
      { turn: 4, seat: 0, first: 5, last: 5 },
    ],
  ]);
  expect(sheetOf(moments.slice(0, 2), 2, 1).rounds).toEqual([
    [{ turn: 1, seat: 1, first: 1, last: 1 }, null],
  ]);
});

it("a turn has a glyph for each action, and one for all that a seat gives away in a row", () => {
  const trimmed = (seat: number): Happening => ({ happening: "trimmed", seat, card: "map" });
  const steps = [[played, moved], [trimmed(0)], [trimmed(0)], [trimmed(1)], [moved, drew]];
  const game = momentsOf({ ...REPLAY, steps: steps.map((happened) => step(1, 1, happened)) });
  const glyphs = glyphsOf(game, { turn: 1, seat: 1, first: 1, last: 5 });
  expect(glyphs.map(({ deed, moment, times }) => [deed.kind, moment, times])).toEqual([
    ["play", 1, 1],
    ["trim", 2, 2],
    ["trim", 4, 1],
    ["retreat", 5, 1],
  ]);
});

describe("the analysis", () => {
  const prospect = { codes: [7], actions: [], chances: [0.5, 0.5] };
  const decision = { mark: "?" as const, cost: 0.1, played: prospect, alternatives: [] };
  const chancesAfter = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((chance) => [1 - chance, chance]);
  const found: AnalysisFound = {
    simulations: 300,
    seed: "1",
    before: [0.5, 0.5],
    steps: chancesAfter.map((chances, index) => ({
      turn: 1,
      seat: 1,
      code: 0,
      action: "",
      chances,
      // The first action, and an end of turn that was a decision in itself.
      decision: index === 0 ? { ...decision, mark: "" as const } : index === 4 ? decision : null,
    })),
  };

  it("is laid over the moments", () => {
    const chances = chancesOf(found, moments);
    expect(chances.after.map(([, own]) => own)).toEqual([0.5, 0.1, 0.2, 0.3, 0.5, 0.6]);
    expect(chances.judged.map(({ moment }) => moment)).toEqual([1, 4]);
    expect(chances.judged.filter(isMarked).map(({ moment }) => moment)).toEqual([4]);
    expect(chances.judged.map(({ first, step: before }) => [first, before])).toEqual([
      [1, 0],
      [4, 4],
    ]);
  });

  it("puts a decision of several actions where its last one changed the chances", () => {
    const long = { ...decision, played: { ...prospect, codes: [7, 8, 0] } };
    const steps = found.steps.map((each, index) => ({ ...each, decision: index === 0 ? long : null }));
    const [judged] = chancesOf({ ...found, steps }, moments).judged;
    expect(judged).toMatchObject({ first: 1, moment: 3, step: 0 });
  });

  it("leads from mistake to mistake", () => {
    const chances = chancesOf(found, moments);
    expect(mistakeFrom(chances, 0, "after")).toBe(4);
    expect(mistakeFrom(chances, 4, "after")).toBeNull();
    expect(mistakeFrom(chances, 5, "before")).toBe(4);
    expect(mistakeFrom(chances, 4, "before")).toBeNull();
  });

  it("is drawn as lines that the pointer finds again", () => {
    const plot = plotFor(1000, moments.length);
    expect(lineOf(plot, chancesOf(found, moments).after, 1)).toMatch(/^M44\.0 /);
    for (const index of moments.keys()) expect(momentUnder(plot, xOf(plot, index))).toBe(index);
    expect(momentUnder(plot, -10)).toBe(0);
    expect(momentUnder(plot, 2000)).toBe(moments.length - 1);
  });
});
