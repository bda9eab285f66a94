/** The layout of a board for the room there is. */

import type { Family } from "../places";
import { middleIslands, tallIslands, wideIslands } from "./islands";
import type { Layout, Shape } from "./layout";
import { middleTunnel, tallTunnel, wideTunnel } from "./tunnel";

export type { Box, Cell, House, Layout, Leg, Measures, Shape } from "./layout";
export { floorBetween, houseOf, middleOf, walkBetween } from "./layout";
export { arrowPath } from "./arrow";
export { pathOf, type Point, type Spot } from "./curve";
export { stonePath } from "./stone";
export { indexOf, seatsIn, standingOn, type Seat, type Standing, type Tally } from "./standing";

/** From this width of the board on, in pixels, the numbers of a shape stay legible. */
const WIDE_FROM = 840;
const MIDDLE_FROM = 600;

/** The shape for a board of so many pixels across. */
export function shapeFor(pixels: number): Shape {
  if (pixels >= WIDE_FROM) return "wide";
  return pixels >= MIDDLE_FROM ? "middle" : "tall";
}

const kept = new Map<string, Layout>();

/** The layout of a family in a shape; drawn up once and kept. */
export function layoutOf(family: Family, shape: Shape, seats: number): Layout {
  const key = `${family} ${shape} ${seats > 4 ? "crowded" : "roomy"}`;
  const layout = kept.get(key) ?? drawnUp(family, shape, seats);
  kept.set(key, layout);
  return layout;
}

function drawnUp(family: Family, shape: Shape, seats: number): Layout {
  const shapes = {
    escape: { wide: wideTunnel, middle: middleTunnel, tall: () => tallTunnel(seats) },
    nest: { wide: wideIslands, middle: middleIslands, tall: tallIslands },
  };
  return shapes[family][shape]();
}
