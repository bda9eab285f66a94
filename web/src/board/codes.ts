/** The number of an action, as docs/notation.md lists them; to look one up in the wish table or in a record. */

import { START, type Family, type Place } from "./places";

/** Signs by number; another order than that of a hand on the screen. */
const NUMBERED: Readonly<Record<Family, readonly string[]>> = {
  escape: ["bottle", "dagger", "hat", "key", "pistol", "skull"],
  nest: ["cannon", "chest", "compass", "ducats", "map", "parrot", "telescope"],
};
const LINE = 38;
const FIRST_TRIM = 3;
const FIRST_PUSH_LINE = 15;
const GOLD = 7;

export const END_TURN = 0;
export const SAIL = 1;
export const CAPTAIN_SAIL = 2;

export function playCode(family: Family, card: string, place: Place): number {
  return LINE * (1 + cardNumber(family, card)) + place;
}

/** The code of a retreat; null from the start, where it has no code. */
export function retreatCode(place: Place): number | null {
  return place === START ? null : place;
}

export function pushCode(crew: number, place: Place): number {
  return LINE * (FIRST_PUSH_LINE + crew) + place;
}

export function trimCode(card: string): number {
  return FIRST_TRIM + cardNumber("nest", card);
}

function cardNumber(family: Family, card: string): number {
  const gold = card.startsWith("gold_");
  return NUMBERED[family].indexOf(gold ? card.slice("gold_".length) : card) + (gold ? GOLD : 0);
}
