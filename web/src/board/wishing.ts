/** Questions to the wish table: what a choice would do, or why it is refused. */

import type { Legal, Wishes } from "../api/messages";
import { playCode, pushCode, retreatCode } from "./codes";
import type { Family, Pirate, Place } from "./places";

/** The reason that the rules give for a card that is not in the hand. */
export const NOT_HELD = "card_not_held";

/** Why something is refused: a code of the rules and the sentence of the rulebook. */
export interface Refusal {
  code: string;
  rule: string;
  /** The card that was wished for, if any. */
  card?: string;
}

export function legalWith(wishes: Wishes, code: number | null): Legal | null {
  return wishes.legal.find((choice) => choice.code === code) ?? null;
}

/** Why a code is refused; null if it is legal. */
export function refusalOf(wishes: Wishes, code: number): Refusal | null {
  return (
    wishes.refused.find(({ actions }) => actions.some(([first, last]) => first <= code && code <= last)) ??
    null
  );
}

/** Why a card is refused to the pirate on a place; null if it can be played. */
export function refusalOfPlay(
  wishes: Wishes,
  family: Family,
  { card, place }: { card: string; place: Place },
): Refusal | null {
  const refusal = refusalOf(wishes, playCode(family, card, place));
  return refusal === null ? null : { code: refusal.code, rule: refusal.rule, card };
}

/** Why a pirate cannot retreat; null if it can, or if this family has no retreats. */
export function refusalOfRetreat(wishes: Wishes, place: Place): Refusal | null {
  const code = retreatCode(place);
  return code === null ? (wishes.retreat_from_start ?? null) : refusalOf(wishes, code);
}

/** What a card would do for the pirate of the seat to act on a place. */
export function playOf(wishes: Wishes, card: string, place: Place): Legal | null {
  return (
    wishes.legal.find((choice) => choice.kind === "play" && choice.card === card && choice.place === place) ??
    null
  );
}

/** Everything that can be done with a pirate: the player's own plays and retreats, another is pushed. */
export function choicesOf(wishes: Wishes, pirate: Pirate, you: number): Legal[] {
  return wishes.legal.filter((choice) => {
    if (choice.place !== pirate.place) return false;
    return pirate.crew === you
      ? choice.kind === "play" || choice.kind === "retreat" || choice.kind === "decline"
      : choice.kind === "push" && choice.crew === pirate.crew;
  });
}

/** Why nothing can be done with a pirate: for the player's own, why its cards are refused, else the push. */
export function refusalOfPirate(
  wishes: Wishes,
  pirate: Pirate,
  by: { family: Family; you: number; hand: readonly string[] },
): Refusal | null {
  if (pirate.crew !== by.you) return refusalOf(wishes, pushCode(pirate.crew, pirate.place));
  const refusals = by.hand.map((card) => refusalOfPlay(wishes, by.family, { card, place: pirate.place }));
  return refusals.find((refusal) => refusal !== null) ?? refusalOfRetreat(wishes, pirate.place);
}

/** The only choice of a kind that needs no pirate and no card. */
export function choiceOfKind(wishes: Wishes, kind: Legal["kind"]): Legal | null {
  return wishes.legal.find((choice) => choice.kind === kind) ?? null;
}

/** Whether the seat has to give up a card before anything else. */
export function isTrimming(wishes: Wishes | null): boolean {
  return wishes?.legal[0]?.kind === "trim";
}
