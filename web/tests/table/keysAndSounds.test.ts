/** What keys ask for, what sounds, and when a turn ends by itself. */

import { describe, expect, it } from "vitest";
import type { Happening, View, Wishes } from "../../src/api/messages";
import { cuesOf } from "../../src/sound/cues";
import { codeToEnd } from "../../src/table/playing/ending";
import { wantedBy } from "../../src/table/shortcuts";

function pressed(key: string, more: object = {}): Parameters<typeof wantedBy>[0] {
  return { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more };
}

describe("keys", () => {
  it.each([
    ["3", {}, { kind: "card", number: 3 }],
    ["z", {}, { kind: "undo" }],
    ["Z", { shiftKey: true }, { kind: "undo_turn" }],
    ["e", {}, { kind: "end_turn" }],
    ["?", { shiftKey: true }, { kind: "keys" }],
    ["Escape", {}, { kind: "clear" }],
    ["8", {}, null],
    ["x", {}, null],
  ])("%s with %o asks for %o", (key, more, wanted) => {
    expect(wantedBy(pressed(key, more), true)).toEqual(wanted);
  });

  it("leaves what goes with Ctrl, Alt or Meta to the browser", () => {
    for (const held of ["ctrlKey", "metaKey", "altKey"])
      expect(wantedBy(pressed("z", { [held]: true }), true)).toBeNull();
  });

  it("keeps only Escape when letters are switched off", () => {
    expect(wantedBy(pressed("e"), false)).toBeNull();
    expect(wantedBy(pressed("3"), false)).toBeNull();
    expect(wantedBy(pressed("Escape"), false)).toEqual({ kind: "clear" });
  });
});

describe("sounds", () => {
  const drew: Happening = { happening: "drew", seat: 0, card: null, from_row: false, turned_over: false };

  it("one for each card, one after another", () => {
    const retreat: Happening = { happening: "moved", seat: 0, crew: 0, start: 9, target: 7 };
    const cues = cuesOf([retreat, drew, drew], 0);
    expect(cues.map(({ cue }) => cue)).toEqual(["back", "card_taken", "card_taken"]);
    expect(cues[2]?.after).toBeGreaterThan(cues[1]?.after ?? Infinity);
  });

  it("a bell for whoever comes home", () => {
    const home: Happening = { happening: "moved", seat: 0, crew: 0, start: 30, target: 37 };
    expect(cuesOf([home], 0)[0]?.cue).toBe("boarded");
  });

  it("knocks only for the seat whose turn begins", () => {
    const ended: Happening = { happening: "turn_ended", seat: 0, next_seat: 1 };
    expect(cuesOf([ended], 1)[0]?.cue).toBe("your_turn");
    expect([cuesOf([ended], 0), cuesOf([ended], null)]).toEqual([[], []]);
  });

  it("a win sounds like one to the winner and to spectators", () => {
    const won: Happening = { happening: "won", seat: 2 };
    expect([2, null, 0].map((you) => cuesOf([won], you)[0]?.cue)).toEqual(["win", "win", "loss"]);
  });
});

describe("a turn that ends by itself", () => {
  const view = (actions_used: number): View => ({ actions_used }) as View;
  const wishes = (...kinds: string[]): Wishes =>
    ({ legal: kinds.map((kind, code) => ({ kind, code })), refused: [] }) as unknown as Wishes;

  it("does so when ending it is all that is left", () => {
    expect(codeToEnd(view(3), wishes("end_turn"))).toBe(0);
  });

  it("does not while anything else can be done, or before anything was", () => {
    expect(codeToEnd(view(2), wishes("end_turn", "play"))).toBeNull();
    expect(codeToEnd(view(0), wishes("end_turn"))).toBeNull();
    expect(codeToEnd(view(3), null)).toBeNull();
  });
});
