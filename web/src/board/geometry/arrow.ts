/** The shape of an arrow that a reader draws from place to place. */

import type { Point } from "./curve";

const HEAD = 15;
const HALF_HEAD = 9;
/** How far an arrow stays from the middle of a place at most, so that the sign stays readable. */
const ASIDE = 28;
/** The least length of an arrow that stays visible between neighbours. */
const SHORTEST = 26;

/** A shaft with a head, as an SVG path. */
export function arrowPath(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const aside = Math.max(0, Math.min(ASIDE, (length - SHORTEST) / 2));
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const on = (along: number, across: number): string =>
    `${(from.x + dx * along - dy * across).toFixed(1)} ${(from.y + dy * along + dx * across).toFixed(1)}`;
  const tip = length - aside;
  const neck = tip - HEAD;
  return `M${on(aside, 0)}L${on(tip, 0)}M${on(neck, HALF_HEAD)}L${on(tip, 0)}L${on(neck, -HALF_HEAD)}`;
}
