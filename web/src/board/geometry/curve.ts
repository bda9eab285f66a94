/** A line through points that can be walked by its length: the middle of the tunnel, a trail on an island. */

export interface Point {
  x: number;
  y: number;
}

/** A point of a curve and the direction of the curve there. */
export interface Spot extends Point {
  dx: number;
  dy: number;
}

export interface Curve {
  length: number;
  at(distance: number): Spot;
  /** Points from one distance to another, close enough to be drawn as a line. */
  points(from: number, to: number): Point[];
}

/** A straight run at one height; runs are joined by half circles. */
export interface Run {
  y: number;
  from: number;
  to: number;
}

const STEP = 6;
const STRAIGHT_STEP = 5;
const BEND_STEPS = 28;
/** How far from its ends a curve has its full wave. */
const FADE = 120;

/** A curve through runs and bends, with a slight wave across it. */
export function wavyCurve(runs: readonly Run[], wave: number, waveLength: number): Curve {
  const base = runs.flatMap((run, index) => [...straight(run), ...bend(run, runs[index + 1])]);
  const distances = distancesOf(base);
  const total = distances.at(-1) ?? 0;
  const waved = base.map((point, index) => {
    const distance = distances[index] ?? 0;
    const fade = Math.min(1, distance / FADE, (total - distance) / FADE);
    return across(base, index, wave * Math.sin((2 * Math.PI * distance) / waveLength) * fade);
  });
  return curveThrough(waved);
}

/** A curve of straight lines between points. */
export function curveThrough(points: readonly Point[]): Curve {
  const distances = distancesOf(points);
  const length = distances.at(-1) ?? 0;
  const at = (distance: number): Spot => spotAt(points, distances, Math.max(0, Math.min(length, distance)));
  return {
    length,
    at,
    points(from, to) {
      const step = to > from ? STEP : -STEP;
      const walked: Point[] = [];
      for (let distance = from; step > 0 ? distance < to : distance > to; distance += step)
        walked.push(at(distance));
      return [...walked, at(to)];
    },
  };
}

/** Points as the `d` of an SVG path. */
export function pathOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("");
}

function straight({ y, from, to }: Run): Point[] {
  const steps = Math.ceil(Math.abs(to - from) / STRAIGHT_STEP);
  return Array.from({ length: steps + 1 }, (_, step) => ({ x: from + ((to - from) * step) / steps, y }));
}

function bend(run: Run, next: Run | undefined): Point[] {
  if (next === undefined) return [];
  const radius = (next.y - run.y) / 2;
  const side = Math.sign(run.to - run.from) * Math.abs(radius);
  return Array.from({ length: BEND_STEPS - 1 }, (_, step) => {
    const angle = (Math.PI * (step + 1)) / BEND_STEPS;
    return { x: run.to + side * Math.sin(angle), y: run.y + radius - radius * Math.cos(angle) };
  });
}

/** A point of a line, moved sideways by `aside`. */
function across(line: readonly Point[], index: number, aside: number): Point {
  const point = line[index] ?? { x: 0, y: 0 };
  const before = line[Math.max(index - 1, 0)] ?? point;
  const after = line[Math.min(index + 1, line.length - 1)] ?? point;
  const size = Math.hypot(after.x - before.x, after.y - before.y) || 1;
  return {
    x: point.x - (aside * (after.y - before.y)) / size,
    y: point.y + (aside * (after.x - before.x)) / size,
  };
}

function distancesOf(points: readonly Point[]): number[] {
  let walked = 0;
  return points.map((point, index) => {
    const before = points[index - 1] ?? point;
    return (walked += Math.hypot(point.x - before.x, point.y - before.y));
  });
}

function spotAt(points: readonly Point[], distances: readonly number[], distance: number): Spot {
  const found = distances.findIndex((each, index) => index > 0 && each >= distance);
  const index = found < 0 ? points.length - 1 : found;
  const [before, after] = [points[index - 1] ?? points[0], points[index]];
  if (before === undefined || after === undefined) return { x: 0, y: 0, dx: 1, dy: 0 };
  const start = distances[index - 1] ?? 0;
  const size = (distances[index] ?? 0) - start || 1;
  const part = (distance - start) / size;
  return {
    x: before.x + (after.x - before.x) * part,
    y: before.y + (after.y - before.y) * part,
    dx: (after.x - before.x) / size,
    dy: (after.y - before.y) / size,
  };
}
