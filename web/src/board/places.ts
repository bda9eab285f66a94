/** Places by number, as the protocol names them, and what stands there; see the end of docs/glossary.md. */

import type { View } from "../api/messages";

/** An index in travel order: 0 the start, 37 home. */
export type Place = number;

export const FAMILIES = ["escape", "nest"] as const;
export type Family = (typeof FAMILIES)[number];

export const START: Place = 0;
export const HOME: Place = 37;
/** Where the sloop waits in the Nest; in Cartagena this is an ordinary space. */
export const NEST_SLOOP: Place = 15;
const PLACES = HOME + 1;

/** The signs of each family in the order in which hands are shown. */
export const SIGNS: Readonly<Record<Family, readonly string[]>> = {
  escape: ["skull", "hat", "dagger", "bottle", "key", "pistol"],
  nest: ["parrot", "chest", "telescope", "ducats", "map", "cannon", "compass"],
};

/** How many spaces a segment has: each sign once. */
export const SEGMENT: Readonly<Record<Family, number>> = { escape: 6, nest: 7 };

/** The most cards in a hand of the Nest before a freebooter costs some; only to warn, not to decide. */
export const FREE_OF_TRIM = 7;

/** One pirate: all pirates of a crew on one place are alike. */
export interface Pirate {
  crew: number;
  place: Place;
}

export function familyOf({ ruleset }: Pick<View, "ruleset">): Family {
  return ruleset.family === "nest" ? "nest" : "escape";
}

/** Where the sloop is drawn and boarded: home in Cartagena, between the islands in the Nest. */
export function sloopOf(family: Family): Place {
  return family === "nest" ? NEST_SLOOP : HOME;
}

/** Whether a place has a sign and a printed number. */
export function isSpace(family: Family, place: Place): boolean {
  return place > START && place < HOME && !(family === "nest" && place === NEST_SLOOP);
}

/** The number printed on a space; null for the start, the sloop and home. */
export function numberOf(family: Family, place: Place): number | null {
  if (!isSpace(family, place)) return null;
  return family === "nest" && place > NEST_SLOOP ? place - 1 : place;
}

/** The place of a printed number. */
export function placeOf(family: Family, number: number): Place {
  return family === "nest" && number >= NEST_SLOOP ? number + 1 : number;
}

/** Places in the order of the board's rows: the start, the segments, the sloop between the islands, home. */
export function rowsOf(family: Family): Place[][] {
  const rows: Place[][] = [];
  for (let place = START; place < PLACES; place++) {
    const number = numberOf(family, place);
    const last = rows.at(-1);
    if (number === null || last === undefined || (number - 1) % SEGMENT[family] === 0) rows.push([place]);
    else last.push(place);
  }
  return rows;
}

/** The segment of a space, counted from 0; null for a house. */
export function segmentOf(family: Family, place: Place): number | null {
  const number = numberOf(family, place);
  return number === null ? null : Math.floor((number - 1) / SEGMENT[family]);
}

/** The place one row above or below, in the same column as far as that row reaches. */
export function placeInNextRow(family: Family, place: Place, step: 1 | -1): Place {
  const rows = rowsOf(family);
  const index = rows.findIndex((row) => row.includes(place));
  const column = rows[index]?.indexOf(place) ?? 0;
  const row = rows[index + step];
  return row?.[Math.min(column, row.length - 1)] ?? place;
}

/** The next place that fits, going on from a place and round the board; null if none does. */
export function nextPlace(from: Place, step: 1 | -1, fits: (place: Place) => boolean): Place | null {
  for (let walked = 1; walked <= PLACES; walked++) {
    const place = (((from + step * walked) % PLACES) + PLACES) % PLACES;
    if (fits(place)) return place;
  }
  return null;
}

/** The crews of the pirates on a place, in the order of the seats; a crew with two there is named twice. */
export function crewsAt(pirates: readonly (readonly number[])[], place: Place): number[] {
  return pirates.flatMap((places, crew) => places.filter((each) => each === place).map(() => crew));
}

/** How many pirates of a crew are on a place. */
export function countAt(pirates: readonly (readonly number[])[], crew: number, place: Place): number {
  return (pirates[crew] ?? []).filter((each) => each === place).length;
}

/** The sign of a card, plain or gold. */
export function signOf(card: string): string {
  return card.replace(/^gold_/, "");
}

export function isGold(card: string): boolean {
  return card.startsWith("gold_");
}

/** A hand as stacks: each card once with its number, in the order of the signs, gold behind plain. */
export function stacksOf(hand: readonly string[], family: Family): { card: string; number: number }[] {
  const plain = SIGNS[family].map((sign) => ({ card: sign, number: amount(hand, sign) }));
  if (family === "escape") return plain;
  return plain
    .flatMap((stack) => [stack, { card: `gold_${stack.card}`, number: amount(hand, `gold_${stack.card}`) }])
    .filter(({ number }) => number > 0);
}

function amount(hand: readonly string[], card: string): number {
  return hand.filter((each) => each === card).length;
}
