/** The words of the turn box: whose turn it is, what the chosen action would do, how the turn is ended. */

import type { Legal, Wishes } from "../../api/messages";
import { previewOf, type Chosen } from "../choosing";
import { isGold } from "../places";
import { choiceOfKind, isTrimming } from "../wishing";
import { sentenceOfChoice } from "./choices";
import { actionsLeft } from "./live";
import type { Teller } from "./words";

export interface TurnWords {
  title: string;
  /** "2 of 3 actions left", or null while actions are not counted. */
  left: string | null;
  sentence: string;
}

/** What the turn box says. `ending` is how the table ended, if it did; the table decides that, not the view. */
export function turnWords(
  teller: Teller,
  wishes: Wishes | null,
  chosen: Chosen,
  over: { ending: string | null; winner: number | null },
): TurnWords {
  if (over.ending !== null) return endWords(teller, over);
  if (wishes === null) return waitingWords(teller);
  if (isTrimming(wishes)) return trimWords(teller, wishes, chosen);
  return {
    title: teller.say("turn.yours"),
    left: leftWords(teller),
    sentence: sentenceOf(teller, wishes, chosen),
  };
}

/** What is still to be chosen before the player can act. */
export function whatIsMissing(teller: Teller, wishes: Wishes, chosen: Chosen): string {
  return isTrimming(wishes) ? trimWords(teller, wishes, chosen).sentence : sentenceOf(teller, wishes, chosen);
}

/** The words on the button that ends the turn; they name unused actions, but no question is asked. */
export function endTurnWords(teller: Teller, wishes: Wishes | null): string {
  const left = actionsLeft(teller);
  const canAct = wishes?.legal.some(({ kind }) => kind !== "end_turn") === true;
  return left > 0 && canAct && teller.view.actions_used > 0
    ? teller.count("button.end_unused", left)
    : teller.say("button.end");
}

export function leftWords(teller: Teller): string {
  return teller.count("turn.left", actionsLeft(teller));
}

function endWords(
  teller: Teller,
  { ending, winner }: { ending: string | null; winner: number | null },
): TurnWords {
  const sentence =
    winner === null
      ? teller.say(ending === "abandoned" || ending === "closed" ? "turn.no_result" : "turn.draw")
      : teller.say(winner === teller.people.you ? "turn.you_won" : "turn.won", {
          name: teller.otherName(winner),
        });
  return { title: teller.say("turn.over"), left: null, sentence };
}

function waitingWords(teller: Teller): TurnWords {
  const { to_act: toAct, turn_seat: turnSeat } = teller.view;
  const seat = typeof toAct === "number" ? toAct : turnSeat;
  const isTrim = typeof toAct === "number" && toAct !== turnSeat;
  const values = { name: teller.otherName(seat) };
  if (seat === teller.people.you)
    return { title: teller.say("turn.yours"), left: leftWords(teller), sentence: "" };
  return {
    title: teller.say(isTrim ? "turn.trims" : "turn.theirs", values),
    left: leftWords(teller),
    sentence: teller.people.you === null ? teller.say("turn.watching") : teller.say("turn.plan_ahead"),
  };
}

function trimWords(teller: Teller, wishes: Wishes, chosen: Chosen): TurnWords {
  const due = teller.view.surplus[teller.people.you ?? 0] ?? 1;
  const preview = previewOf(wishes, chosen);
  return {
    title: teller.say("turn.trim"),
    left: null,
    sentence: preview === null ? teller.count("turn.trim_choose", due) : sentenceOfChoice(teller, preview),
  };
}

function sentenceOf(teller: Teller, wishes: Wishes, chosen: Chosen): string {
  const preview = previewOf(wishes, chosen);
  if (preview !== null) {
    return [sentenceOfChoice(teller, preview), ...consequences(teller, preview)].join(" ");
  }
  if (chosen.pirate !== null) return teller.say("turn.choose_goal");
  if (chosen.card !== null) {
    const choose = teller.say("turn.choose_pirate", { card: teller.Card(chosen.card) });
    return isGold(chosen.card) ? `${choose} ${teller.say("turn.gold")}` : choose;
  }
  if (wishes.legal.every(({ kind }) => kind === "end_turn")) return teller.say("turn.end_it");
  if (choiceOfKind(wishes, "captain_sail") === null) return teller.say("turn.choose");
  const canAct = wishes.legal.some(({ kind }) => kind !== "end_turn" && kind !== "captain_sail");
  return canAct
    ? `${teller.say("turn.captain")} ${teller.say("turn.choose")}`
    : teller.say("turn.cross_or_end");
}

function consequences(teller: Teller, preview: Legal): string[] {
  return [
    ...(preview.card != null && isGold(preview.card) ? [teller.say("turn.gold")] : []),
    ...(preview.wins === true ? [teller.say("turn.wins")] : []),
    ...finality(teller, preview),
  ];
}

/** That a choice cannot be taken back, for choices of which that is true. */
function finality(teller: Teller, { reveals, gains }: Legal): string[] {
  if (reveals !== true) return [];
  return [teller.say((gains ?? 0) > 0 ? "turn.no_undo_draw" : "turn.no_undo")];
}

/** What a hint says of the choice that is ready because of it. */
export function adviceWords(teller: Teller, hint: string, preview: Legal | null): string {
  return [hint, ...(preview === null ? [] : finality(teller, preview))].join(" ");
}
