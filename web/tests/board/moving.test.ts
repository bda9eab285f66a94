/** Travels and their durations. */

import { expect, test } from "vitest";
import type { Happening } from "../../src/api/messages";
import { stilled, travelsOf, walked, without, type Before } from "../../src/board/moving";
import { position } from "./around";

const { view } = position("tortuga");
const before: Before = {
  pirates: view.pirates,
  board: view.board,
  row: { most: 12, left: 7 },
  sloopIsHome: true,
};

test("a play walks forward and hops over the taken spaces of its sign", () => {
  const [, walk] = travelsOf(
    [
      { happening: "played", seat: 0, card: "dagger" },
      { happening: "moved", seat: 0, crew: 0, start: 11, target: 31 },
    ],
    before,
  );
  expect(walk).toEqual({ kind: "walk", crew: 0, from: 11, to: 31, hops: [15, 24, 27], milliseconds: 820 });
});

test("a retreat is a fifth faster and hops over nobody", () => {
  const [walk] = travelsOf([{ happening: "moved", seat: 0, crew: 0, start: 11, target: 5 }], before);
  expect(walk).toMatchObject({ hops: [], milliseconds: 350 });
});

test("a short way still takes a moment", () => {
  const [walk] = travelsOf([{ happening: "moved", seat: 0, crew: 0, start: 1, target: 2 }], before);
  expect(walk?.milliseconds).toBe(260);
});

test("the sloop crosses", () => {
  expect(travelsOf([{ happening: "sailed", seat: 0, dock: 2, free: true }], before)).toEqual([
    { kind: "crossing", dock: 2, milliseconds: 1200 },
  ]);
});

test("one pirate of a crew leaves and arrives", () => {
  const walk = { kind: "walk" as const, crew: 0, from: 3, to: 6, hops: [], milliseconds: 260 };
  expect(without([[0, 3, 3], [3]], walk)).toEqual([[0, 3], [3]]);
  expect(walked([[0, 3, 3], [3]], walk)).toEqual([[0, 6, 3], [3]]);
});

test("cards start together with their pirate, and are waited for only without one", () => {
  const played: Happening = { happening: "played", seat: 0, card: "key" };
  const moved: Happening = { happening: "moved", seat: 0, crew: 0, start: 1, target: 2 };
  const trimmed: Happening = { happening: "trimmed", seat: 1, card: null };
  const times = (happened: Happening[]): [string, number][] =>
    travelsOf(happened, before).map(({ kind, milliseconds }) => [kind, milliseconds]);
  expect(times([played, moved])).toEqual([
    ["cards", 0],
    ["walk", 260],
  ]);
  expect(times([trimmed])).toEqual([["cards", 240]]);
});

test("with a win the sloop leaves, after its last pirate, where it is the goal", () => {
  const happened: Happening[] = [
    { happening: "moved", seat: 0, crew: 0, start: 30, target: 37 },
    { happening: "won", seat: 0 },
  ];
  expect(travelsOf(happened, before).at(-1)).toEqual({ kind: "leaving", milliseconds: 2400 });
  const ferry = travelsOf(happened, { ...before, sloopIsHome: false });
  expect(ferry.map(({ kind }) => kind)).toEqual(["walk"]);
});

test("stillness makes a fade of every travel and waits for nothing longer", () => {
  const crossing = { kind: "crossing" as const, dock: 2, milliseconds: 1200 };
  expect(stilled(crossing)).toEqual({ ...crossing, milliseconds: 120 });
  expect(stilled({ kind: "cards", flights: [], milliseconds: 0 }).milliseconds).toBe(0);
});
