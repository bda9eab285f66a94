/** Another game after a finished one: who was a bot, and which levels come next. */

import { expect, test, vi } from "vitest";
import type { Table } from "../../src/api/messages";

// The modules that keep levels and pages query the browser as soon as they are imported.
vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("location", { pathname: "/", search: "", hash: "", origin: "" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
const { botsAround, stepOf } = await import("../../src/table/playing/playAgain");

function table(...levels: (string | null)[]): Table {
  const chairs = levels.map((level, seat) => ({ seat, kind: level === null ? "person" : "bot", level }));
  return { chairs } as unknown as Table;
}

test("only a table where all others are bots begins again by itself", () => {
  expect(botsAround(table(null, "sailor", "bosun"), 0)).toEqual(["sailor", "bosun"]);
  expect(botsAround(table(null, null, "bosun"), 0)).toBeNull();
  expect(botsAround(table(null, "bosun"), null)).toBeNull();
});

test("the next level is called by its name", () => {
  expect(stepOf(["sailor", "sailor"], 1)).toEqual({ bots: ["bosun", "bosun"], level: "Bosun" });
  expect(stepOf(["deckhand"], -1)).toBeNull();
  expect(stepOf(null, 1)).toBeNull();
});
