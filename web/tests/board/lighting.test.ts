/** What lights up. */

import { expect, test } from "vitest";
import { NOTHING, shown } from "../../src/board/choosing";
import { lastMoveOf, lightOf, lightOfMove } from "../../src/board/lighting";
import { legalWith } from "../../src/board/wishing";
import { position } from "./around";

const tortuga = position("tortuga");
const dagger = shown(legalWith(tortuga.wishes, 87) ?? tortuga.wishes.legal[0] ?? never(), 0);

function never(): never {
  throw new Error("the position has choices");
}

test("nothing chosen: only the last move", () => {
  const lit = lightOf(tortuga, NOTHING, { crew: 0, from: 10, to: 11 });
  expect([...lit.lights]).toEqual([[11, "last"]]);
  expect(lit.routes).toEqual([]);
});

test("a pirate and a card: from, destination, skipped, reachable and retreat", () => {
  const lit = lightOf(tortuga, dagger, null);
  expect(lit.lights.get(11)).toBe("from");
  expect(lit.lights.get(31)).toBe("destination");
  expect([15, 24, 27].map((place) => lit.lights.get(place))).toEqual(["skipped", "skipped", "skipped"]);
  expect([13, 14, 17].map((place) => lit.lights.get(place))).toEqual(["reachable", "reachable", "reachable"]);
  expect(lit.lights.get(5)).toBe("retreat");
  expect(lit.gains.get(5)).toBe(1);
  expect(lit.taken).toBe(1);
  expect(lit.ghost).toEqual({ crew: 0, place: 31 });
  expect(lit.routes).toEqual([
    { from: 11, to: 31, isBack: false },
    { from: 11, to: 5, isBack: true },
  ]);
});

test("a card alone: the pirates that can use it, and where they would get", () => {
  const lit = lightOf(tortuga, { ...NOTHING, card: "dagger" }, null);
  expect(lit.able.map(({ place }) => place)).toEqual([0, 3, 11, 16, 27]);
  const goals = tortuga.wishes.legal.filter(({ kind, card }) => kind === "play" && card === "dagger");
  expect(new Set(lit.lights.keys())).toEqual(new Set(goals.map(({ target }) => target)));
  expect(new Set(lit.lights.values())).toEqual(new Set(["destination"]));
});

test("who only watches sees no wishes", () => {
  expect(lightOf({ ...tortuga, wishes: null }, dagger, null).routes).toEqual([]);
});

test("a step of a replay: where it began, where it ended, the way between", () => {
  const lit = lightOfMove(lastMoveOf([{ happening: "moved", seat: 0, crew: 0, start: 9, target: 7 }]));
  expect(lit.lights.get(9)).toBe("was");
  expect(lit.routes).toEqual([{ from: 9, to: 7, isBack: true }]);
});
