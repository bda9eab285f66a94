/** Travels and their times. */

import { expect, test } from "vitest";
import { travelsOf, walked, without } from "../../src/board/moving";
import { position } from "./around";

const { view } = position("tortuga");

test("a play walks forward and hops over the taken spaces of its sign", () => {
  const [walk] = travelsOf(
    [
      { happening: "played", seat: 0, card: "dagger" },
      { happening: "moved", seat: 0, crew: 0, start: 11, target: 31 },
    ],
    view,
  );
  expect(walk).toEqual({ kind: "walk", crew: 0, from: 11, to: 31, hops: [15, 24, 27], milliseconds: 820 });
});

test("a retreat is a fifth faster and hops over nobody", () => {
  const [walk] = travelsOf([{ happening: "moved", seat: 0, crew: 0, start: 11, target: 5 }], view);
  expect(walk).toMatchObject({ hops: [], milliseconds: 350 });
});

test("a short way still takes a moment", () => {
  const [walk] = travelsOf([{ happening: "moved", seat: 0, crew: 0, start: 1, target: 2 }], view);
  expect(walk?.milliseconds).toBe(260);
});

test("the sloop crosses", () => {
  expect(travelsOf([{ happening: "sailed", seat: 0, dock: 2, free: true }], view)).toEqual([
    { kind: "crossing", dock: 2, milliseconds: 1200 },
  ]);
});

test("one pirate of a crew leaves and arrives", () => {
  const walk = { kind: "walk" as const, crew: 0, from: 3, to: 6, hops: [], milliseconds: 260 };
  expect(without([[0, 3, 3], [3]], walk)).toEqual([[0, 3], [3]]);
  expect(walked([[0, 3, 3], [3]], walk)).toEqual([[0, 6, 3], [3]]);
});
