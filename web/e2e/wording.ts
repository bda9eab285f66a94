/** What pages call their parts in a language, as patterns that names begin with: for hands that play in any language. */

import { readFileSync } from "node:fs";
import { HOME, numberOf, START, type Family } from "../src/board/places";
import type { Language } from "./dressing";

type Values = Readonly<Record<string, string | number>>;

const GENERATED = new URL("../src/words/generated/", import.meta.url);
const PARTS = ["words", "device", "player"];

export class Wording {
  private readonly said: Readonly<Record<string, string | string[]>>;

  constructor(readonly language: Language) {
    const parts = PARTS.map((part) => readFileSync(new URL(`${part}.${language}.json`, GENERATED), "utf8"));
    this.said = Object.assign({}, ...parts.map((part) => JSON.parse(part) as object)) as typeof this.said;
  }

  /** A name that begins with the words for one of these keys; gaps without a value may hold anything. */
  like(keys: string | readonly string[], values: Values = {}): RegExp {
    const forms = [keys].flat().flatMap((key) => this.said[key] ?? this.none(key));
    return new RegExp(`^(?:${forms.map((form) => patternOf(form, values)).join("|")})`, "i");
  }

  /** The button of a card of one's own hand: "Gold dagger, 1 in hand". */
  stack(card: string): RegExp {
    return this.like("web.board.hand.stack", { card: this.card(card) });
  }

  private card(card: string): string {
    const [, gold, sign] = /^(gold_)?(.*)$/.exec(card) ?? [];
    const name = String(this.said[`sign.${sign}`] ?? this.none(card));
    return gold === undefined ? name : String(this.said["web.board.freebooter_card"]).replace("{sign}", name);
  }

  /** A place on the board. */
  place(family: Family, place: number): RegExp {
    const number = numberOf(family, place);
    if (number !== null) return this.like("web.board.name.space", { number });
    if (place === START) return this.like(`web.board.house.start.${family}`);
    if (place === HOME) return this.like(`web.board.house.home.${family}`);
    return this.like("web.board.house.sloop");
  }

  private none(key: string): never {
    throw new Error(`no words for ${key} in ${this.language}`);
  }
}

function patternOf(form: string, values: Values): string {
  const parts = form.split(/\{(\w+)\}/);
  // Every second part names a gap.
  return parts.map((part, index) => (index % 2 === 0 ? escaped(part) : gap(values[part]))).join("");
}

function gap(value: string | number | undefined): string {
  return value === undefined ? ".+?" : escaped(String(value));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

export const ENGLISH = new Wording("en");
