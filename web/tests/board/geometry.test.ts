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
  type Layout,
} from "../../src/board/geometry";
import { FAMILIES, HOME } from "../../src/board/places";

const LAYOUTS: Layout[] = FAMILIES.flatMap((family) =>
  (["wide", "middle", "tall"] as const).flatMap((shape) =>
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
      const narrowest = { wide: 840, middle: 600, tall: 360 }[layout.shape];
      const scale = narrowest / layout.width;
      expect(Math.min(layout.measures.hitWidth, layout.measures.hitHeight) * scale).toBeGreaterThanOrEqual(
        44,
      );
    });
  },
);

test("the shape follows the room", () => {
  expect([360, 599, 600, 839, 840, 1400].map(shapeFor)).toEqual([
    "tall",
    "tall",
    "middle",
    "middle",
    "wide",
    "wide",
  ]);
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
