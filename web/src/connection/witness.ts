/**
 * What this browser saw at the deal and chose since: the record of the game must contain it.
 *
 * It is kept with the number for the shuffle. Several tabs of this browser may listen and act at one table.
 */

import type { Update, View } from "../api/messages";
import { keep, keptOf } from "./shuffle";
import { isWhole, type Standing, type Step } from "./standing";

/** The table after the deal in the words of the view; null for a hand that the seat did not see. */
export interface Shown {
  /** The signs of the spaces, from the start on. */
  board: string[];
  first_seat: number;
  hands: (string[] | null)[];
  row: string[];
}

/** The earliest event that a choice can be, its turn and its code. */
type Made = [seq: number, turn: number, code: number];

export interface Witness {
  seat: number;
  /** Null if the first view here was of a later moment. */
  shown: Shown | null;
  /** The player's choices that were granted and not taken back, in order. */
  made: Made[];
  /** Every undo up to this event has been taken into account. */
  settledAt: number;
  /** The running turn, as far as it is known. */
  turn: number;
}

const UNPRINTED = ["start", "sloop", "nest"];

/** Note an update from a table; `step` is what became known with it. */
export function witness(tableId: string, before: Standing | null, update: Update, step: Step): void {
  const [first] = viewsOf(update, step);
  const kept = first === undefined ? null : keptOf(tableId);
  if (kept === null || first === undefined) return;
  const old = kept.witness ?? firstSight(first, update.seq);
  const now = step.told.reduce(afterTold, isGap(before, update) ? afterGap(old, update) : old);
  const seen = { ...now, turn: step.standing.view?.turn ?? now.turn };
  if (JSON.stringify(seen) !== JSON.stringify(kept.witness)) keep(tableId, { ...kept, witness: seen });
}

/** A choice was granted; answers may arrive in another order than the choices were made. */
export function witnessChoice(tableId: string, seq: number, turn: number, code: number): void {
  const kept = keptOf(tableId);
  if (kept?.witness === undefined || seq <= kept.witness.settledAt) return;
  const others = kept.witness.made.filter(([known]) => known !== seq);
  const made = [...others, [seq, turn, code] satisfies Made].sort(([one], [other]) => one - other);
  keep(tableId, { ...kept, witness: { ...kept.witness, made } });
}

/** Whether hands, row and seat to act are still those of the deal. */
export function isDealt({ turn, actions_used, discard, surplus }: View): boolean {
  return turn === 1 && actions_used === 0 && discard.length === 0 && surplus.every((cards) => cards === 0);
}

/** What a view shows of the deal. */
export function shownOf({ board, turn_seat, hands, row }: View): Shown {
  return { board: board.filter((word) => !UNPRINTED.includes(word)), first_seat: turn_seat, hands, row };
}

function viewsOf(update: Update, { told }: Step): View[] {
  const heard = isWhole(update) ? [update, ...told] : told;
  return heard.flatMap(({ view }) => (view?.seat == null ? [] : [view]));
}

function firstSight(view: View, seq: number): Witness {
  const shown = isDealt(view) ? shownOf(view) : null;
  return { seat: view.seat ?? 0, shown, made: [], settledAt: seq, turn: view.turn };
}

/** Whether something was missed: a whole state says where the table is, not how it got there. */
function isGap(before: Standing | null, update: Update): boolean {
  return isWhole(update) && update.seq > (before?.seq ?? -1);
}

/** An undo may have been missed: the choices of the turn that was running do not count. */
function afterGap(old: Witness, { seq }: Update): Witness {
  const made = old.made.filter(([, turn]) => turn < old.turn);
  return { ...old, made, settledAt: Math.max(seq, old.settledAt) };
}

function afterTold(old: Witness, { seq, news }: Update): Witness {
  if (news?.kind !== "undone" || news.seat !== old.seat || seq <= old.settledAt) return old;
  const earlier = old.made.filter(([made]) => made < seq);
  return { ...old, made: [...earlier.slice(0, -1), ...old.made.slice(earlier.length)], settledAt: seq };
}
