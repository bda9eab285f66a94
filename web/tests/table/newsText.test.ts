/** News of a table as a sentence. */

import { expect, test } from "vitest";
import type { Table, View } from "../../src/api/messages";
import { newsText, spokenNews, type Hearing } from "../../src/table/newsText";

test("who is muted on a chair is named, and who only watches is not", () => {
  expect(newsText({ kind: "muted", seat: 1, name: "Bart" }, [])).toBe("Bart may not speak in the chat.");
  expect(newsText({ kind: "muted" }, [])).toBe("A spectator may not speak in the chat.");
  expect(newsText({ kind: "unmuted" }, [])).toBe("A spectator may speak again.");
});

const NAMES = ["Anne", "Bart"];

function hearing(more: Partial<Hearing> = {}): Hearing {
  return { table: null, view: null, names: NAMES, you: 0, ...more };
}

test("who comes and who goes is told", () => {
  expect(spokenNews({ kind: "sat", seat: 1, name: "Bart" }, hearing())).toBe("Bart sat down.");
  expect(spokenNews({ kind: "left", seat: 1, name: "Bart" }, hearing())).toBe("Bart left.");
  expect(spokenNews({ kind: "taken_back", seat: 1 }, hearing())).toBe("Bart is back.");
  expect(spokenNews({ kind: "promised", seat: 1 }, hearing())).toBeNull();
});

test("the leave for hints, and a question that was declined, have sentences of their own", () => {
  expect(newsText({ kind: "settings_changed" }, NAMES)).toBe("The terms were changed.");
  expect(newsText({ kind: "settings_changed", text: "hints_on" }, NAMES)).toBe("Hints are allowed now.");
  expect(newsText({ kind: "settings_changed", text: "hints_off" }, NAMES)).toBe(
    "Hints are no longer allowed.",
  );
  expect(newsText({ kind: "abandon_withdrawn", seat: 1, text: "declined" }, NAMES)).toBe(
    "Bart would rather play on.",
  );
});

test("a listener hears at the beginning that there are hints", () => {
  const table = { stage: "running", hints: true } as Table;
  expect(spokenNews({ kind: "began" }, hearing({ table }))).toBe("The game begins. Hints are allowed now.");
  expect(spokenNews({ kind: "began" }, hearing())).toBe("The game begins.");
});

test("one's own undo tells what is left, that of another who did it", () => {
  const view = { actions_used: 1 } as View;
  expect(spokenNews({ kind: "undone", seat: 0 }, hearing({ view }))).toBe("Undone. 2 actions left.");
  expect(spokenNews({ kind: "undone", seat: 1 }, hearing({ view }))).toBe("Bart took an action back.");
});

test("a resignation that ends the game tells the result", () => {
  const resigned = { kind: "resigned", seat: 1 } as const;
  const over = { stage: "over", ending: "resigned", winner: 0 } as Table;
  expect(spokenNews(resigned, hearing({ table: over }))).toBe("Bart resigned. You won.");
  expect(spokenNews(resigned, hearing({ table: over, you: null }))).toBe("Bart resigned. Anne won.");
  const running = { stage: "running", ending: null, winner: null } as unknown as Table;
  expect(spokenNews(resigned, hearing({ table: running }))).toBe("Bart resigned.");
});
