/** The turning point of a game: the decision that cost the most. */

import type { AnalysisFound } from "../../api/messages";

export interface TurningPoint {
  /** The action of the record at which the chances changed, counted from 0. */
  step: number;
  turn: number;
  seat: number;
  cost: number;
}

/** The costliest marked decision, the latest of equals; null if no single decision decided the game. */
export function turningPointOf({ steps }: AnalysisFound): TurningPoint | null {
  const losses = steps.flatMap(({ turn, seat, decision }, first): TurningPoint[] => {
    if (decision === null || decision.cost === 0 || decision.mark === "") return [];
    return [{ step: first + decision.played.codes.length - 1, turn, seat, cost: decision.cost }];
  });
  const most = Math.max(...losses.map(({ cost }) => cost));
  return losses.findLast(({ cost }) => cost === most) ?? null;
}

/** The chances before the first action and after each, as the lines of a picture. */
export function courseOf({ before, steps }: AnalysisFound): readonly (readonly number[])[] {
  return [before, ...steps.map(({ chances }) => chances)];
}
