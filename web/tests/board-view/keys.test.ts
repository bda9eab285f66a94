/** Which keys press something, and where the space bar is free. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isFreeSpace, isPressing } from "../../src/board-view/keys";

class Spot {
  constructor(private readonly found: boolean) {}
  closest(): object | null {
    return this.found ? {} : null;
  }
}

beforeEach(() => {
  vi.stubGlobal("Element", Spot);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a walk over the board presses nothing", () => {
  const keys = ["Enter", " ", "Escape", "ArrowLeft", "Home", "Tab", "m"];
  expect(keys.map((key) => isPressing({ key }))).toEqual([true, true, true, false, false, false, false]);
});

test("the space bar is free where nothing has the focus", () => {
  const target = (found: boolean): EventTarget => new Spot(found) as unknown as EventTarget;
  expect(isFreeSpace({ key: " ", target: target(false) })).toBe(true);
  expect(isFreeSpace({ key: " ", target: target(true) })).toBe(false);
  expect(isFreeSpace({ key: "x", target: target(false) })).toBe(false);
});
