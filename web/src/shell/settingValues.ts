/** The settings, their values and defaults. No browser here, so that tests can read it. */

import type { Group } from "../sound/cues";
import { LANGUAGES, type Language } from "../words/words.svelte";

/** How fast the moves of others are shown, as a multiple of the usual time. */
export const TEMPOS = { slow: 2, normal: 1, fast: 0.5, none: 0 } as const;
export type Pace = keyof typeof TEMPOS;
// An object has exactly the keys that it was written with.
export const PACES = Object.keys(TEMPOS) as readonly Pace[];

/** Whether the sounds of a group are heard. */
type Heard = Record<`hear_${Group}`, boolean>;

export interface Settings extends Heard {
  theme: "auto" | "plan" | "night";
  language: Language | "auto";
  sound: boolean;
  /** From 0 to 1. */
  volume: number;
  motion: "auto" | "less";
  /** How fast the moves of others are shown; "auto" follows the preference for reduced motion. */
  rivals: Pace | "auto";
  /** Whether single letters and digits are keys of the game. */
  letterKeys: boolean;
  /** End the turn after the third action, with a moment to take it back. */
  endTurnItself: boolean;
  /** Ask for a second click before a choice is sent. */
  confirmMoves: boolean;
}

export const USUAL: Readonly<Settings> = {
  theme: "auto",
  language: "auto",
  sound: true,
  volume: 0.6,
  hear_turn: true,
  hear_pirates: true,
  hear_cards: true,
  hear_special: true,
  hear_clock: true,
  hear_refused: true,
  hear_end: true,
  motion: "auto",
  rivals: "auto",
  letterKeys: true,
  endTurnItself: false,
  confirmMoves: false,
};

/** Settings that do not accept every text. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  theme: ["auto", "plan", "night"],
  language: ["auto", ...LANGUAGES],
  motion: ["auto", "less"],
  rivals: ["auto", ...PACES],
};

/** Settings from stored values: missing or nonsensical ones get their defaults. */
export function completed(kept: unknown): Settings {
  const values = typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  const known = Object.entries(USUAL).map(([name, usual]): [string, unknown] => {
    const value = values[name];
    return [name, isPossible(name, value, usual) ? value : usual];
  });
  // Each name of Settings is there, with a value of its type.
  return Object.fromEntries(known) as unknown as Settings;
}

/** The first of the reader's languages that we have, regardless of the country. */
export function firstKnown(wanted: readonly string[]): Language | null {
  const tags = wanted.map((tag) => tag.split("-")[0]);
  return LANGUAGES.find((language) => language === tags.find((tag) => isLanguage(tag))) ?? null;
}

function isLanguage(tag: string | undefined): boolean {
  return LANGUAGES.some((language) => language === tag);
}

function isPossible(name: string, value: unknown, usual: unknown): boolean {
  if (typeof value === "number") return typeof usual === "number" && value >= 0 && value <= 1;
  if (typeof value === "string") return WORDS[name]?.includes(value) ?? false;
  return typeof value === typeof usual;
}
