/** The outline of a flagstone: every space has a different one, which never changes. */

import type { Point } from "./curve";

const CORNERS: readonly (readonly [number, number])[] = [
  [-0.5, -0.28],
  [-0.3, -0.5],
  [0.3, -0.5],
  [0.5, -0.26],
  [0.5, 0.28],
  [0.28, 0.5],
  [-0.3, 0.5],
  [-0.5, 0.26],
];

/** The `d` of a stone around the origin. */
export function stonePath(place: number, width: number, height: number): string {
  const corners = CORNERS.map(([x, y], index) => ({
    x: (x + (chance(place * 9 + index) - 0.5) * 0.07) * width,
    y: (y + (chance(place * 9 + index + 50) - 0.5) * 0.08) * height,
  }));
  const middles = corners.map((corner, index) =>
    middle(corner, corners[(index + 1) % corners.length] ?? corner),
  );
  const sides = corners.map((corner, index) =>
    index === 0 ? "" : `Q${text(corner)} ${text(middles[index])}`,
  );
  return `M${text(middles[0])}${sides.join("")}Q${text(corners[0])} ${text(middles[0])}Z`;
}

/** A pseudo-random number from 0 to 1, equal for everyone. */
function chance(seed: number): number {
  const value = Math.sin(seed * 127.1 + 11.7) * 43758.5453;
  return value - Math.floor(value);
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function text(point: Point | undefined): string {
  return point === undefined ? "" : `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
}
