/** Flying cards: where they start and end, and what is known of them. */

import { expect, test } from "vitest";
import type { Happening } from "../../src/api/messages";
import { flightsOf, namesOfSpot, rowAfter } from "../../src/board/flying";

const ROW = { most: 12, left: 2 };
const MOVED: Happening = { happening: "moved", seat: 1, crew: 1, start: 9, target: 7 };

function drew(card: string | null, from_row: boolean): Happening {
  return { happening: "drew", seat: 1, card, from_row, turned_over: false };
}

test("a played card goes from its hand to the discard", () => {
  const flights = flightsOf([{ happening: "played", seat: 0, card: "key" }, MOVED], ROW);
  expect(flights).toEqual([
    { card: "key", from: { at: "hand", seat: 0 }, to: { at: "discard" }, beside: 7, after: 0 },
  ]);
});

test("cards of the row leave their own slots, one after another, into a new row if it must be", () => {
  const laid: Happening = { happening: "row_laid", cards: Array<string>(12).fill("hat") };
  const happened = [MOVED, drew("key", true), drew("hat", true), laid, drew("hat", true)];
  const flights = flightsOf(happened, ROW);
  expect(flights.map(({ from }) => from)).toEqual([
    { at: "row", slot: 10 },
    { at: "row", slot: 11 },
    { at: "row", slot: 0 },
  ]);
  expect(flights.map(({ after }) => after)).toEqual([0, 110, 220]);
  expect(rowAfter(happened, ROW.left)).toBe(11);
});

test("a card that nobody may see flies with its back up and names no sign", () => {
  const [flight] = flightsOf([MOVED, drew(null, false)], ROW);
  if (flight === undefined) throw new Error("it flies");
  expect([flight.card, flight.from]).toEqual([null, { at: "stock" }]);
  expect(namesOfSpot(flight.to, flight)).toEqual(["hand-1"]);
});

test("the best name of a spot comes first, and the place on the board last", () => {
  const [flight] = flightsOf([{ happening: "played", seat: 0, card: "key" }, MOVED], ROW);
  if (flight === undefined) throw new Error("it flies");
  expect(namesOfSpot(flight.from, flight)).toEqual(["hand-0-key", "hand-0"]);
  expect(namesOfSpot(flight.to, flight)).toEqual(["discard", "place-7"]);
  expect(namesOfSpot({ at: "row", slot: 3 }, flight)).toEqual(["row-3", "row"]);
});
