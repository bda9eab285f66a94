/** The analysis of a game, by moment: everybody's chance to win, and the decisions worth a look. */

import type { AnalysisFound, Decision } from "../../api/messages";
import type { Moment } from "./moments";

/** A decision that began with the action of a moment. */
export interface Judged {
  moment: number;
  seat: number;
  decision: Decision;
}

export interface Chances {
  /** For each moment the chance of every seat after it, from 0 to 1. */
  after: readonly (readonly number[])[];
  /** Every decision of the game, in order. */
  judged: readonly Judged[];
  simulations: number;
}

export function chancesOf(found: AnalysisFound, moments: readonly Moment[]): Chances {
  const after = moments.map(({ step }) => found.steps[step]?.chances ?? found.before);
  const judged: Judged[] = [];
  let next = 0;
  for (const [moment, { step }] of moments.entries()) {
    for (; next <= step; next++) {
      const judgedStep = found.steps[next];
      // An end of turn that was judged stands with the action before it.
      if (judgedStep?.decision) judged.push({ moment, seat: judgedStep.seat, decision: judgedStep.decision });
    }
  }
  return { after, judged, simulations: found.simulations };
}

/** Whether a decision deserves a mark on the graph and the sheet. */
export function isMarked({ decision }: Judged): boolean {
  return decision.mark !== "";
}

/** Whether a mark is praise. */
export function isFind(mark: Decision["mark"]): boolean {
  return mark === "!";
}
