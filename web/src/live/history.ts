/** What was told at a table so far, in the order of seq and each thing once. */

import type { Happening, News } from "../api/messages";

/** What an update told, for the log, the animations and the sounds. */
export interface Told {
  seq: number;
  news: News | null;
  happened: readonly Happening[];
  /** The number of the turn after it; null before the deal. */
  turn: number | null;
  /** Whether it came to pass before this page was opened. */
  isPast: boolean;
}

/** History with one more thing told, in the order of seq and each once. */
export function withTold(history: readonly Told[], told: Told): readonly Told[] {
  const after = history.findLastIndex(({ seq }) => seq <= told.seq);
  if (history[after]?.seq === told.seq) return history;
  return history.toSpliced(after + 1, 0, told);
}
