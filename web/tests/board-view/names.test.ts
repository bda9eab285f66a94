/** Which seat the reader plays: none while a bot plays for them. */

import { expect, test } from "vitest";
import type { Table, View } from "../../src/api/messages";
import { NOTHING } from "../../src/board/choosing";
import { Teller, turnWords } from "../../src/board/telling";
import { playedSeat } from "../../src/board-view/names";
import { count, language, say } from "../../src/words/words.svelte";

const RUNNING = { ending: null, winner: null };
const VIEW = { to_act: 0, turn_seat: 0, actions_used: 1, ruleset: { family: "escape" } } as unknown as View;

function table(stage: string, minder: string | null): Table {
  return {
    stage,
    chairs: [
      { kind: "person", name: "Anne", minder },
      { kind: "person", name: "Bart" },
    ],
  } as unknown as Table;
}

test("the reader plays his own seat, also where there is no table", () => {
  expect([playedSeat(table("running", null), 0), playedSeat(null, 1)]).toEqual([0, 1]);
  expect(playedSeat(table("running", null), null)).toBeNull();
});

test("while a bot plays on for him he plays none, and what he won is his again", () => {
  expect(playedSeat(table("running", "deckhand"), 0)).toBeNull();
  expect(playedSeat(table("running", "deckhand"), 1)).toBe(1);
  expect(playedSeat(table("over", "deckhand"), 0)).toBe(0);
});

test("the turn box of somebody who resigned does not say that it is his turn", () => {
  const you = playedSeat(table("running", "deckhand"), 0);
  const teller = new Teller({ say, count, language }, { names: ["Anne", "Bart"], you }, VIEW);
  expect(turnWords(teller, null, NOTHING, RUNNING)).toEqual({
    title: "Anne is moving",
    left: "2 of 3 actions left.",
    sentence: "You are watching.",
  });
});
