/** What travels when something happens, how far and how long, as plain values; times as in the design. */

import type { Happening, View } from "../api/messages";
import { flightsOf, type Flight, type RowLeft } from "./flying";
import { crewsAt, familyOf, HOME, signOf, sloopOf, type Place } from "./places";

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

/** Cards fly; if a pirate goes with them, they take no extra time. */
export interface Dealing {
  kind: "cards";
  flights: Flight[];
  milliseconds: number;
}

/** A crew has won: the sloop leaves with it. */
export interface Leaving {
  kind: "leaving";
  milliseconds: number;
}

export type Travel = Walk | Crossing | Dealing | Leaving;

/** What an update told, with a growing number, so that nothing is shown twice. */
export interface Told {
  seq: number;
  happenings: readonly Happening[];
  /** The position after it; left out if it is the one on the screen. */
  view?: View;
  /** How many times as long as usual its travels take; 0 puts everything in its place at once. */
  tempo?: number;
}

/** What is known of the table before an update. */
export interface Before {
  pirates: readonly (readonly number[])[];
  board: readonly string[];
  row: RowLeft;
  /** Whether the sloop is the goal; a ferry has no reason to leave. */
  sloopIsHome: boolean;
}

const PER_SPACE = 70;
const SHORTEST = 260;
const LONGEST = 820;
const BACK_IS_FASTER = 1.2;
const CROSSING = 1200;
const CARD = 240;
const LEAVING = 2400;
/** With reduced motion, things fade out in one place and in at the other. */
const FADE = 120;

/** The pause between two actions of another player. */
export const BETWEEN_ACTIONS = 350;

/** What a view says about the table. */
export function beforeOf(view: View): Before {
  const { pirates, board, row, ruleset } = view;
  return {
    pirates,
    board,
    row: { most: Number(ruleset.options["row_length"] ?? 0), left: row.length },
    sloopIsHome: sloopOf(familyOf(view)) === HOME,
  };
}

/** The travels of one update, given the table before it; cards start together with their pirate. */
export function travelsOf(happened: readonly Happening[], before: Before): Travel[] {
  const flights = flightsOf(happened, before.row);
  const ways = waysOf(happened, before);
  if (flights.length === 0) return ways;
  return [{ kind: "cards", flights, milliseconds: ways.length > 0 ? 0 : CARD }, ...ways];
}

/** A travel with reduced motion: a short fade. */
export function stilled<Any extends Travel>(travel: Any): Any {
  return { ...travel, milliseconds: Math.min(FADE, travel.milliseconds) };
}

/** A travel that takes `tempo` times as long as usual. */
export function paced<Any extends Travel>(travel: Any, tempo: number): Any {
  return { ...travel, milliseconds: Math.round(travel.milliseconds * tempo) };
}

/** How long the travels of one update take in total, at the usual tempo. */
export function travelTime(happened: readonly Happening[], before: Before): number {
  return travelsOf(happened, before).reduce((time, { milliseconds }) => time + milliseconds, 0);
}

function waysOf(happened: readonly Happening[], before: Before): Travel[] {
  const played = happened.find((each) => each.happening === "played");
  return happened.flatMap((each): Travel[] => {
    if (each.happening === "sailed") return [{ kind: "crossing", dock: each.dock, milliseconds: CROSSING }];
    if (each.happening === "won" && before.sloopIsHome) return [{ kind: "leaving", milliseconds: LEAVING }];
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
  { pirates, board }: Pick<Before, "pirates" | "board">,
  sign: string,
  from: Place,
  to: Place,
): Place[] {
  return board.flatMap((each, place) =>
    each === sign && place > from && place < to && crewsAt(pirates, place).length > 0 ? [place] : [],
  );
}
