/** Presses of the mouse on the board: what the right button does, dragged and not. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pressing } from "../../src/board-view/pressing";

/** As much of an element as a press needs. */
class Spot {
  constructor(readonly dataset: { place?: string }) {}
  closest(): Spot | null {
    return this.dataset.place === undefined ? null : this;
  }
}
const SPOTS = new Map([
  [100, new Spot({ place: "9" })],
  [200, new Spot({ place: "23" })],
]);
const ROCK = new Spot({});

const heard = {
  onplace: vi.fn(),
  onclear: vi.fn(),
  onaim: vi.fn(),
  onarrow: vi.fn(),
  isSelected: () => false,
};
let board: EventTarget;
let page: EventTarget;

/** A mouse event; places lie at x = 100 and x = 200, everything else is rock. */
function mouse(kind: string, x: number, button: number): void {
  const event = Object.assign(new Event(kind, { cancelable: true }), {
    pointerType: "mouse",
    button,
    buttons: kind === "pointerup" ? 0 : button === 2 ? 2 : 1,
    clientX: x,
    clientY: 50,
    detail: 1,
  });
  Object.defineProperty(event, "target", { value: SPOTS.get(x) ?? ROCK });
  (kind === "pointermove" || kind === "pointerup" ? page : board).dispatchEvent(event);
}

function drag(from: number, to: number, button: number): void {
  mouse("pointerdown", from, button);
  mouse("pointermove", to, button);
  mouse("pointerup", to, button);
}

beforeEach(() => {
  board = new EventTarget();
  page = new EventTarget();
  vi.stubGlobal("Element", Spot);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("document", { elementFromPoint: (x: number) => SPOTS.get(x) ?? ROCK });
  pressing(heard)(board as HTMLElement);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

describe("the right button", () => {
  test("dragged from place to place draws an arrow and chooses nothing", () => {
    drag(100, 200, 2);
    mouse("contextmenu", 200, 2);
    expect(heard.onaim).toHaveBeenCalledWith({ from: 9, to: 23 });
    expect(heard.onarrow).toHaveBeenCalledExactlyOnceWith({ from: 9, to: 23 });
    expect([heard.onplace, heard.onclear].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test("dragged onto the rock draws nothing and clears nothing", () => {
    drag(100, 300, 2);
    expect(heard.onarrow).not.toHaveBeenCalled();
    expect(heard.onaim).toHaveBeenLastCalledWith(null);
    expect(heard.onclear).not.toHaveBeenCalled();
  });

  test("pressed without a drag clears, once, whenever the menu is asked for", () => {
    mouse("pointerdown", 100, 2);
    mouse("contextmenu", 100, 2);
    mouse("pointermove", 103, 2);
    mouse("pointerup", 103, 2);
    expect(heard.onclear).toHaveBeenCalledOnce();
    expect(heard.onarrow).not.toHaveBeenCalled();
  });
});

describe("the left button", () => {
  test("dragged from a pirate onto a space chooses both, and draws nothing", () => {
    drag(100, 200, 0);
    mouse("click", 200, 0);
    expect(heard.onplace.mock.calls).toEqual([
      [9, "touch"],
      [23, "mouse"],
    ]);
    expect(heard.onaim).not.toHaveBeenCalled();
  });

  test("pressed on a place chooses it, on the rock clears", () => {
    mouse("pointerdown", 100, 0);
    mouse("pointerup", 100, 0);
    mouse("click", 100, 0);
    mouse("pointerdown", 300, 0);
    mouse("click", 300, 0);
    expect(heard.onplace).toHaveBeenCalledExactlyOnceWith(9, "mouse");
    expect(heard.onclear).toHaveBeenCalledOnce();
  });
});
