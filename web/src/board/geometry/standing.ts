/** Where pirates stand: up to three abreast below the sign of a space, one line for each crew in a house. */

import { countAt, crewsAt, type Pirate, type Place } from "../places";
import type { Cell, Layout } from "./layout";

/** A pirate in the picture: its feet are at (x, y). */
export interface Figure {
  crew: number;
  x: number;
  y: number;
  width: number;
}

/** A seat in a house: taken by a pirate, or still waiting for one. */
export interface Seat extends Figure {
  isTaken: boolean;
}

/** A pirate on a space; a ghost is not there yet, but would be. */
export interface Standing extends Figure {
  isGhost: boolean;
}

/** The pirates on a space, and the ghost behind them; three stand a little closer, and none hides the sign. */
export function standingOn(
  cell: Cell,
  layout: Layout,
  pirates: readonly (readonly number[])[],
  ghost: Pirate | null = null,
): Standing[] {
  const { pirateWidth: width, pirateDown } = layout.measures;
  const there = crewsAt(pirates, cell.place);
  const crews = ghost?.place === cell.place ? [...there, ghost.crew] : there;
  const apart = width * (crews.length > 2 ? 0.96 : 1.06);
  return crews.map((crew, index) => ({
    crew,
    x: cell.x + (index - (crews.length - 1) / 2) * apart,
    y: cell.y + pirateDown - cell.lift,
    width,
    isGhost: index >= there.length,
  }));
}

/** The index of a given pirate among those on a space: the first of its crew. */
export function indexOf(standing: readonly Standing[], pirate: Pirate | null, place: Place): number {
  return pirate?.place === place ? standing.findIndex(({ crew }) => crew === pirate.crew) : -1;
}

/** The sizes of a list of crews in a house. */
export interface Tally {
  x: number;
  y: number;
  /** From seat to seat, and from crew to crew. */
  gap: number;
  row: number;
  width: number;
  /** How many seats each crew has. */
  most: number;
}

/** One line of seats for each crew, with the pirates that are there. */
export function seatsIn(tally: Tally, place: Place, pirates: readonly (readonly number[])[]): Seat[] {
  return pirates.flatMap((_, crew) => {
    const there = countAt(pirates, crew, place);
    return Array.from({ length: tally.most }, (__, index) => ({
      crew,
      x: tally.x + index * tally.gap,
      y: tally.y + crew * tally.row,
      width: tally.width,
      isTaken: index < there,
    }));
  });
}
