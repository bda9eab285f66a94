/** What a teller needs: the words of a language and the names of the people, and small pieces of sentences. */

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

  /** A place as short as can be: its number, or the word for a house. */
  spot(place: Place): string {
    const number = numberOf(this.family, place);
    return number === null ? this.words.say(houseKey(this.family, place)) : `${number}`;
  }

  card(card: string): string {
    const sign = this.words.say(`sign.${signOf(card)}`);
    return isGold(card) ? this.say("freebooter_card", { sign }) : sign;
  }

  /** The name of a card at the beginning of a sentence or on its own. */
  Card(card: string): string {
    return capital(this.card(card));
  }

  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.words.language(), { type: "conjunction" }).format(parts);
  }

  spots(places: readonly Place[]): string {
    return places.map((place) => this.spot(place)).join(", ");
  }
}

/** The first letter of a text as a capital. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The key of the word for a place that is no space. */
export function houseKey(family: Family, place: Place): string {
  if (place === START) return `place.start.${family}`;
  return place === HOME ? `place.home.${family}` : "place.sloop";
}
