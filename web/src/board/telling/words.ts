/** What a teller needs: the words of a language, the names of the people, and small pieces of sentences. */

import type { View } from "../../api/messages";
import { familyOf, HOME, isGold, numberOf, signOf, START, type Family, type Place } from "../places";

type Values = Record<string, string | number>;

/** The catalogue, handed in so that telling works without a page. */
export interface Words {
  say(key: string, values?: Values): string;
  count(key: string, number: number, values?: Values): string;
  language(): string;
}

/** Who listens: the names of all seats, and which of them is the listener. */
export interface People {
  names: readonly string[];
  you: number | null;
}

export class Teller {
  constructor(
    readonly words: Words,
    readonly people: People,
    readonly view: View,
  ) {}

  get family(): Family {
    return familyOf(this.view);
  }

  say(key: string, values: Values = {}): string {
    return this.words.say(`web.board.${key}`, values);
  }

  count(key: string, number: number, values: Values = {}): string {
    return this.words.count(`web.board.${key}`, number, values);
  }

  /** The name of a seat inside a sentence. */
  name(seat: number): string {
    return seat === this.people.you ? this.say("you") : this.otherName(seat);
  }

  otherName(seat: number): string {
    return this.people.names[seat] ?? "";
  }

  /** The name of a seat as the object of an action. */
  object(seat: number): string {
    return seat === this.people.you ? this.say("you.object") : this.otherName(seat);
  }

  /** A place as briefly as possible: its number, or the word for a house. */
  spot(place: Place): string {
    const number = numberOf(this.family, place);
    return number === null ? this.words.say(houseKey(this.family, place)) : `${number}`;
  }

  /** Where a pirate comes from, with the preposition of the language: "from 9". */
  from(place: Place): string {
    return endOfWay(this.words, this.family, { place, end: "from" });
  }

  /** Where a pirate goes, with the preposition of the language: "to the sloop". */
  to(place: Place): string {
    return endOfWay(this.words, this.family, { place, end: "to" });
  }

  /** Where the sloop lies: "at the small island". */
  atDock(dock: number): string {
    return this.words.say(`place.dock.${dock}`);
  }

  /** Where the sloop sails: "to the small island". */
  toDock(dock: number): string {
    return this.words.say(`place.dock.${dock}.to`);
  }

  card(card: string): string {
    const sign = this.words.say(`sign.${signOf(card)}`);
    return isGold(card) ? this.say("freebooter_card", { sign }) : sign;
  }

  /** The name of a card at the beginning of a sentence or on its own. */
  Card(card: string): string {
    return capital(this.card(card));
  }

  /** A card as the object of a verb, with the article that its language needs. */
  cardWithArticle(card: string): string {
    return this.words.say(`sign.${signOf(card)}.with_article`, { card: this.card(card) });
  }

  /** The words for having none of a card: "no hat". */
  noCard(card: string): string {
    return this.words.say(`sign.${signOf(card)}.none`, { card: this.card(card) });
  }

  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.words.language(), { type: "conjunction" }).format(parts);
  }

  spots(places: readonly Place[]): string {
    return places.map((place) => this.spot(place)).join(", ");
  }
}

/** A text with its first letter as a capital. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

const NUMBERED = { from: "web.board.from", to: "web.board.to" };

/** One end of a move, with the preposition of its language. */
export function endOfWay(
  words: Pick<Words, "say">,
  family: Family,
  { place, end }: { place: Place; end: "from" | "to" },
): string {
  const number = numberOf(family, place);
  return number === null
    ? words.say(`${houseKey(family, place)}.${end}`)
    : words.say(NUMBERED[end], { number });
}

/** The key of the word for a place that is not a space. */
export function houseKey(family: Family, place: Place): string {
  if (place === START) return `place.start.${family}`;
  return place === HOME ? `place.home.${family}` : "place.sloop";
}
