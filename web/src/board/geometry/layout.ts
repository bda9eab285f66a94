/** Where everything on a board is: one interface for the tunnel and the islands in every shape. */

import { HOME, NEST_SLOOP, START, type Family, type Place } from "../places";
import type { Curve, Point } from "./curve";

/** How a board is laid out: for a large screen, one in between, a phone that lies on its side, or one held upright. */
export type Shape = "wide" | "middle" | "low" | "tall";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A place that is not a space: a building or boat in the picture, or a strip across it with words. */
export interface House extends Box {
  place: Place;
  isStrip: boolean;
}

/** A space: its middle, and how much higher its pirates stand if another space is close below. */
export interface Cell extends Point {
  place: Place;
  lift: number;
}

/** The sizes of what is drawn on each space, in units of the picture. */
export interface Measures {
  stoneWidth: number;
  stoneHeight: number;
  /** How far above the middle of its space the stone is drawn. */
  stoneUp: number;
  signSize: number;
  signRight: number;
  signUp: number;
  pirateWidth: number;
  /** How far below the middle of their space pirates stand. */
  pirateDown: number;
  floorWidth: number;
  hitWidth: number;
  hitHeight: number;
  /** How far the floor extends before the first and after the last space. */
  before: number;
  after: number;
}

/** An unbroken piece of the way: its spaces lie at these distances along the curve. */
export interface Leg {
  first: Place;
  last: Place;
  curve: Curve;
  distances: readonly number[];
}

export interface Layout {
  family: Family;
  shape: Shape;
  width: number;
  height: number;
  measures: Measures;
  cells: readonly Cell[];
  houses: readonly House[];
  legs: readonly Leg[];
}

export function houseOf(layout: Layout, place: Place): House | undefined {
  return layout.houses.find((house) => house.place === place);
}

/** The middle of any place, where a travelling pirate stops. */
export function middleOf(layout: Layout, place: Place): Point {
  const cell = layout.cells.find((each) => each.place === place);
  if (cell !== undefined) return cell;
  const house = houseOf(layout, place);
  if (house === undefined) return { x: 0, y: 0 };
  return { x: house.x + house.width / 2, y: house.y + house.height / 2 };
}

/** The lit floor between two places: the points along the middle of each leg. */
export function floorBetween(layout: Layout, from: Place, to: Place): Point[][] {
  const [low, high] = from < to ? [from, to] : [to, from];
  const pieces = layout.legs.flatMap((leg) => {
    if (low > leg.last || high < leg.first) return [];
    const start = distanceOf(leg, Math.max(low, leg.first)) - (low < leg.first ? layout.measures.before : 0);
    const end = distanceOf(leg, Math.min(high, leg.last)) + (high > leg.last ? layout.measures.after : 0);
    return [leg.curve.points(start, end)];
  });
  return from < to ? pieces : pieces.map((piece) => piece.reverse()).reverse();
}

/** The way of a pirate from one place to another, houses included. */
export function walkBetween(layout: Layout, from: Place, to: Place): Point[] {
  if (from > to) return walkBetween(layout, to, from).reverse();
  const passed = layout.legs.flatMap((leg) => {
    const [first, last] = [Math.max(from, leg.first), Math.min(to, leg.last)];
    const points = first > last ? [] : leg.curve.points(distanceOf(leg, first), distanceOf(leg, last));
    // The sloop of the Nest lies between two legs.
    const throughSloop = from <= NEST_SLOOP && to >= NEST_SLOOP && leg.last === NEST_SLOOP - 1;
    return throughSloop ? [...points, middleOf(layout, NEST_SLOOP)] : points;
  });
  return [
    ...(from === START ? [middleOf(layout, START)] : []),
    ...passed,
    ...(to === HOME ? [middleOf(layout, HOME)] : []),
  ];
}

function distanceOf(leg: Leg, place: Place): number {
  return leg.distances[place - leg.first] ?? 0;
}

/** A leg whose spaces lie at equal distances along its curve. */
export function evenLeg(curve: Curve, first: Place, last: Place): Leg {
  const pitch = curve.length / (last - first);
  return {
    first,
    last,
    curve,
    distances: Array.from({ length: last - first + 1 }, (_, index) => index * pitch),
  };
}

/** The spaces of all legs; where one lies close below another, the pirates of the upper one stand higher. */
export function cellsOf(legs: readonly Leg[], lift: number): Cell[] {
  const cells = legs.flatMap(({ first, curve, distances }) =>
    distances.map((distance, index) => {
      const { x, y } = curve.at(distance);
      return { place: first + index, x, y, lift: 0 };
    }),
  );
  return cells.map((cell) => ({
    ...cell,
    lift: cells.some((other) => isCloseBelow(other, cell)) ? lift : 0,
  }));
}

function isCloseBelow(other: Cell, cell: Cell): boolean {
  return Math.abs(other.x - cell.x) < 46 && other.y - cell.y > 40 && other.y - cell.y < 86;
}
