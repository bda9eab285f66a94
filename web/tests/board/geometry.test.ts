/** Layouts: everything has room, and the way is where the spaces are. */

import { describe, expect, test } from "vitest";
import {
  floorBetween,
  layoutOf,
  middleOf,
  shapeFor,
  standingOn,
  stonePath,
  walkBetween,
  widthIn,
  type Layout,
} from "../../src/board/geometry";
import { FAMILIES, HOME } from "../../src/board/places";

const LAYOUTS: Layout[] = FAMILIES.flatMap((family) =>
  (["wide", "middle", "low", "tall"] as const).flatMap((shape) =>
    [2, 5].map((seats) => layoutOf(family, shape, seats)),
  ),
);

describe.each(LAYOUTS.map((layout) => [`${layout.family} ${layout.shape}`, layout] as const))(
  "%s",
  (_, layout) => {
    test("has every place once, inside the picture", () => {
      const places = [...layout.cells, ...layout.houses].map(({ place }) => place);
      expect(places.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: HOME + 1 }, (__, place) => place),
      );
      for (const { x, y } of layout.cells) {
        expect(x - layout.measures.stoneWidth / 2).toBeGreaterThanOrEqual(0);
        expect(x + layout.measures.stoneWidth / 2).toBeLessThanOrEqual(layout.width);
        expect(y + layout.measures.pirateDown).toBeLessThanOrEqual(layout.height);
      }
    });

    test("keeps stones apart", () => {
      for (const one of layout.cells) {
        for (const other of layout.cells) {
          if (one.place >= other.place) continue;
          const apart = Math.hypot(one.x - other.x, one.y - other.y);
          expect(apart, `${one.place} and ${other.place}`).toBeGreaterThan(layout.measures.stoneWidth * 0.9);
        }
      }
    });

    test("walks from place to place, and back the same way", () => {
      const walk = walkBetween(layout, 3, 30);
      expect(walk[0]).toMatchObject({ x: middleOf(layout, 3).x, y: middleOf(layout, 3).y });
      expect(walk.at(-1)?.x).toBeCloseTo(middleOf(layout, 30).x);
      expect(walkBetween(layout, 30, 3)).toEqual(walk.toReversed());
      expect(walkBetween(layout, 0, HOME)[0]).toEqual(middleOf(layout, 0));
    });

    test("lights a floor between any two places", () => {
      for (const [from, to] of [
        [0, 1],
        [11, 31],
        [31, 5],
        [14, HOME],
      ] as const) {
        expect(floorBetween(layout, from, to).flat().length).toBeGreaterThan(1);
      }
    });

    test("targets are at least 44 pixels where the shape begins", () => {
      const narrowest = { wide: 770, middle: 600, low: 520, tall: 360 }[layout.shape];
      const scale = narrowest / layout.width;
      expect(Math.min(layout.measures.hitWidth, layout.measures.hitHeight) * scale).toBeGreaterThanOrEqual(
        44,
      );
    });
  },
);

test("the shape follows the width where the height does not matter", () => {
  const shapes = [360, 599, 600, 839, 840, 1400].map((width) =>
    shapeFor("escape", 4, { width, height: Infinity }),
  );
  expect(shapes).toEqual(["tall", "tall", "middle", "middle", "wide", "wide"]);
});

test.each([
  ["a laptop", { width: 902, height: 475 }, "wide"],
  ["a window that is lower still", { width: 1100, height: 410 }, "wide"],
  ["a tablet on its side", { width: 668, height: 610 }, "middle"],
  ["a phone on its side", { width: 544, height: 346 }, "low"],
  ["a small window", { width: 664, height: 422 }, "low"],
  ["a phone held upright", { width: 390, height: 844 }, "tall"],
] as const)("the shape follows the height too: %s", (_, room, shape) => {
  for (const family of FAMILIES) expect(shapeFor(family, 5, room), family).toBe(shape);
});

test("a board is as large as its room, and all of it is in sight", () => {
  const layout = layoutOf("escape", "wide", 2);
  expect(widthIn({ width: 524, height: 9999 }, layout)).toBe(524);
  expect(widthIn({ width: 9999, height: 276 }, layout)).toBe(524);
});

test("strips lie across a board that is held upright, and stand in one that is not", () => {
  for (const { shape, houses } of LAYOUTS)
    for (const { isStrip, width, height } of houses)
      if (isStrip) expect(height > width).toBe(shape === "low");
});

test("three pirates and a ghost stand in line", () => {
  const layout = layoutOf("escape", "wide", 4);
  const cell = layout.cells[4];
  if (cell === undefined) throw new Error("the tunnel has a fifth space");
  const line = standingOn(cell, layout, [[5], [5]], { crew: 2, place: 5 });
  expect(line.map(({ crew, isGhost }) => [crew, isGhost])).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ]);
  expect((line[0]?.x ?? 0) < (line[1]?.x ?? 0)).toBe(true);
});

test("a stone is always the same", () => {
  expect(stonePath(7, 66, 59)).toBe(stonePath(7, 66, 59));
  expect(stonePath(7, 66, 59)).not.toBe(stonePath(8, 66, 59));
});
