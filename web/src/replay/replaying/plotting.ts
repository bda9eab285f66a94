/** Where the lines of the win-chance graph run, in pixels of a given width. */

/** The size of a graph and the room around its lines. */
export interface Plot {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** How many moments the graph shows. */
  moments: number;
}

export function plotFor(width: number, moments: number): Plot {
  return {
    width,
    height: 116,
    left: 44,
    right: 12,
    top: 26,
    bottom: 8,
    moments,
  };
}

export function xOf({ width, left, right, moments }: Plot, moment: number): number {
  return left + ((width - left - right) * moment) / Math.max(1, moments - 1);
}

export function yOf({ height, top, bottom }: Plot, chance: number): number {
  return top + (height - top - bottom) * (1 - chance);
}

/** The moment nearest to a distance from the left edge. */
export function momentUnder({ width, left, right, moments }: Plot, x: number): number {
  const part = (x - left) / Math.max(1, width - left - right);
  return Math.round(Math.min(1, Math.max(0, part)) * (moments - 1));
}

/** The line of one seat as a path. */
export function lineOf(plot: Plot, after: readonly (readonly number[])[], seat: number): string {
  const points = after.map((chances, moment) => {
    const y = yOf(plot, chances[seat] ?? 0);
    return `${xOf(plot, moment).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}
