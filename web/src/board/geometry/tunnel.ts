/** The tunnel of Cartagena: fort, 36 spaces and sloop, in four shapes. */

import { HOME, START } from "../places";
import { curveThrough, wavyCurve } from "./curve";
import { cellsOf, evenLeg, type Layout, type Measures } from "./layout";

const LAST = HOME - 1;
const LIFT = 7;

const LARGE: Measures = {
  stoneWidth: 66,
  stoneHeight: 59,
  stoneUp: 5,
  signSize: 35,
  signRight: 5,
  signUp: 8,
  pirateWidth: 23.5,
  pirateDown: 40,
  floorWidth: 90,
  hitWidth: 72,
  hitHeight: 80,
  before: 50,
  after: 46,
};

/** Two bends: the fort at the top left, the sloop at the bottom right. */
export function wideTunnel(): Layout {
  const curve = wavyCurve(
    [
      { y: 112, from: 236, to: 904 },
      { y: 276, from: 904, to: 140 },
      { y: 440, from: 140, to: 764 },
    ],
    8,
    318,
  );
  const legs = [evenLeg(curve, 1, LAST)];
  return {
    family: "escape",
    shape: "wide",
    width: 1048,
    height: 552,
    measures: LARGE,
    cells: cellsOf(legs, LIFT),
    houses: [
      { place: START, x: 22, y: 24, width: 164, height: 176, isStrip: false },
      { place: HOME, x: 830, y: 310, width: 200, height: 220, isStrip: false },
    ],
    legs,
  };
}

/** Three bends, so that numbers stay legible on a tablet: the sloop at the bottom left. */
export function middleTunnel(): Layout {
  const curve = wavyCurve(
    [
      { y: 112, from: 236, to: 695 },
      { y: 262, from: 695, to: 145 },
      { y: 412, from: 145, to: 675 },
      { y: 602, from: 675, to: 330 },
    ],
    7,
    318,
  );
  const legs = [evenLeg(curve, 1, LAST)];
  return {
    family: "escape",
    shape: "middle",
    width: 840,
    height: 728,
    measures: LARGE,
    cells: cellsOf(legs, LIFT),
    houses: [
      { place: START, x: 22, y: 24, width: 164, height: 160, isStrip: false },
      { place: HOME, x: 22, y: 484, width: 214, height: 214, isStrip: false },
    ],
    legs,
  };
}

const STRIP = 47;
const COLUMNS = 6;
const COLUMN = 61.5;

/** Six rows of six between two strips: each row is a segment. Five crews leave a little less room for it. */
export function tallTunnel(seats: number): Layout {
  const row = seats > 4 ? 65 : 70;
  const points = Array.from({ length: LAST }, (_, index) => {
    const [line, column] = [Math.floor(index / COLUMNS), index % COLUMNS];
    return {
      x: 33.5 + (line % 2 === 0 ? column : COLUMNS - 1 - column) * COLUMN,
      y: STRIP + 35 + line * row,
    };
  });
  const curve = curveThrough(points);
  const distances = points.map((_, index) => {
    const turns = Math.floor(index / COLUMNS);
    return (index - turns) * COLUMN + turns * row;
  });
  const legs = [{ first: 1, last: LAST, curve, distances }];
  const height = 2 * STRIP + 71 + row * 5;
  return {
    family: "escape",
    shape: "tall",
    width: 375,
    height,
    measures: {
      stoneWidth: 56,
      stoneHeight: 53,
      stoneUp: 4,
      signSize: 28,
      signRight: 5,
      signUp: 7,
      pirateWidth: 18.5,
      pirateDown: 32,
      // A wall is left between two rows.
      floorWidth: row - 7,
      hitWidth: 61,
      hitHeight: row - 4,
      before: 30,
      after: 30,
    },
    cells: cellsOf(legs, 0),
    houses: [
      { place: START, x: 0, y: 0, width: 375, height: STRIP, isStrip: true },
      { place: HOME, x: 0, y: height - STRIP, width: 375, height: STRIP, isStrip: true },
    ],
    legs,
  };
}

/** Four rows of nine, as high as a phone on its side; fort and sloop stand one above the other at the left. */
const LOW = { house: 66, columns: 9, column: 52.1, left: 104, row: 89 };

export function lowTunnel(): Layout {
  const { house, columns, column, left, row } = LOW;
  const points = Array.from({ length: LAST }, (_, index) => {
    const [line, place] = [Math.floor(index / columns), index % columns];
    return { x: left + (line % 2 === 0 ? place : columns - 1 - place) * column, y: row * (line + 0.5) };
  });
  const distances = points.map((_, index) => {
    const turns = Math.floor(index / columns);
    return (index - turns) * column + turns * row;
  });
  const legs = [{ first: 1, last: LAST, curve: curveThrough(points), distances }];
  return {
    family: "escape",
    shape: "low",
    width: 560,
    height: 4 * row,
    measures: {
      stoneWidth: 48,
      stoneHeight: 60,
      stoneUp: 8,
      signSize: 30,
      signRight: 2,
      signUp: -4,
      pirateWidth: 16.4,
      pirateDown: 39,
      floorWidth: 70,
      hitWidth: 52,
      hitHeight: 85,
      before: 38,
      after: 38,
    },
    cells: cellsOf(legs, 0),
    houses: [
      { place: START, x: 0, y: 0, width: house, height: 2 * row, isStrip: true },
      { place: HOME, x: 0, y: 2 * row, width: house, height: 2 * row, isStrip: true },
    ],
    legs,
  };
}
