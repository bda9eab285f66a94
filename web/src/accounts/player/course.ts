/** The course of a rating as a graph shows it. No browser here. */

import { lineOf, yOf, type Plot } from "../../replay/replaying/plotting";

/** The ratings from the bottom to the top of a graph, and those written beside it. */
export interface Axis {
  low: number;
  high: number;
  levels: readonly number[];
}

const STEPS = [10, 20, 50, 100, 200, 500, 1000] as const;
const MOST_LEVELS = 5;
const COARSEST = 2000;

/** The ratings in order, up to now: games hidden from the reader have no point, but they count. */
export function ratingsOf(points: readonly { rating: number }[], now: number): number[] {
  const ratings = points.map(({ rating }) => rating);
  return ratings.at(-1) === now ? ratings : [...ratings, now];
}

/** An axis of round numbers around these ratings. */
export function axisOf(ratings: readonly number[]): Axis {
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const step = STEPS.find((each) => levelsBetween(least, most, each).length <= MOST_LEVELS) ?? COARSEST;
  const levels = levelsBetween(least, most, step);
  return { low: levels[0] ?? least, high: levels.at(-1) ?? most, levels };
}

/** How high a rating stands in the graph, in pixels from its top. */
export function heightOf(plot: Plot, axis: Axis, rating: number): number {
  return yOf(plot, shareOf(axis, rating));
}

/** The line of a rating as a path. */
export function ratingLine(plot: Plot, axis: Axis, ratings: readonly number[]): string {
  return lineOf(
    plot,
    ratings.map((rating) => [shareOf(axis, rating)]),
    0,
  );
}

function shareOf({ low, high }: Axis, rating: number): number {
  return (rating - low) / (high - low);
}

/** The multiples of a step from below the lowest to above the highest rating, at least two. */
function levelsBetween(least: number, most: number, step: number): number[] {
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
