/** The layout of a board for the room there is. */

import type { Family } from "../places";
import { lowIslands, middleIslands, tallIslands, wideIslands } from "./islands";
import type { Layout, Shape } from "./layout";
import { lowTunnel, middleTunnel, tallTunnel, wideTunnel } from "./tunnel";

export type { Box, Cell, House, Layout, Leg, Measures, Shape } from "./layout";
export { floorBetween, houseOf, middleOf, walkBetween } from "./layout";
export { arrowPath } from "./arrow";
export { pathOf, type Point, type Spot } from "./curve";
export { stonePath } from "./stone";
export { indexOf, seatsIn, standingOn, type Seat, type Standing, type Tally } from "./standing";

/** The room for a board, in pixels. */
export interface Room {
  width: number;
  height: number;
}

/**
 * The least width of the board, in pixels, at which the numbers of a shape are legible; the best-looking
 * shape first. In a low window, where both would be small, the wide one may be a little smaller still.
 */
const LEGIBLE_FROM: readonly (readonly [Shape, number])[] = [
  ["wide", 840],
  ["middle", 600],
  ["wide", 770],
];

/** How wide a layout is drawn in a room, all of it in sight. */
export function widthIn(room: Room, { width, height }: Layout): number {
  return Math.min(room.width, (room.height * width) / height);
}

/** The shape for a room: a picture if it is legible, else the shape with the largest targets. */
export function shapeFor(family: Family, seats: number, room: Room): Shape {
  const widthOf = (shape: Shape): number => widthIn(room, layoutOf(family, shape, seats));
  const legible = LEGIBLE_FROM.find(([shape, least]) => widthOf(shape) >= least);
  if (legible !== undefined) return legible[0];
  const target = (shape: Shape): number => {
    const { width, measures } = layoutOf(family, shape, seats);
    return (widthOf(shape) / width) * Math.min(measures.hitWidth, measures.hitHeight);
  };
  return target("low") > target("tall") ? "low" : "tall";
}

const kept = new Map<string, Layout>();

/** The layout of a family in a shape; computed once and kept. */
export function layoutOf(family: Family, shape: Shape, seats: number): Layout {
  const key = `${family} ${shape} ${seats > 4 ? "crowded" : "roomy"}`;
  const layout = kept.get(key) ?? drawnUp(family, shape, seats);
  kept.set(key, layout);
  return layout;
}

function drawnUp(family: Family, shape: Shape, seats: number): Layout {
  const shapes = {
    escape: { wide: wideTunnel, middle: middleTunnel, low: lowTunnel, tall: () => tallTunnel(seats) },
    nest: { wide: wideIslands, middle: middleIslands, low: lowIslands, tall: tallIslands },
  };
  return shapes[family][shape]();
}
