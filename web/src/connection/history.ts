/** What was told at a table so far, in order of seq and without repeats. */

import type { Happening, News, Update } from "../api/messages";

/** What an update told, for the log, the animations and the sounds. */
export interface Told {
  seq: number;
  news: News | null;
  happened: readonly Happening[];
  /** The number of the turn after it; null before the deal. */
  turn: number | null;
  /** Whether it happened before this page was opened. */
  isPast: boolean;
}

/** History with what an update told, if that is anything. */
export function withUpdate(history: readonly Told[], update: Update, isPast: boolean): readonly Told[] {
  const { seq, news = null, happened = [], view } = update;
  if (news === null && happened.length === 0) return history;
  return withTold(history, { seq, news, happened, turn: view?.turn ?? null, isPast });
}

/** History with one more entry, in order of seq and without repeats. */
export function withTold(history: readonly Told[], told: Told): readonly Told[] {
  const after = history.findLastIndex(({ seq }) => seq <= told.seq);
  if (history[after]?.seq === told.seq) return history;
  return history.toSpliced(after + 1, 0, told);
}
