/** The lobby as pages and changes make it. */

import { expect, test } from "vitest";
import type { Listing } from "../../src/api/messages";
import {
  afterChange,
  afterPage,
  NO_LISTINGS,
  openTables,
  runningTables,
  type Listings,
} from "../../src/home/listings";

function listing(id: string, seq: number, more: Partial<Listing> = {}): Listing {
  return {
    id,
    seq,
    stage: "open",
    ruleset: { preset: "tortuga", family: "escape", options: {} },
    seats: 2,
    free: 1,
    host: "Anne",
    clock: null,
    rated: false,
    quick: false,
    spectators: true,
    created: seq,
    ...more,
  };
}

const ids = (tables: Listing[]): string[] => tables.map((table) => table.id);
const start: Listings = afterPage(NO_LISTINGS, "open", [listing("a", 1), listing("b", 2)]);

test("open tables come newest first", () => {
  expect(ids(openTables(start))).toEqual(["b", "a"]);
});

test("a table that begins moves from the open ones to those that may be watched", () => {
  const after = afterChange(start, {
    id: "a",
    seq: 5,
    table: listing("a", 5, { stage: "running", free: 0 }),
  });
  expect(ids(openTables(after))).toEqual(["b"]);
  expect(ids(runningTables(after))).toEqual(["a"]);
});

test("a table without spectators is not offered for watching", () => {
  const table = listing("a", 5, { stage: "running", free: 0, spectators: false });
  expect(runningTables(afterChange(start, { id: "a", seq: 5, table }))).toEqual([]);
});

test("a table that is not listed any more is gone, and an older change does not bring it back", () => {
  const gone = afterChange(start, { id: "a", seq: 6, table: null });
  expect(ids(openTables(gone))).toEqual(["b"]);
  expect(afterChange(gone, { id: "a", seq: 3, table: listing("a", 3) })).toBe(gone);
});

test("a whole page takes away what is not on it, but leaves the other stage", () => {
  const running = afterChange(start, { id: "c", seq: 4, table: listing("c", 4, { stage: "running" }) });
  const after = afterPage(running, "open", [listing("b", 2)]);
  expect(ids(openTables(after))).toEqual(["b"]);
  expect(ids(runningTables(after))).toEqual(["c"]);
});

test("a page that was read before a known change does not undo it", () => {
  const full = afterChange(start, { id: "a", seq: 9, table: listing("a", 9, { free: 0 }) });
  expect(ids(openTables(afterPage(full, "open", [listing("a", 1), listing("b", 2)])))).toEqual(["b"]);
  const gone = afterChange(start, { id: "a", seq: 9, table: null });
  expect(ids(openTables(afterPage(gone, "open", [listing("a", 1), listing("b", 2)])))).toEqual(["b"]);
});
