/** Updates are taken in once and in order, however they arrive. */

import { describe, expect, it } from "vitest";
import type { Table, Update, View } from "../../src/api/messages";
import { hear, type Standing } from "../../src/connection/standing";

const TABLE = { stage: "running", ending: null, winner: null } as Table;

function view(turn: number, more: Partial<View> = {}): View {
  return { turn, seat: 0, ending: null, winner: null, ...more } as View;
}

/** An update after a move; the turn is its seq, so that a test can identify the view. */
function move(seq: number, more: Partial<Update> = {}): Update {
  return { seq, happened: [{ happening: "played", seat: 0, card: "key" }], view: view(seq), ...more };
}

function begun(seq: number): Standing {
  return hear(null, { seq, table: TABLE, view: view(seq), happened: [] }, 0).standing;
}

/** Take in several updates; returns what was told on the way, by seq. */
function heard(standing: Standing, ...updates: Update[]): { standing: Standing; told: number[] } {
  const told: number[] = [];
  for (const update of updates) {
    const step = hear(standing, update, 0);
    standing = step.standing;
    told.push(...step.told.map(({ seq }) => seq));
  }
  return { standing, told };
}

describe("hearing updates", () => {
  it("begins with a whole state", () => {
    const { standing, told } = hear(null, { seq: 4, table: TABLE, happened: [] }, 7);
    expect([standing.seq, standing.table, standing.clockHeard, told]).toEqual([4, TABLE, 7, []]);
  });

  it("goes back to a whole state that counts anew, and forgets what waited", () => {
    const ahead = hear(begun(6), move(8), 0).standing;
    const { standing } = hear(ahead, { seq: 4, table: TABLE, view: view(4), happened: [], anew: true }, 0);
    expect([standing.seq, standing.view?.turn, standing.ahead]).toEqual([4, 4, []]);
  });

  it("cannot begin with a part", () => {
    expect(() => hear(null, move(5), 0)).toThrow("as a whole");
  });

  it("takes the next one", () => {
    const { standing, told } = heard(begun(4), move(5));
    expect([standing.seq, standing.view?.turn, told]).toEqual([5, 5, [5]]);
  });

  it("skips what it knows, from the answer and from the stream", () => {
    const { standing, told } = heard(begun(4), move(5), move(5), move(4));
    expect([standing.seq, told]).toEqual([5, [5]]);
  });

  it("keeps what comes too early until the rest is here", () => {
    const early = heard(begun(4), move(7), move(6));
    expect([early.standing.seq, early.standing.ahead.length, early.told]).toEqual([4, 2, []]);
    const { standing, told } = heard(early.standing, move(5));
    expect([standing.seq, standing.ahead, told]).toEqual([7, [], [5, 6, 7]]);
  });

  it("does not keep the same one twice", () => {
    expect(heard(begun(4), move(7), move(7)).standing.ahead).toHaveLength(1);
  });

  it("goes where a whole state leads, and drops what that makes old", () => {
    const early = heard(begun(4), move(7), move(9)).standing;
    const { standing, told } = heard(early, { seq: 8, table: TABLE, view: view(8), happened: [] });
    expect([standing.seq, told, standing.view?.turn]).toEqual([9, [9], 9]);
  });

  it("ignores a whole state that is older", () => {
    const now = begun(6);
    expect(hear(now, { seq: 5, table: TABLE, happened: [] }, 0).standing).toBe(now);
  });

  it("takes a whole state of the same seq, as a refusal brings it", () => {
    const wishes = { legal: [], refused: [] };
    const step = hear(begun(6), { seq: 6, table: TABLE, view: view(6), wishes, happened: [] }, 0);
    expect(step.standing.wishes).toBe(wishes);
  });

  it("keeps view and wishes where a whole state is the one that is known, as when a stream begins", () => {
    const wishes = { legal: [], refused: [] };
    const again: Update = { seq: 6, table: TABLE, view: view(6), wishes, happened: [] };
    const { standing } = hear(null, again, 0);
    for (const anew of [false, true]) {
      const heardAgain = hear(standing, { ...structuredClone(again), anew }, 5).standing;
      expect(heardAgain.view).toBe(standing.view);
      expect(heardAgain.wishes).toBe(standing.wishes);
    }
    const others: Update = { ...again, view: view(6, { seat: null }), wishes: null };
    expect(hear(standing, others, 5).standing).toMatchObject({ view: { seat: null }, wishes: null });
  });

  it("forgets the wishes with the next view", () => {
    const wishes = { legal: [], refused: [] };
    const mine = heard(begun(4), move(5, { wishes })).standing;
    expect(mine.wishes).toBe(wishes);
    expect(heard(mine, move(6)).standing.wishes).toBeNull();
  });

  it("may undo as long as it is told so, and no longer", () => {
    const whole = hear(null, { seq: 4, table: TABLE, view: view(4), undo: true, happened: [] }, 0).standing;
    expect([begun(4).mayUndo, whole.mayUndo]).toEqual([false, true]);
    const muted: Update = { seq: 5, news: { kind: "muted", seat: 1 }, table: TABLE, happened: [] };
    const beside = heard(whole, muted).standing;
    expect([beside.mayUndo, heard(beside, move(6)).standing.mayUndo]).toEqual([true, false]);
    expect(heard(beside, move(6, { undo: true })).standing.mayUndo).toBe(true);
  });

  it("draws the view anew after an undo", () => {
    const undone: Update = { seq: 6, news: { kind: "undone", seat: 0 }, view: view(4), happened: [] };
    const { standing, told } = heard(begun(4), move(5), undone);
    expect([standing.seq, standing.view?.turn, told]).toEqual([6, 4, [5, 6]]);
  });

  it("keeps view and wishes when something around the game happens", () => {
    const wishes = { legal: [], refused: [] };
    const mine = heard(begun(4), move(5, { wishes })).standing;
    const muted: Update = { seq: 6, news: { kind: "muted", seat: 1 }, table: TABLE, happened: [] };
    const { standing } = heard(mine, muted);
    expect([standing.view?.turn, standing.wishes]).toEqual([5, wishes]);
  });

  it("knows that a game which ended by its rules is over", () => {
    const last = move(5, { view: view(5, { ending: "won", winner: 1 }) });
    const { table } = heard(begun(4), last).standing;
    expect([table.stage, table.ending, table.winner]).toEqual(["over", "won", 1]);
  });
});
