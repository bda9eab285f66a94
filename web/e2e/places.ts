/** Places and cards as the board names them to a screen reader. */

import { HOME, numberOf, START, type Family } from "../src/board/places";

/** How the name of a place's button begins. */
export function placeName(family: Family, place: number): RegExp {
  const number = numberOf(family, place);
  if (number !== null) return new RegExp(`^Space ${number},`);
  if (place === START) return family === "nest" ? /^Landing/ : /^Fort/;
  if (place === HOME) return family === "nest" ? /^Nest/ : /^Sloop/;
  return /^Sloop/;
}

/** How the name of a card's button begins: "Dagger, 2 in hand", "Gold dagger, 1 in hand". */
export function cardName(card: string): RegExp {
  return new RegExp(`^${card.replace("_", " ")},`, "i");
}
