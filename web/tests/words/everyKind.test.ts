/** Every kind of happening, news and choice is told in every language. A new one does not compile here either. */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { extrasOf } from "../../src/replay/replaying/telling";
import type { Happening, Legal, News } from "../../src/api/messages";
import { wordsOf } from "../../src/replay/replaying/notation";
import type { HappeningOf } from "../../src/board/happenings";
import { logLinesOf, primaryWords, tellHappened, tellPreview, Teller } from "../../src/board/telling";
import { ruleText } from "../../src/shell/problems";
import { cuesOf } from "../../src/sound/cues";
import { newsText } from "../../src/table/newsText";
import { hintText } from "../../src/table/playing/hintText";
import * as words from "../../src/words/words.svelte";
import { NAMES, position } from "../board/around";

const HAPPENINGS: { [Name in Happening["happening"]]: HappeningOf<Name> } = {
  played: { happening: "played", seat: 1, card: "gold_map" },
  moved: { happening: "moved", seat: 0, crew: 1, start: 3, target: 9 },
  drew: { happening: "drew", seat: 0, card: "map", from_row: false, turned_over: false },
  row_laid: { happening: "row_laid", cards: ["map", "chest"] },
  renewed: { happening: "renewed", size: 40, order: null },
  sailed: { happening: "sailed", seat: 0, dock: 2, free: true },
  trim_due: { happening: "trim_due", surplus: [0, 2, 0, 1] },
  trimmed: { happening: "trimmed", seat: 1, card: null },
  trim_shown: { happening: "trim_shown", cards: [{ seat: 1, card: "compass" }] },
  passed: { happening: "passed", seat: 2, forced: true },
  turn_ended: { happening: "turn_ended", seat: 3, next_seat: 0 },
  won: { happening: "won", seat: 0 },
  dead: { happening: "dead", winner: 2 },
  quiet: { happening: "quiet", rounds: 40 },
};

/** Whether each kind of news is told. */
const NEWS: Record<News["kind"], boolean> = {
  opened: false,
  sat: true,
  left: true,
  kicked: true,
  bot_added: true,
  bot_removed: true,
  settings_changed: true,
  reordered: true,
  promised: false,
  started: true,
  nonce_shown: false,
  called_off: true,
  began: true,
  undone: true,
  resigned: true,
  expired: true,
  taken_back: true,
  abandon_asked: true,
  abandon_withdrawn: true,
  abandoned: true,
  rematch: true,
  muted: true,
  unmuted: true,
  closed: true,
  renamed: false,
  hurried: true,
};

/** A choice of each kind, and its notation. */
const CHOICES: Record<Legal["kind"], [Legal, string]> = {
  play: [{ code: 1, kind: "play", card: "map", place: 2, start: 2, target: 9 }, "play map 2"],
  retreat: [{ code: 2, kind: "retreat", place: 9, start: 9, target: 3, gains: 1 }, "retreat 9"],
  decline: [{ code: 275, kind: "decline", place: 9, start: 9, target: 3 }, "decline 9"],
  push: [{ code: 3, kind: "push", crew: 1, place: 2, start: 2, target: 9, gains: 2 }, "push blue 2"],
  sail: [{ code: 4, kind: "sail", dock: 2 }, "sail"],
  captain_sail: [{ code: 5, kind: "captain_sail", dock: 1 }, "captain_sail"],
  trim: [{ code: 6, kind: "trim", card: "map" }, "trim map"],
  end_turn: [{ code: 7, kind: "end_turn" }, "end_turn"],
};

const kindsOf = <Kind extends string>(table: Record<Kind, unknown>): Kind[] =>
  // An object has exactly the keys that it was written with.
  Object.keys(table) as Kind[];

afterAll(async () => {
  await words.speak("en");
  vi.unstubAllGlobals();
});

describe.each(words.LANGUAGES)("in %s", (language) => {
  const { view, you } = position("nest");
  const teller = new Teller(words, { names: NAMES, you }, view);

  beforeAll(async () => {
    vi.stubGlobal("document", { documentElement: { lang: "en" } });
    await words.speak(language);
  });

  test.each(kindsOf(HAPPENINGS))("it is told that something %s", (kind) => {
    const happened = [HAPPENINGS[kind]];
    const told = [...tellHappened(teller, happened), ...extrasOf(happened, "nest", NAMES)];
    expect(told).not.toContain("");
    expect(() => [logLinesOf(happened), cuesOf(happened, 0)]).not.toThrow();
  });

  test.each(kindsOf(NEWS))("the news %s are told, or not on purpose", (kind) => {
    expect(newsText({ kind, seat: 1, name: "Bart" }, NAMES) !== null).toBe(NEWS[kind]);
  });

  test.each(kindsOf(CHOICES))("a choice to %s has its words", (kind) => {
    const [choice, notation] = CHOICES[kind];
    const told = [
      primaryWords(teller, choice),
      tellPreview(teller, choice),
      wordsOf([notation], "nest", NAMES),
      hintText(teller, choice, 50),
    ];
    expect(told.every((text) => text !== null && text !== "" && text !== notation)).toBe(true);
  });
});

test("what a newer service says is passed over or told as it stands, and breaks nothing", () => {
  const { view, you } = position("nest");
  const teller = new Teller(words, { names: NAMES, you }, view);
  const strange = { happening: "sunk" } as unknown as Happening;
  expect(tellHappened(teller, [strange])).toEqual([]);
  expect([...logLinesOf([strange]), ...cuesOf([strange], 0)]).toEqual([]);
  expect(extrasOf([strange], "nest", NAMES)).toEqual([]);
  expect(newsText({ kind: "sunk" as News["kind"] }, NAMES)).toBeNull();
  expect(wordsOf(["sink 3"], "nest", NAMES)).toBe("sink 3");
  expect(ruleText("sunk")).toBe(words.say("web.problem"));
});
