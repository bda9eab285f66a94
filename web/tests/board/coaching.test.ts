/** The coach of a first game: three turns with different subjects, then a farewell and silence. */

import { expect, test } from "vitest";
import { choose, NOTHING, type Chosen } from "../../src/board/choosing";
import { coachWords, isCoachedOut } from "../../src/board/telling";
import { position, tellerOf, type Position, type PositionName } from "./around";

/** A position in a turn of a round, counted from 0. */
function inRound(name: PositionName, round: number, used = 0): Position {
  const { view, ...rest } = position(name);
  return { ...rest, view: { ...view, turn: 1 + round * view.pirates.length, actions_used: used } };
}

function said(asked: Position, chosen: Chosen = NOTHING): string | null {
  return coachWords(tellerOf(asked), asked.wishes, chosen);
}

test("each of three turns begins with something else, then there is a farewell", () => {
  const openings = [0, 1, 2, 3].map((round) => said(inRound("tortuga", round)));
  expect(openings[0]).toMatch(/^Press one of your pirates/);
  expect(openings[1]).toMatch(/^Now press a card/);
  expect(openings[2]).toMatch(/^To get cards, go back/);
  expect(openings[3]).toMatch(/^Now you know/);
  expect([3, 4].map((round) => isCoachedOut(inRound("tortuga", round).view))).toEqual([false, true]);
});

test("a player with all pirates in the fort is told to press one there", () => {
  const asked = inRound("tortuga", 0);
  const { you } = position("tortuga");
  const pirates = asked.view.pirates.map((places, crew) => (crew === you ? places.map(() => 0) : places));
  expect(said({ ...asked, view: { ...asked.view, pirates } })).toMatch(
    /^Press one of your pirates in the fort:/,
  );
});

test("the Nest is told of pushing where Cartagena is told of going back", () => {
  expect(said(inRound("nest", 2))).toMatch(/push/);
});

test("a chosen pirate and a chosen card are told what their light means", () => {
  const asked = inRound("tortuga", 0);
  const { chosen } = choose(asked, NOTHING, { kind: "place", place: 11, manner: "at_once" });
  expect(said(asked, chosen)).toMatch(/^A lit space costs you a card.* The dashed one is the way back/);
  expect(said(asked, { ...NOTHING, card: "hat" })).toMatch(/^Taken spaces are skipped/);
  expect(said(inRound("tortuga", 3), chosen)).toBeNull();
});

test("a way back is told of only where there is one", () => {
  const { wishes, ...rest } = inRound("tortuga", 0);
  const asked = {
    ...rest,
    wishes: { ...wishes, legal: wishes.legal.filter(({ kind }) => kind !== "retreat") },
  };
  const { chosen } = choose(asked, NOTHING, { kind: "place", place: 11, manner: "at_once" });
  expect(said(asked, chosen)).toMatch(/^A lit space costs you a card/);
  expect(said(asked, chosen)).not.toMatch(/dashed/);
});

test("between actions the coach tells what is left", () => {
  expect(said(inRound("tortuga", 0, 1))).toMatch(/^2 more actions/);
  expect(said(inRound("tortuga", 0, 2))).toMatch(/^1 more action\./);
});

test("a move that is ready, cards to discard and the turn of others are left to the turn box", () => {
  const asked = inRound("tortuga", 0);
  const [first] = asked.wishes.legal;
  expect(said(asked, { ...NOTHING, preview: first?.code ?? 0 })).toBeNull();
  expect(said(inRound("trim", 0))).toBeNull();
  expect(coachWords(tellerOf(asked), null, NOTHING)).toBeNull();
});
