/** What a coach says in the first turns of a first game: what lights up, and why. */

import type { View, Wishes } from "../../api/messages";
import { previewOf, type Chosen } from "../choosing";
import { START, type Pirate } from "../places";
import { isTrimming } from "../wishing";
import { actionsLeft, roundOf } from "./live";
import type { Teller } from "./words";

/** How a coached turn begins: first with pirates, then with cards, then with how to get cards. */
const OPENINGS: readonly ((teller: Teller) => string)[] = [
  (teller) => teller.say(isAllAtStart(teller) ? `coach.start.${teller.family}` : "coach.pirate"),
  (teller) => teller.say("coach.card"),
  (teller) => teller.say(`coach.supply.${teller.family}`),
];

function isAllAtStart({ view: { pirates }, people: { you } }: Teller): boolean {
  return (pirates[you ?? 0] ?? []).every((place) => place === START);
}

/** Whether the coaching is over: the turn of the farewell has passed. */
export function isCoachedOut(view: View): boolean {
  return roundOf(view) > OPENINGS.length;
}

/** What the coach says now; null where the turn box says enough. */
export function coachWords(teller: Teller, wishes: Wishes | null, chosen: Chosen): string | null {
  if (wishes === null || isTrimming(wishes) || previewOf(wishes, chosen) !== null) return null;
  if (wishes.legal.every(({ kind }) => kind === "end_turn")) return null;
  const opening = OPENINGS[roundOf(teller.view)];
  if (opening === undefined) return isFirst(teller, chosen) ? teller.say("coach.farewell") : null;
  if (chosen.pirate !== null) return goalsOf(teller, wishes, chosen.pirate);
  if (chosen.card !== null) return teller.say(`coach.lit.${teller.family}`);
  return isFirst(teller, chosen) ? opening(teller) : teller.count("coach.more", actionsLeft(teller));
}

/** What is lit for a chosen pirate; a way back only where there is one. */
function goalsOf(teller: Teller, { legal }: Wishes, { place }: Pirate): string {
  const goal = teller.say("coach.goal");
  const canGoBack = legal.some((choice) => choice.kind === "retreat" && choice.place === place);
  return canGoBack ? `${goal} ${teller.say("coach.back")}` : goal;
}

/** Whether nothing has been done or chosen in this turn. */
function isFirst({ view }: Teller, { pirate, card }: Chosen): boolean {
  return view.actions_used === 0 && pirate === null && card === null;
}
