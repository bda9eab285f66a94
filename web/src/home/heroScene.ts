/** The piece of the tunnel on the home page: where its spaces are, who stands there, where the light lies. */

import { wavyCurve } from "../board/geometry/curve";
import { cellsOf, evenLeg, type Layout } from "../board/geometry/layout";

const SPACES = 19;
const FIRST = 1;

const curve = wavyCurve(
  [
    { y: 100, from: 40, to: 436 },
    { y: 232, from: 436, to: 160 },
    { y: 364, from: 160, to: 566 },
  ],
  8,
  250,
);
const legs = [evenLeg(curve, FIRST, SPACES)];

export const SCENE: Layout = {
  family: "escape",
  shape: "wide",
  width: 900,
  height: 460,
  measures: {
    stoneWidth: 64,
    stoneHeight: 57,
    stoneUp: 5,
    signSize: 34,
    signRight: 0,
    signUp: 8,
    pirateWidth: 23,
    pirateDown: 39,
    floorWidth: 86,
    hitWidth: 0,
    hitHeight: 0,
    before: 60,
    after: 46,
  },
  cells: cellsOf(legs, 0),
  houses: [],
  legs,
};

/** The signs of the spaces, in travel order. */
export const SIGNS: readonly string[] = (
  "skull bottle key pistol dagger hat dagger hat skull key " +
  "bottle pistol key pistol dagger skull hat bottle hat"
).split(" ");

/** A move that is only shown: a pirate of the first crew with a key. */
export const ROUTE = { from: 4, to: 10, isBack: false };

/** The crews that stand on each space. */
export const STANDING: readonly { place: number; crews: readonly number[] }[] = [
  { place: 4, crews: [0] },
  { place: 7, crews: [1, 2] },
  { place: 13, crews: [3] },
  { place: 16, crews: [4, 1, 0] },
];

/** For each crew the places of its pirates that are home already. */
export const ABOARD: readonly (readonly number[])[] = [3, 1, 2, 1, 2].map((home) =>
  Array<number>(home).fill(37),
);

/** Lanterns hang below the middle between these spaces and the next. */
export const LANTERNS = [5, 9].map((place) => {
  const { x, y } = curve.at(((place - FIRST + 0.5) * curve.length) / (SPACES - FIRST));
  return { x, y: y + 56 };
});
