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

/** Below this width the names stand under the graph instead of beside the cursor. */
export const NARROW = 560;
const LABEL_GAP = 18;

export function plotFor(width: number, moments: number): Plot {
  const isNarrow = width < NARROW;
  return {
    width,
    height: isNarrow ? 150 : 144,
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

/** Heights for the labels beside the cursor, by seat: near their lines, without overlaps. */
export function labelHeights(plot: Plot, now: readonly number[]): number[] {
  const floor = plot.height - plot.bottom;
  const labels = now.map((chance, seat) => ({ seat, y: yOf(plot, chance) }));
  labels.sort((one, other) => one.y - other.y);
  // From the top down each keeps its distance; labels below the floor are then pushed up again.
  let least = 0;
  for (const label of labels) {
    label.y = Math.max(label.y, least);
    least = label.y + LABEL_GAP;
  }
  let most = floor;
  for (const label of labels.reverse()) {
    label.y = Math.min(label.y, most);
    most = label.y - LABEL_GAP;
  }
  return labels.sort((one, other) => one.seat - other.seat).map(({ y }) => y);
}
