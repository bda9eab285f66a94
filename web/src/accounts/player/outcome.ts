/** The outcome of a game for the player whose games are shown. No browser here. */

import type { Result } from "../messages";

export const OUTCOMES = ["won", "lost", "none"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Whether a word is an outcome. */
export function isOutcome(word: string | undefined): word is Outcome {
  return OUTCOMES.some((outcome) => outcome === word);
}

/** Whether the player won; a game without a winner has no outcome. */
export function outcomeOf({ winner, seat }: Pick<Result, "winner" | "seat">): Outcome {
  if (winner === null) return "none";
  return winner === seat ? "won" : "lost";
}

/** What a game did to a rating, with its sign: "+12", "−8". */
export function changeText({ before, after }: { before: number; after: number }): string {
  const change = after - before;
  return change < 0 ? `−${-change}` : `+${change}`;
}
