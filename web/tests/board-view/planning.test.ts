/** Arrows that a reader draws: with the right button, or by two presses. */

import { describe, expect, test } from "vitest";
import { arrowPath } from "../../src/board/geometry";
import { Planning } from "../../src/board-view/planning.svelte";

describe("arrows", () => {
  test("are drawn, and the same again is taken away", () => {
    const planning = new Planning();
    planning.draw({ from: 9, to: 23 });
    planning.draw({ from: 23, to: 9 });
    expect([planning.arrows.length, planning.has({ from: 9, to: 23 })]).toEqual([2, true]);
    planning.draw({ from: 9, to: 23 });
    expect(planning.arrows).toEqual([{ from: 23, to: 9 }]);
  });

  test("the one under the mouse is shown but not kept", () => {
    const planning = new Planning();
    planning.aimed = { from: 1, to: 2 };
    expect([planning.drawn.length, planning.arrows.length]).toEqual([1, 0]);
    planning.draw({ from: 1, to: 3 });
    expect(planning.drawn).toEqual([{ from: 1, to: 3 }]);
  });

  test("go away at once; who wipes an empty board hears nothing", () => {
    const planning = new Planning();
    expect(planning.clear()).toBe(false);
    planning.draw({ from: 1, to: 2 });
    expect([planning.clear(), planning.drawn]).toEqual([true, []]);
  });
});

describe("two presses", () => {
  test("make an arrow", () => {
    const planning = new Planning();
    planning.turn(true);
    expect([planning.press(9), planning.from]).toEqual([null, 9]);
    expect([planning.press(23), planning.from]).toEqual([{ from: 9, to: 23 }, null]);
    expect(planning.arrows).toEqual([{ from: 9, to: 23 }]);
  });

  test("on the same place make none", () => {
    const planning = new Planning();
    planning.press(9);
    expect([planning.press(9), planning.from, planning.arrows]).toEqual([null, null, []]);
  });

  test("end with the waiting, and what was drawn stays", () => {
    const planning = new Planning();
    planning.turn(true);
    planning.press(9);
    planning.press(23);
    planning.press(4);
    planning.turn(false);
    expect([planning.isOn, planning.from, planning.arrows.length]).toEqual([false, null, 1]);
  });
});

test("an arrow keeps off the middles of its places, less so between neighbours, and points at the second", () => {
  expect(arrowPath({ x: 0, y: 0 }, { x: 100, y: 0 })).toBe("M28.0 0.0L72.0 0.0M57.0 9.0L72.0 0.0L57.0 -9.0");
  expect(arrowPath({ x: 0, y: 46 }, { x: 0, y: 0 })).toBe("M0.0 36.0L0.0 10.0M9.0 25.0L0.0 10.0L-9.0 25.0");
});
