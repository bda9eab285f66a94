/** Places and their numbers, the rows of the keyboard, and hands as stacks. */

import { describe, expect, test } from "vitest";
import {
  FAMILIES,
  HOME,
  nextPlace,
  numberOf,
  placeInNextRow,
  placeOf,
  rowsOf,
  segmentOf,
  stacksOf,
} from "../../src/board/places";

describe("numbers", () => {
  test("every printed number has its place, and the other way round", () => {
    for (const [family, last] of [
      ["escape", 36],
      ["nest", 35],
    ] as const) {
      for (let number = 1; number <= last; number++) {
        expect(numberOf(family, placeOf(family, number))).toBe(number);
      }
    }
  });

  test("the sloop of the Nest is place 15 and has no number", () => {
    expect(numberOf("nest", 15)).toBeNull();
    expect(numberOf("nest", 16)).toBe(15);
    expect(numberOf("escape", 15)).toBe(15);
  });
});

describe("rows", () => {
  test("hold every place once, in travel order", () => {
    for (const family of FAMILIES) {
      expect(rowsOf(family).flat()).toEqual(Array.from({ length: HOME + 1 }, (_, place) => place));
    }
  });

  test("are the segments, with the houses between them", () => {
    expect(rowsOf("escape").map((row) => row.length)).toEqual([1, 6, 6, 6, 6, 6, 6, 1]);
    expect(rowsOf("nest").map((row) => row.length)).toEqual([1, 7, 7, 1, 7, 7, 7, 1]);
    expect(segmentOf("nest", 16)).toBe(2);
    expect(segmentOf("escape", 0)).toBeNull();
  });

  test("lead up and down in the same column", () => {
    expect(placeInNextRow("escape", 9, 1)).toBe(15);
    expect(placeInNextRow("escape", 36, 1)).toBe(HOME);
    expect(placeInNextRow("escape", 0, -1)).toBe(0);
    expect(placeInNextRow("nest", 14, 1)).toBe(15);
  });
});

test("the next place that fits is looked for round the board", () => {
  expect(nextPlace(30, 1, (place) => place === 4)).toBe(4);
  expect(nextPlace(4, -1, (place) => place === 30)).toBe(30);
  expect(nextPlace(4, 1, () => false)).toBeNull();
});

test("a hand is stacks in the order of the signs; the Nest shows what is held, gold behind plain", () => {
  expect(stacksOf(["key", "skull", "key"], "escape").map(({ number }) => number)).toEqual([1, 0, 0, 0, 2, 0]);
  expect(stacksOf(["gold_map", "parrot", "map"], "nest")).toEqual([
    { card: "parrot", number: 1 },
    { card: "map", number: 1 },
    { card: "gold_map", number: 1 },
  ]);
});
