/** Who is at a table, and who has come and gone. */

import { expect, test } from "vitest";
import type { Presence, Table } from "../../src/api/messages";
import { comings, whereabouts } from "../../src/connection/presence";

const TABLE = {
  chairs: [
    { seat: 0, kind: "person" },
    { seat: 1, kind: "person" },
    { seat: 2, kind: "bot" },
    { seat: 3, kind: "open" },
  ],
} as Table;

function presence(here: number[], away: number[] = []): Presence {
  return { here, away, watching: 0 };
}

test("a person is here, away or gone; bots and free chairs are nowhere", () => {
  const now = presence([0], [1]);
  expect([0, 1, 2, 3].map((seat) => whereabouts(now, TABLE, seat))).toEqual(["here", "away", null, null]);
  expect(whereabouts(presence([0]), TABLE, 1)).toBe("gone");
  expect(whereabouts(null, TABLE, 0)).toBeNull();
});

test("only who goes for good and who comes back from there is news", () => {
  const [both, away, gone] = [presence([0, 1]), presence([0], [1]), presence([0])];
  expect(comings(both, away, TABLE)).toEqual([]);
  expect(comings(away, both, TABLE)).toEqual([]);
  expect(comings(away, gone, TABLE)).toEqual([{ seat: 1, where: "gone" }]);
  expect(comings(gone, both, TABLE)).toEqual([{ seat: 1, where: "here" }]);
  expect(comings(null, gone, TABLE)).toEqual([]);
  expect(comings(both, null, TABLE)).toEqual([]);
});
