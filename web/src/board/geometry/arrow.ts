/** The shape of an arrow that a reader draws from place to place. */

import type { Point } from "./curve";

const HEAD = 15;
const HALF_HEAD = 9;
/** So far from the middle of a place an arrow begins and ends at most, so that its sign stays readable. */
const ASIDE = 28;
/** Between neighbours so much of it is seen in any case. */
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
