/** Marks of others' moves: where their labels are, and the names of places with marks. */

import { describe, expect, test } from "vitest";
import { layoutOf, type Layout, type Shape } from "../../src/board/geometry";
import { DARK } from "../../src/board/lighting";
import { drawnMarks, labelSize, type Mark } from "../../src/board/marking";
import { FAMILIES } from "../../src/board/places";
import { nameOfPlace } from "../../src/board/telling";
import { position, tellerOf } from "./around";

/** Four others begin their game: many moves from one place, and many to another. */
const MARKS: Mark[] = [1, 2, 3, 4].flatMap((seat) =>
  [1, 2, 3].map((number) => ({ seat, number, from: number === 3 ? 36 : 0, to: number === 3 ? 37 : 9 })),
);
const SIZE = labelSize(13.2);

describe.each(FAMILIES)("the labels of %s", (family) => {
  test.each<Shape>(["wide", "middle", "tall"])("lie side by side, inside the picture: %s", (shape) => {
    const layout: Layout = layoutOf(family, shape, 5);
    const drawn = drawnMarks(MARKS, layout, SIZE);
    expect(drawn).toHaveLength(2 * MARKS.length);
    for (const [index, one] of drawn.entries()) {
      expect(one.x - SIZE.width / 2).toBeGreaterThanOrEqual(0);
      expect(one.x + SIZE.width / 2).toBeLessThanOrEqual(layout.width);
      const others = drawn.slice(index + 1).filter(({ place }) => place === one.place);
      for (const other of others) {
        const isBeside = Math.abs(other.x - one.x) >= SIZE.width;
        expect(isBeside || Math.abs(other.y - one.y) >= SIZE.height).toBe(true);
      }
    }
  });
});

describe("the name of a place", () => {
  const teller = tellerOf(position("tortuga"));
  const marks: Mark[] = [{ seat: 1, number: 2, from: 9, to: 23 }];

  test("says which move began and which ended there", () => {
    expect(nameOfPlace(teller, 9, DARK, marks)).toMatch(/\. Tobias's action 2 began here$/);
    expect(nameOfPlace(teller, 23, DARK, marks)).toMatch(/\. Tobias's action 2 ended here$/);
    expect(nameOfPlace(teller, 24, DARK, marks)).not.toMatch(/action/);
  });

  test("says more of the last move than that it was the last", () => {
    const lit = { ...DARK, lights: new Map([[23, "last" as const]]) };
    expect(nameOfPlace(teller, 23, lit, marks)).toMatch(/Tobias's action 2 ended here$/);
    expect(nameOfPlace(teller, 23, lit, [])).toMatch(/Last move ended here$/);
  });

  test("says what can be done there instead, if anything can", () => {
    const lit = { ...DARK, lights: new Map([[9, "from" as const]]) };
    expect(nameOfPlace(teller, 9, lit, marks)).toMatch(/\. Selected$/);
  });
});
