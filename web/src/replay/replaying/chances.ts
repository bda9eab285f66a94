/** The analysis of a game by moment: each seat's chance to win, and the decisions worth a look. */

import type { AnalysisFound, Decision } from "../../api/messages";
import type { Moment } from "./moments";

/** A decision and where it stands in the game. */
export interface Judged {
  /** The moments of its first and of its last action; the chances changed with the last. */
  first: number;
  moment: number;
  /** How many actions of the record were played before it. */
  step: number;
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
  // A judged end of turn belongs to the action before it.
  const momentOf = (step: number): number => moments.findIndex((moment) => moment.step >= step);
  const judged = found.steps.flatMap(({ seat, decision }, step): Judged[] => {
    const last = step + Math.max(1, decision?.played.codes.length ?? 1) - 1;
    return decision === null ? [] : [{ first: momentOf(step), moment: momentOf(last), step, seat, decision }];
  });
  return { after, judged, simulations: found.simulations };
}

/** The nearest losing decision before or after a moment; null if there is none. */
export function mistakeFrom({ judged }: Chances, moment: number, way: "before" | "after"): number | null {
  const firsts = judged.filter(({ decision }) => isLoss(decision.mark)).map(({ first }) => first);
  const found =
    way === "before" ? firsts.findLast((first) => first < moment) : firsts.find((first) => first > moment);
  return found ?? null;
}

/** Whether a decision deserves a mark on the graph and the sheet. */
export function isMarked({ decision }: Judged): boolean {
  return decision.mark !== "";
}

function isLoss(mark: Decision["mark"]): boolean {
  return mark !== "" && !isFind(mark);
}

/** Whether a mark is praise. */
export function isFind(mark: Decision["mark"]): boolean {
  return mark === "!";
}
