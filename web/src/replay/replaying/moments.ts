/** A game as the moments to step through: the deal, then one for each action. */

import type { Happening, Replay, ReplayStep, View } from "../../api/messages";
import { deedOf, passOf, type Deed } from "./deeds";

/** The table after an action, or after the deal. */
export interface Moment {
  /** 0 before the first turn. */
  turn: number;
  /** The number of the action in its turn, from 1 on; 0 for the deal. */
  action: number;
  /** What was done; null for the deal. */
  deed: Deed | null;
  happened: Happening[];
  view: View;
  /** The last action of the record that belongs to it; -1 for the deal. */
  step: number;
}

/** There is always one: the deal. */
export type Moments = [Moment, ...Moment[]];

/** The moments of a game. Ending a turn is not a moment: it belongs to the action before it. */
export function momentsOf(replay: Pick<Replay, "first" | "steps">): Moments {
  const moments: Moments = [{ turn: 0, action: 0, deed: null, happened: [], view: replay.first, step: -1 }];
  let view = replay.first;
  for (const [index, step] of replay.steps.entries()) {
    view = { ...view, ...step.changed };
    const made = momentsOfStep(step, view, index);
    for (const moment of made) moments.push({ ...moment, action: nextAction(moments, moment.turn) });
    const last = moments.at(-1);
    if (made.length === 0 && last !== undefined)
      moments[moments.length - 1] = handedOn(last, step, view, index);
  }
  return moments;
}

/** The first and last moment of each turn, by its number. */
export function turnsOf(moments: readonly Moment[]): Map<number, { first: number; last: number }> {
  const turns = new Map<number, { first: number; last: number }>();
  for (const [index, { turn }] of moments.entries()) {
    const found = turns.get(turn);
    if (found === undefined) turns.set(turn, { first: index, last: index });
    else found.last = index;
  }
  return turns;
}

function momentsOfStep(step: ReplayStep, view: View, index: number): Moment[] {
  const { turn, happened } = step;
  const made: Moment[] = [];
  const deed = deedOf(happened);
  if (deed !== null) made.push({ turn, action: 0, deed, happened, view, step: index });
  let ended = 0;
  for (const happening of happened) {
    if (happening.happening === "turn_ended") ended++;
    if (happening.happening !== "passed") continue;
    // A forced pass is reported with the action before it, but it is a turn of its own.
    made.push({
      turn: turn + ended,
      action: 0,
      deed: passOf(happening),
      happened: [happening],
      view,
      step: index,
    });
  }
  return made;
}

/** The action before an end of turn; it keeps its view unless the game ended with it. */
function handedOn(last: Moment, step: ReplayStep, view: View, index: number): Moment {
  const isOver = view.ending !== null;
  return {
    ...last,
    step: index,
    happened: [...last.happened, ...step.happened],
    view: isOver ? view : last.view,
  };
}

function nextAction(moments: readonly Moment[], turn: number): number {
  const last = moments.at(-1);
  return last !== undefined && last.turn === turn ? last.action + 1 : 1;
}
