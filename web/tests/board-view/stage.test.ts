/** What the board shows while pirates, cards and the sloop are on their way. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Happening, View } from "../../src/api/messages";
import { Stage } from "../../src/board-view/stage.svelte";
import { position } from "../board/around";

const { view } = position("tortuga");
const FROM = view.pirates[0]?.find((place) => place > 0 && place < 30) ?? 0;
const PLAYED: Happening[] = [
  { happening: "played", seat: 0, card: "dagger" },
  { happening: "moved", seat: 0, crew: 0, start: FROM, target: 31 },
];
const BOARDED: Happening[] = [
  { happening: "moved", seat: 0, crew: 0, start: FROM, target: 37 },
  { happening: "won", seat: 0 },
];

/** The view after a pirate of the first crew went to a place. */
function after(target: number, ending: string | null = null): View {
  const pirates = view.pirates.map((places, crew) =>
    crew === 0 ? places.with(places.indexOf(FROM), target) : places,
  );
  return { ...view, pirates, ending } as View;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a move", () => {
  test("lets its card fly at the moment at which the pirate starts", () => {
    const flown = vi.fn();
    const stage = new Stage(view, flown);
    stage.show(after(31), [{ seq: 1, happenings: PLAYED }], false);
    expect(stage.walk).toMatchObject({ from: FROM, to: 31 });
    expect(flown).toHaveBeenCalledOnce();
    expect(flown.mock.calls[0]?.[0]).toMatchObject([{ card: "dagger", to: { at: "discard" } }]);
  });

  test("fades where stillness is wanted, and shows its way for a moment and a half", () => {
    const flown = vi.fn();
    const stage = new Stage(view, flown);
    stage.show(after(31), [{ seq: 1, happenings: PLAYED }], true);
    expect([stage.isStill, stage.walk?.milliseconds]).toEqual([true, 120]);
    expect(flown).toHaveBeenCalledWith(expect.anything(), true);
    stage.arrived();
    expect(stage.pirates).toEqual(after(31).pirates);
    expect(stage.trace).toEqual({ from: FROM, to: 31, isBack: false });
    vi.advanceTimersByTime(1500);
    expect(stage.trace).toBeNull();
  });

  test("leaves no trace for a reader who saw the pirate walk", () => {
    const stage = new Stage(view);
    stage.show(after(31), [{ seq: 1, happenings: PLAYED }], false);
    stage.arrived();
    expect(stage.trace).toBeNull();
  });
});

describe("the tempo of what is told", () => {
  test("makes its travels longer or shorter", () => {
    const stage = new Stage(view);
    stage.show(after(31), [{ seq: 1, happenings: PLAYED, tempo: 2 }], false);
    expect(stage.walk?.milliseconds).toBe(1640);
  });

  test("puts everything in its place at once if it is 0, also what is still on its way", () => {
    const flown = vi.fn();
    const stage = new Stage(view, flown);
    stage.show(after(20), [{ seq: 1, happenings: PLAYED }], false);
    stage.show(after(31), [{ seq: 2, happenings: PLAYED, tempo: 0, view: after(31) }], false);
    expect([stage.walk, stage.pirates, flown.mock.calls.length]).toEqual([null, after(31).pirates, 1]);
  });

  test("lets travel what comes after it, from where it left things", () => {
    const back: Happening = { happening: "moved", seat: 0, crew: 0, start: 31, target: 30 };
    const stage = new Stage(view);
    const told = [
      { seq: 1, happenings: PLAYED, tempo: 0, view: after(31) },
      { seq: 2, happenings: [back], tempo: 1, view: after(30) },
    ];
    stage.show(after(30), told, false);
    expect(stage.walk).toMatchObject({ from: 31, to: 30 });
    expect(stage.pirates[0]).toHaveLength((view.pirates[0]?.length ?? 0) - 1);
    stage.arrived();
    expect(stage.pirates).toEqual(after(30).pirates);
  });
});

describe("the row", () => {
  test("is emptied slot by slot over several updates that wait together", () => {
    const slots: unknown[] = [];
    const stage = new Stage(view, (flights) => slots.push(...flights.map(({ from }) => from)));
    const left = view.row.length;
    const drew: Happening = { happening: "drew", seat: 0, card: "key", from_row: true, turned_over: false };
    const told = [1, 2].map((seq) => ({ seq, happenings: [drew] }));
    stage.show({ ...view, row: view.row.slice(2) }, told, false);
    vi.advanceTimersByTime(1000);
    expect(slots).toEqual([
      { at: "row", slot: 12 - left },
      { at: "row", slot: 13 - left },
    ]);
  });
});

describe("a win", () => {
  function won(isStill = false): Stage {
    const stage = new Stage(view);
    stage.show(after(37, "won"), [{ seq: 1, happenings: BOARDED }], isStill);
    stage.arrived();
    vi.advanceTimersByTime(0);
    return stage;
  }

  test("makes the sloop leave once the last pirate is aboard, and it stays away", () => {
    const stage = won();
    expect([stage.isAway, stage.walk]).toEqual([true, null]);
    vi.advanceTimersByTime(5000);
    stage.show(after(37, "won"), [], false);
    expect([stage.isAway, stage.pirates]).toEqual([true, after(37).pirates]);
  });

  test("can be skipped: a press shows how things stand", () => {
    const stage = won();
    stage.finish();
    expect([stage.isAway, stage.pirates]).toEqual([false, after(37).pirates]);
  });

  test("is forgotten when another position is shown", () => {
    const stage = won();
    stage.show(view, [], false);
    expect(stage.isAway).toBe(false);
  });
});
