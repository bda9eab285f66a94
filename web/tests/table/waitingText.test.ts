/** Host, guest and spectator are told what each of them waits for. */

import { expect, test } from "vitest";
import type { Table } from "../../src/api/messages";
import { waitingText } from "../../src/table/waiting/waitingText";

function table(more: object = {}, last: object = { seat: 2, kind: "open" }): Table {
  return {
    spectators: true,
    chairs: [
      { seat: 0, kind: "person", name: "Anne" },
      { seat: 1, kind: "person", name: "Bart", is_host: true },
      last,
    ],
    ...more,
  } as unknown as Table;
}

test("the host is told what a host can do", () => {
  expect(waitingText(table(), 1)).toMatch(/^Send the link to friends/);
});

test("a guest is told who starts, and that leaving is possible", () => {
  expect(waitingText(table(), 0)).toBe(
    "Bart starts the game when everybody is here. Until then you can still leave.",
  );
});

test("an onlooker is invited as long as a seat is free", () => {
  expect(waitingText(table(), null)).toMatch(/^Take a free seat to join in\./);
  const full = { seat: 2, kind: "bot", level: "sailor" };
  expect(waitingText(table({}, full), null)).toBe(
    "Every seat is taken. When the game begins, you watch it here.",
  );
  expect(waitingText(table({ spectators: false }, full), null)).toBe(
    "Every seat is taken. Nobody can watch this game.",
  );
});

test("a table of strangers starts by itself", () => {
  const text = "The game starts by itself when every seat is taken.";
  expect([0, 1, null].map((seat) => waitingText(table({ quick: true }), seat))).toEqual([text, text, text]);
});
