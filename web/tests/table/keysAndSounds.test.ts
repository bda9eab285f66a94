/** What keys ask for, what sounds, and when a turn ends automatically. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Happening, View, Wishes } from "../../src/api/messages";
import { CUES, cuesOf, GROUP_NAMES, GROUPS, heardOf } from "../../src/sound/cues";
import { codeToEnd } from "../../src/table/playing/ending";
import { obey, wantedBy } from "../../src/table/shortcuts";

function pressed(key: string, more: object = {}): Parameters<typeof wantedBy>[0] {
  return { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more };
}

describe("keys", () => {
  it.each([
    ["3", {}, { kind: "card", number: 3 }],
    ["z", {}, { kind: "undo" }],
    ["Z", { shiftKey: true }, { kind: "undo_turn" }],
    ["e", {}, { kind: "end_turn" }],
    ["w", {}, { kind: "again" }],
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

describe("what is done for a key", () => {
  const event = (key: string, more: object = {}): KeyboardEvent =>
    Object.assign(new Event("keydown", { cancelable: true }), pressed(key, more)) as KeyboardEvent;

  beforeEach(() => {
    vi.stubGlobal("Element", Map);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is the deed that it asks for, and the browser does nothing more", () => {
    const undo = vi.fn();
    const key = event("z");
    obey(key, true, { undo });
    expect([undo.mock.calls.length, key.defaultPrevented]).toEqual([1, true]);
  });

  it("is nothing where there is no such deed, or where somebody has used the key already", () => {
    const undo = vi.fn();
    const [other, used] = [event("e"), event("z")];
    obey(other, true, { undo });
    used.preventDefault();
    obey(used, true, { undo });
    expect([undo.mock.calls.length, other.defaultPrevented]).toEqual([0, false]);
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

  it("a bell for each pirate that comes home", () => {
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

describe("groups of sounds", () => {
  it("every sound is in exactly one", () => {
    expect(GROUP_NAMES.flatMap((group) => GROUPS[group]).toSorted()).toEqual([...CUES].toSorted());
  });

  it("a group that is off is not heard, the others are, each at its time", () => {
    const cued = [
      { cue: "back" as const, after: 0 },
      { cue: "card_taken" as const, after: 110 },
    ];
    expect(heardOf(cued, (group) => group !== "pirates")).toEqual([{ cue: "card_taken", after: 110 }]);
    expect(heardOf(cued, () => true)).toEqual(cued);
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
