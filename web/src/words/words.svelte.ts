/** The words of the chosen language, from the one catalogue (`make web-words` generates them). */

import english from "./generated/words.en.json";

export const LANGUAGES = ["en", "nl", "de", "sv"] as const;
export type Language = (typeof LANGUAGES)[number];

type Forms = string | string[];
export type Said = Record<string, Forms>;
export type Values = Record<string, string | number>;

/** Fetches the words of a language; English is always loaded. */
type Files = Record<string, () => Promise<{ default: Said }>>;
const files = import.meta.glob<{ default: Said }>(["./generated/words.*.json", "!./generated/words.en.json"]);

/** Words that only some pages need, in English and as files. */
const apart: { english: Said; files: Files }[] = [];
/** What was asked for last; words asked for earlier may still be on their way. */
let asked: { wanted: Language } = { wanted: "en" };

/** The current language; a component that reads it is redrawn when it changes. */
class Spoken {
  language: Language = $state("en");
  said: Said = $state.raw(english);
  /** The words that pages have brought with them. */
  brought: Said = $state.raw({});
}

const spoken = new Spoken();

/** The current language. */
export function language(): Language {
  return spoken.language;
}

/** Switch to another language; the old one stays if the words cannot be fetched. */
export async function speak(wanted: Language): Promise<void> {
  const asking = (asked = { wanted });
  const said = await wordsIn(wanted, files, english);
  const brought = await Promise.all(
    apart.map((each) => wordsIn(wanted, each.files, each.english).catch(() => each.english)),
  );
  if (asked !== asking) return;
  spoken.said = said;
  spoken.brought = Object.assign({}, ...brought) as Said;
  spoken.language = wanted;
  document.documentElement.lang = wanted;
}

/**
 * Say these words too, from now on: a page that has many of its own brings them, so that no table has to load them.
 * Resolves when they are there in the current language; where they cannot be fetched, English has to do.
 */
export async function alsoSay(english: Said, files: Files): Promise<void> {
  apart.push({ english, files });
  spoken.brought = { ...spoken.brought, ...english };
  await speak(asked.wanted).catch(() => undefined);
}

async function wordsIn(language: Language, files: Files, english: Said): Promise<Said> {
  const file = Object.entries(files).find(([path]) => path.endsWith(`.${language}.json`))?.[1];
  return file === undefined ? english : (await file()).default;
}

/** Whether a key has words. */
export function isSaid(key: string): boolean {
  return key in spoken.said || key in spoken.brought;
}

/** The words for a key, with the named values filled in. */
export function say(key: string, values: Values = {}): string {
  return filled(forms(key)[0] ?? key, values);
}

/** The words for a number of things, in the right plural form; `{number}` stands for the number. */
export function count(key: string, number: number, values: Values = {}): string {
  const [one, other] = forms(key);
  return filled((number === 1 ? one : (other ?? one)) ?? key, { number, ...values });
}

function forms(key: string): string[] {
  const said = spoken.said[key] ?? spoken.brought[key];
  if (said === undefined) throw new Error(`no words for ${key}`);
  return typeof said === "string" ? [said] : said;
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a value for {${name}} is missing in: ${text}`);
    return String(value);
  });
}
