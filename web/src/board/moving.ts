/** What travels when something happens, how far and how long, as plain values; times as in the design. */

import type { Happening } from "../api/messages";
import { crewsAt, signOf, type Place } from "./places";

/** A pirate goes from place to place; it hops over `hops`, the taken spaces of the sign it played. */
export interface Walk {
  kind: "walk";
  crew: number;
  from: Place;
  to: Place;
  hops: Place[];
  milliseconds: number;
}

/** The sloop of the Nest crosses. */
export interface Crossing {
  kind: "crossing";
  dock: number;
  milliseconds: number;
}

export type Travel = Walk | Crossing;

const PER_SPACE = 70;
const SHORTEST = 260;
const LONGEST = 820;
const BACK_IS_FASTER = 1.2;
const CROSSING = 1200;

/** The pause between two actions of somebody else. */
export const BETWEEN_ACTIONS = 350;

/** The travels of one update, given where the pirates stood before it. */
export function travelsOf(
  happened: readonly Happening[],
  before: { pirates: readonly (readonly number[])[]; board: readonly string[] },
): Travel[] {
  const played = happened.find((each) => each.happening === "played");
  return happened.flatMap((each): Travel[] => {
    if (each.happening === "sailed") return [{ kind: "crossing", dock: each.dock, milliseconds: CROSSING }];
    if (each.happening !== "moved") return [];
    const { crew, start: from, target: to } = each;
    const hops = played === undefined ? [] : taken(before, signOf(played.card), from, to);
    return [{ kind: "walk", crew, from, to, hops, milliseconds: timeOf(from, to) }];
  });
}

/** The pirates after a walk. */
export function walked(pirates: readonly (readonly number[])[], { crew, from, to }: Walk): number[][] {
  return pirates.map((places, each) => {
    const index = each === crew ? places.indexOf(from) : -1;
    return index < 0 ? [...places] : places.with(index, to);
  });
}

/** The pirates without the one that is on its way. */
export function without(pirates: readonly (readonly number[])[], { crew, from }: Walk): number[][] {
  return pirates.map((places, each) => {
    const index = each === crew ? places.indexOf(from) : -1;
    return index < 0 ? [...places] : places.toSpliced(index, 1);
  });
}

function timeOf(from: Place, to: Place): number {
  const forward = Math.min(LONGEST, Math.max(SHORTEST, PER_SPACE * Math.abs(to - from)));
  return Math.round(to < from ? forward / BACK_IS_FASTER : forward);
}

function taken(
  { pirates, board }: { pirates: readonly (readonly number[])[]; board: readonly string[] },
  sign: string,
  from: Place,
  to: Place,
): Place[] {
  return board.flatMap((each, place) =>
    each === sign && place > from && place < to && crewsAt(pirates, place).length > 0 ? [place] : [],
  );
}
