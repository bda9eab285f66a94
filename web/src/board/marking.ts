/** The marks of others' moves: from where to where, in the colour of the seat that moved, numbered as its actions. */

import { houseOf, middleOf, type House, type Layout, type Point } from "./geometry";
import { HOME, type Place } from "./places";

export interface Mark {
  seat: number;
  /** The number of the action in its turn, from 1. */
  number: number;
  from: Place;
  to: Place;
}

/** One end of a marked move. */
export interface MarkEnd {
  seat: number;
  number: number;
  place: Place;
  /** Whether the move began here. */
  isStart: boolean;
}

/** The end of a marked move in the picture: the middle of its label. */
export type DrawnMark = MarkEnd & Point;

export interface Size {
  width: number;
  height: number;
}

/** Where the first label of a place is, how many fit in a row, and in which direction they continue. */
interface Labels extends Point {
  perRow: number;
  right: 1 | -1;
  down: 1 | -1;
}

const GAP = 1;

/** The size of a label whose figures have this height. */
export function labelSize(numeral: number): Size {
  return { width: 2 * numeral, height: 1.25 * numeral };
}

/** The ends of marked moves on a place, in the order of the moves. */
export function endsAt(marks: readonly Mark[], place: Place): MarkEnd[] {
  return marks.flatMap(({ seat, number, from, to }) => [
    ...(from === place ? [{ seat, number, place, isStart: true }] : []),
    ...(to === place ? [{ seat, number, place, isStart: false }] : []),
  ]);
}

/** Where the labels of all marks are drawn; none covers another. */
export function drawnMarks(marks: readonly Mark[], layout: Layout, size: Size): DrawnMark[] {
  const places = [...new Set(marks.flatMap(({ from, to }) => [from, to]))];
  return places.flatMap((place) => {
    const { x, y, perRow, right, down } = labelsAt(layout, place, size);
    return endsAt(marks, place).map((end, index) => ({
      ...end,
      x: x + right * (index % perRow) * (size.width + GAP),
      y: y + down * Math.floor(index / perRow) * (size.height + GAP),
    }));
  });
}

function labelsAt(layout: Layout, place: Place, size: Size): Labels {
  const house = houseOf(layout, place);
  return house === undefined ? onSpace(layout, place, size) : onHouse(house, size);
}

/** On the upper edge of the stone, from its right corner: number, sign and pirates stay visible. */
function onSpace(layout: Layout, place: Place, { width }: Size): Labels {
  const { x, y } = middleOf(layout, place);
  const { stoneWidth, stoneHeight, stoneUp } = layout.measures;
  const right = Math.min(x + stoneWidth / 2 + 5, layout.width - 2);
  return { x: right - width / 2, y: y - stoneUp - stoneHeight / 2, perRow: 2, right: -1, down: -1 };
}

/** Along the edge of a strip that faces the spaces; otherwise along the lower edge of the house. */
function onHouse({ x, y, width, height, place, isStrip }: House, size: Size): Labels {
  const perRow = Math.max(1, Math.floor(width / (size.width + GAP)));
  const first = { x: x + size.width / 2 + (isStrip ? 4 : 0), perRow, right: 1 } as const;
  if (isStrip && place === HOME) return { ...first, y, down: -1 };
  return { ...first, y: y + height, down: isStrip ? 1 : -1 };
}
