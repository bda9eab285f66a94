/** The accessible name of every place: what is there, who stands there, and what its light means. */

import type { Lit } from "../lighting";
import { endsAt, type Mark } from "../marking";
import { crewsAt, HOME, isSpace, numberOf, START, type Place } from "../places";
import type { Teller } from "./words";

/** The name of a place's button. The marks of others are left out where the player can act. */
export function nameOfPlace(teller: Teller, place: Place, lit: Lit, marks: readonly Mark[] = []): string {
  const marked = canBeActedOn(place, lit) ? null : markWords(teller, place, marks);
  const light = marked ?? lightWords(teller, place, lit);
  const name = numberOf(teller.family, place) === null ? houseName(teller, place) : spaceName(teller, place);
  return light === null ? name : teller.say("name.with_light", { name, light });
}

function spaceName(teller: Teller, place: Place): string {
  const crews = crewsAt(teller.view.pirates, place);
  return teller.say("name.space", {
    number: numberOf(teller.family, place) ?? 0,
    sign: teller.card(teller.view.board[place] ?? ""),
    who:
      crews.length === 0
        ? teller.say("name.empty")
        : teller.count("name.pirates", crews.length, { names: namesOf(teller, crews) }),
  });
}

function houseName(teller: Teller, place: Place): string {
  const crews = crewsAt(teller.view.pirates, place);
  return teller.say("name.house", {
    house: houseWord(teller, place),
    who: crews.length === 0 ? teller.say("name.nobody") : namesOf(teller, crews),
  });
}

/** The name of a house and its purpose: "Fort, start"; the sloop of the Nest says where it lies. */
export function houseWord(teller: Teller, place: Place): string {
  if (place === START) return teller.say(`house.start.${teller.family}`);
  if (place === HOME) return teller.say(`house.home.${teller.family}`);
  return teller.say("house.sloop", { where: teller.atDock(teller.view.dock ?? 1) });
}

/** "2 of you, Tobias": crews in the order of the seats, with a number if there are several. */
function namesOf(teller: Teller, crews: readonly number[]): string {
  return [...new Set(crews)]
    .map((crew) => {
      const number = crews.filter((each) => each === crew).length;
      return number === 1
        ? teller.name(crew)
        : teller.say("name.several", { number, name: teller.name(crew) });
    })
    .join(", ");
}

/** Whether a place is lit for more than the last move. */
function canBeActedOn(place: Place, { lights, able }: Lit): boolean {
  const light = lights.get(place) ?? "last";
  return light !== "last" || able.some((pirate) => pirate.place === place);
}

function markWords(teller: Teller, place: Place, marks: readonly Mark[]): string | null {
  const ends = endsAt(marks, place).map(({ seat, number, isStart }) =>
    teller.say(isStart ? "mark.from" : "mark.to", { name: teller.otherName(seat), number }),
  );
  return ends.length === 0 ? null : ends.join(". ");
}

function lightWords(teller: Teller, place: Place, lit: Lit): string | null {
  const light = lit.lights.get(place);
  if (light === undefined) {
    return lit.able.some((pirate) => pirate.place === place) ? teller.say("light.able") : null;
  }
  if (light === "retreat") return teller.count("light.retreat", lit.gains.get(place) ?? 0);
  if (light === "reachable") return teller.say("light.reachable", { sign: reachedWith(teller, place) });
  return teller.say(`light.${light}`);
}

/** The sign of a space; a house can be reached with several cards. */
function reachedWith(teller: Teller, place: Place): string {
  return isSpace(teller.family, place)
    ? teller.card(teller.view.board[place] ?? "")
    : teller.say("several_cards");
}
