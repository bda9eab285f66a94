/** An action in the address of a page: `#t20.2` is the second action of turn 20. */

import type { Moment } from "./moments";

/** How an address names a moment. */
export function hashOf({ turn, action }: Moment): string {
  return turn === 0 ? "#t0" : `#t${turn}.${action}`;
}

/** The moment that an address names, or the nearest one before it; null if the address names none. */
export function momentAt(hash: string, moments: readonly Moment[]): number | null {
  const found = /^#t(\d+)(?:\.(\d+))?$/.exec(hash);
  if (found === null) return null;
  const [turn, action] = [Number(found[1]), Number(found[2] ?? 1)];
  const isAfter = (moment: Moment): boolean =>
    moment.turn > turn || (moment.turn === turn && moment.action > action);
  const after = moments.findIndex(isAfter);
  return after < 0 ? moments.length - 1 : Math.max(0, after - 1);
}
