import { expect, test } from "vitest";
import type { Table } from "../../src/api/messages";
import { namesInRecord, namesOf } from "../../src/connection/names";

test("bots are called by their levels, with numbers where a level plays twice", () => {
  const chairs = [
    { kind: "bot", level: "deckhand" },
    { kind: "person", name: "Anne" },
    { kind: "bot", level: "deckhand" },
    { kind: "bot", level: "my_bots:Clever" },
  ];
  const told = ["Deckhand 1", "Anne", "Deckhand 2", "my_bots:Clever"];
  expect(namesOf({ chairs } as unknown as Table)).toEqual(told);
  expect(namesInRecord(["deckhand", "Anne", "deckhand", "my_bots:Clever"])).toEqual(told);
  expect(namesInRecord(["captain", ""])).toEqual(["Captain", ""]);
});
