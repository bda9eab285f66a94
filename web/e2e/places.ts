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

/** How the name of a card's button begins: "Dagger, 2 in hand"; a freebooter says so after its sign. */
export function cardName(card: string): RegExp {
  const sign = card.replace(/^gold_/, "");
  const word = sign === "chest" ? "(treasure )?chest" : sign;
  return new RegExp(card.startsWith("gold_") ? `^${word} freebooter` : `^${word}(?! freebooter)`, "i");
}
