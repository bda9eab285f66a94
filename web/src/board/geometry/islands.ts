/** The two islands of The Pirate's Nest: landing, 14 spaces, the sloop in the strait, 21 spaces, the nest. */

import { HOME, NEST_SLOOP, START } from "../places";
import { curveThrough, wavyCurve, type Point } from "./curve";
import { cellsOf, evenLeg, type Layout, type Leg, type Measures } from "./layout";

const FIRST_OF_TWO = NEST_SLOOP + 1;
const LAST_OF_ONE = NEST_SLOOP - 1;

/** The islands side by side, the strait between them. */
export function wideIslands(): Layout {
  const one = wavyCurve(
    [
      { y: 112, from: 176, to: 282 },
      { y: 276, from: 282, to: 150 },
      { y: 440, from: 150, to: 306 },
    ],
    5,
    260,
  );
  const two = wavyCurve(
    [
      { y: 440, from: 624, to: 904 },
      { y: 276, from: 904, to: 628 },
      { y: 112, from: 628, to: 882 },
    ],
    6,
    300,
  );
  const legs = [evenLeg(one, 1, LAST_OF_ONE), evenLeg(two, FIRST_OF_TWO, HOME - 1)];
  return {
    family: "nest",
    shape: "wide",
    width: 1048,
    height: 552,
    measures: {
      stoneWidth: 61,
      stoneHeight: 57,
      stoneUp: 5,
      signSize: 34,
      signRight: 5,
      signUp: 8,
      pirateWidth: 22.5,
      pirateDown: 40,
      floorWidth: 84,
      hitWidth: 70,
      hitHeight: 76,
      before: 44,
      after: 42,
    },
    cells: cellsOf(legs, 9),
    houses: [
      { place: START, x: 22, y: 28, width: 106, height: 162, isStrip: false },
      { place: NEST_SLOOP, x: 366, y: 306, width: 208, height: 190, isStrip: false },
      { place: HOME, x: 926, y: 28, width: 114, height: 160, isStrip: false },
    ],
    legs,
  };
}

/** The sizes of islands that lie one above the other. */
interface Stack {
  width: number;
  column: number;
  row: number;
  strip: number;
  strait: number;
  measures: Measures;
}

const TALL: Stack = {
  width: 375,
  column: 52.6,
  row: 66,
  strip: 46,
  strait: 62,
  measures: {
    stoneWidth: 48.5,
    stoneHeight: 50,
    stoneUp: 4,
    signSize: 23.5,
    signRight: 7.5,
    signUp: 6,
    pirateWidth: 16.4,
    pirateDown: 31,
    floorWidth: 58,
    hitWidth: 52,
    hitHeight: 62,
    before: 26,
    after: 26,
  },
};

const MIDDLE: Stack = {
  width: 760,
  column: 104,
  row: 94,
  strip: 54,
  strait: 80,
  measures: {
    stoneWidth: 70,
    stoneHeight: 59,
    stoneUp: 5,
    signSize: 35,
    signRight: 5,
    signUp: 8,
    pirateWidth: 23.5,
    pirateDown: 40,
    floorWidth: 80,
    hitWidth: 96,
    hitHeight: 84,
    before: 40,
    after: 40,
  },
};

/** For a phone: rows of seven, each a segment, the strait as a strip between them. */
export const tallIslands = (): Layout => stacked(TALL, "tall");

/** Like `tallIslands` with more space, for a tablet. */
export const middleIslands = (): Layout => stacked(MIDDLE, "middle");

function stacked(stack: Stack, shape: "middle" | "tall"): Layout {
  const { width, row, strip, strait, measures } = stack;
  const straitTop = strip + 2 * row + 8;
  const bottom = straitTop + strait + 3 * row + 8;
  const legs = [
    rows(stack, { first: 1, last: LAST_OF_ONE, top: strip }),
    rows(stack, { first: FIRST_OF_TWO, last: HOME - 1, top: straitTop + strait }),
  ];
  return {
    family: "nest",
    shape,
    width,
    height: bottom + strip,
    measures,
    cells: cellsOf(legs, 0),
    houses: [
      { place: START, x: 0, y: 0, width, height: strip, isStrip: true },
      { place: NEST_SLOOP, x: 0, y: straitTop, width, height: strait, isStrip: true },
      { place: HOME, x: 0, y: bottom, width, height: strip, isStrip: true },
    ],
    legs,
  };
}

const COLUMNS = 7;

/** Rows of seven that turn at their ends. */
function rows(stack: Stack, { first, last, top }: { first: number; last: number; top: number }): Leg {
  const { width, column, row } = stack;
  const left = (width - column * (COLUMNS - 1)) / 2;
  const points = Array.from({ length: last - first + 1 }, (_, index): Point => {
    const [line, place] = [Math.floor(index / COLUMNS), index % COLUMNS];
    return {
      x: left + (line % 2 === 0 ? place : COLUMNS - 1 - place) * column,
      y: top + row / 2 + line * row,
    };
  });
  const distances = points.map((_, index) => {
    const turns = Math.floor(index / COLUMNS);
    return (index - turns) * column + turns * row;
  });
  return { first, last, curve: curveThrough(points), distances };
}

/** Columns of four that turn at their ends, for a phone on its side: landing and nest fill what is left of them. */
const LOW = { margin: 4, column: 47.8, row: 89, rows: 4, strait: 70 };

const LOW_MEASURES: Measures = {
  stoneWidth: 43.5,
  stoneHeight: 60,
  stoneUp: 8,
  signSize: 26,
  signRight: 2,
  signUp: -5,
  pirateWidth: 14.6,
  pirateDown: 39,
  floorWidth: 40,
  hitWidth: 47.8,
  hitHeight: 85,
  before: 40,
  after: 20,
};

/** The islands side by side with the strait as an upright strip between them. */
export function lowIslands(): Layout {
  const { margin, column, row, rows: lines, strait } = LOW;
  const straitLeft = margin + 4 * column;
  const twoLeft = straitLeft + strait;
  const legs = [
    columns({ first: 1, last: LAST_OF_ONE, left: margin, skipped: 2 }),
    columns({ first: FIRST_OF_TWO, last: HOME - 1, left: twoLeft, skipped: 0 }),
  ];
  return {
    family: "nest",
    shape: "low",
    width: twoLeft + 6 * column + margin,
    height: lines * row,
    measures: LOW_MEASURES,
    cells: cellsOf(legs, 0),
    houses: [
      { place: START, x: 0, y: 0, width: margin + column, height: 2 * row, isStrip: true },
      { place: NEST_SLOOP, x: straitLeft + 2, y: 0, width: strait - 4, height: lines * row, isStrip: true },
      { place: HOME, x: twoLeft + 5 * column, y: 0, width: column + margin, height: 3 * row, isStrip: true },
    ],
    legs,
  };
}

/** Columns that go down and up in turn; the first of them leaves out its upper places. */
function columns({ first, last, left, skipped }: Record<"first" | "last" | "left" | "skipped", number>): Leg {
  const { column, row, rows: lines } = LOW;
  const points = Array.from({ length: last - first + 1 }, (_, index): Point => {
    const [line, place] = [Math.floor((index + skipped) / lines), (index + skipped) % lines];
    return {
      x: left + column * (line + 0.5),
      y: row * ((line % 2 === 0 ? place : lines - 1 - place) + 0.5),
    };
  });
  const distances = points.map((_, index) => {
    const turns = Math.floor((index + skipped) / lines);
    return (index - turns) * row + turns * column;
  });
  return { first, last, curve: curveThrough(points), distances };
}
