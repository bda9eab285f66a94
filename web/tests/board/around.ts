/** Positions for the tests of the board: what the service sent to seat 0 in games of bots. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Legal, Update, View, Wishes } from "../../src/api/messages";
import type { Asked } from "../../src/board/choosing";
import { Teller, type Words } from "../../src/board/telling";

export type PositionName = "tortuga" | "jamaica" | "nest" | "trim" | "start" | "home";

export interface Position extends Asked {
  happened: NonNullable<Update["happened"]>;
}

/** A position by its name, with the reader in seat 0 and to act. */
export function position(name: PositionName): Position {
  const file = fileURLToPath(new URL(`positions/${name}.json`, import.meta.url));
  const update = JSON.parse(readFileSync(file, "utf8")) as Update & { view: View; wishes: Wishes };
  return { view: update.view, wishes: update.wishes, you: 0, happened: update.happened ?? [] };
}

/** A position as it would be in a game whose retreats may decline their cards. */
export function declining(asked: Position): Position {
  const declines = asked.wishes.legal
    .filter(({ kind }) => kind === "retreat")
    .map((choice): Legal => ({ ...choice, code: 266 + choice.code, kind: "decline", gains: 0, cards: [] }));
  return { ...asked, wishes: { ...asked.wishes, legal: [...asked.wishes.legal, ...declines] } };
}

const english = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../src/words/generated/words.en.json", import.meta.url)), "utf8"),
) as Record<string, string | string[]>;

/** The English catalogue without a page; a missing key or value is an error, as on the page. */
export const WORDS: Words = {
  say: (key, values = {}) => filled(forms(key)[0] ?? "", values),
  count: (key, number, values = {}) => {
    const [one = "", other = one] = forms(key);
    return filled(number === 1 ? one : other, { number, ...values });
  },
  language: () => "en",
};

function forms(key: string): string[] {
  const said = english[key];
  if (said === undefined) throw new Error(`no words for ${key}`);
  return [said].flat();
}

function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a value for {${name}} is missing in: ${text}`);
    return String(value);
  });
}

export const NAMES = ["Mara", "Tobias", "Ines", "Kestrel", "Bart"];

export function tellerOf({ view, you }: Asked): Teller {
  return new Teller(WORDS, { names: NAMES, you }, view);
}
