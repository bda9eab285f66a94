/** What a player or spectator knows of a table, built from updates: each once, in order of seq. */

import type { Clock, Table, Update, View, Wishes } from "../api/messages";

/** A table at `seq`. There is no view before the deal, and wishes only on the player's own turn. */
export interface Standing {
  readonly seq: number;
  readonly table: Table;
  readonly view: View | null;
  readonly wishes: Wishes | null;
  /** Whether the last choice of the player's own running turn can be taken back. */
  readonly mayUndo: boolean;
  readonly clock: Clock | null;
  /** When the clock arrived here, by this browser's clock. */
  readonly clockHeard: number;
  /** Updates that came too early, ordered by seq; they wait for the ones in between. */
  readonly ahead: readonly Update[];
}

/** A new standing, the updates that became known with it, in order, and the standing after each. */
export interface Step {
  readonly standing: Standing;
  readonly told: readonly Update[];
  readonly passed: readonly Standing[];
}

/** Whether an update is a whole state, as at the beginning of a stream, rather than an event. */
export function isWhole(update: Update): boolean {
  return update.table != null && update.news == null && (update.happened ?? []).length === 0;
}

/** Whether an answer leaves everything to the stream: it says only how far the table is. */
export function isLeftToStream(update: Update): boolean {
  return Object.keys(update).length === 1;
}

/**
 * What is known after one more update, from the stream or from an answer, whichever came first.
 *
 * A known update changes nothing. One that is too early is kept until the others are here. A whole state
 * leads there at once; what lies between is then never told.
 */
export function hear(standing: Standing | null, update: Update, now: number): Step {
  // After a failover there may be less than was shown; what was kept for later is outdated too.
  if (update.anew === true) {
    const anew = whole(null, update, now);
    return { ...anew, standing: withKnown(anew.standing, standing) };
  }
  if (standing === null || isWhole(update)) return whole(standing, update, now);
  if (update.seq <= standing.seq) return { standing, told: [], passed: [] };
  return drained({ ...standing, ahead: inOrder(standing.ahead, update) }, now);
}

function whole(standing: Standing | null, update: Update, now: number): Step {
  if (standing !== null && update.seq < standing.seq) return { standing, told: [], passed: [] };
  const { seq, table, view = null, wishes = null, undo: mayUndo = false, clock = null } = update;
  if (table == null) throw new Error("a table must first be told as a whole");
  const ahead = standing?.ahead.filter((each) => each.seq > seq) ?? [];
  const told = { seq, table, view, wishes, mayUndo, clock, clockHeard: now, ahead };
  return drained(withKnown(told, standing), now);
}

/** The same once more, as at the beginning of a stream, is nothing new: what is half chosen stays chosen. */
function withKnown(told: Standing, known: Standing | null): Standing {
  return { ...told, view: sameOr(told.view, known?.view), wishes: sameOr(told.wishes, known?.wishes) };
}

function sameOr<T>(told: T, known: T | undefined): T {
  return known !== undefined && JSON.stringify(told) === JSON.stringify(known) ? known : told;
}

function inOrder(ahead: readonly Update[], update: Update): Update[] {
  const others = ahead.filter(({ seq }) => seq !== update.seq);
  return [...others, update].sort((one, other) => one.seq - other.seq);
}

/** Take in everything that is next in order. */
function drained(standing: Standing, now: number): Step {
  const told: Update[] = [];
  const passed: Standing[] = [];
  let known = standing;
  for (const update of standing.ahead) {
    if (update.seq !== known.seq + 1) break;
    known = after(known, update, now);
    told.push(update);
    passed.push(known);
  }
  return { standing: { ...known, ahead: standing.ahead.slice(told.length) }, told, passed };
}

function after(standing: Standing, update: Update, now: number): Standing {
  const { seq, view, wishes = null, undo = false, clock } = update;
  return {
    ...standing,
    seq,
    table: tableAfter(standing.table, update),
    // An update without a view is not about the game, so the choices stay as they are.
    view: view ?? standing.view,
    wishes: view ? wishes : standing.wishes,
    mayUndo: view ? undo : standing.mayUndo,
    clock: clock ?? null,
    clockHeard: now,
  };
}

function tableAfter(table: Table, { table: told, view }: Update): Table {
  if (told != null) return told;
  // A game that ended by its rules is over, even if only the view says so.
  return view?.ending == null ? table : { ...table, stage: "over", ending: view.ending, winner: view.winner };
}
