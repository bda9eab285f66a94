/** The rulebook: its plan, its sentences in a language, and the search. */

import { FAMILIES, type Family } from "../board/places";
import { isSaid, say, type Language } from "../words/words.svelte";
import plan from "./generated/rulebook.json";

export interface Chapter {
  number: string;
  /** The numbers of its sentences. */
  rules: readonly string[];
}

/** Words by key: `chapter.R1`, `rule.R1.1`. */
export type Sentences = Readonly<Record<string, string>>;

/**
 * A piece of a sentence: plain words, code, the number of another sentence, an option, or a value of the last
 * named option; options and values by the key of their words.
 */
export interface Piece {
  kind: "text" | "code" | "rule" | "option" | "value";
  text: string;
}

const ABOUT: ReadonlySet<string> = new Set(plan.about);
const OPTIONS: Readonly<Record<string, readonly string[]>> = plan.options;
const OPTION_NAMES: ReadonlySet<string> = new Set(Object.values(OPTIONS).flat());
/** Boolean values are written as a program writes them, in every language. */
const PIECE = /`(?<code>[^`]+)`|\b(?<rule>R\d+\.\d+)\b|\b(?<flag>true|false)\b/g;

const files = import.meta.glob<{ default: Sentences }>("../words/generated/rulebook.*.json");

/** The sentences in a language; fails if they cannot be fetched. */
export async function fetchSentences(language: Language): Promise<Sentences> {
  const file = files[`../words/generated/rulebook.${language}.json`];
  if (file === undefined) throw new Error(`no rulebook in ${language}`);
  return (await file()).default;
}

export function isFamily(word: string | undefined): word is Family {
  return FAMILIES.some((family) => family === word);
}

/** The chapters of a game in the best reading order; without a game all chapters, by number. */
export function chaptersOf(family: Family | null): readonly Chapter[] {
  if (family !== null) return plan.families[family];
  const own = plan.families.nest.filter(({ number }) => Number(number.slice(1)) > 8);
  return [...plan.families.escape, ...own];
}

/** Whether a sentence only explains. */
export function isAbout(rule: string): boolean {
  return ABOUT.has(rule);
}

/** The options that a sentence names. */
export function optionsOf(rule: string): readonly string[] {
  return OPTIONS[rule] ?? [];
}

export function isOption(word: string): boolean {
  return OPTION_NAMES.has(word);
}

/** The game whose page has a sentence; the first if both have it. */
export function familyOfRule(rule: string): Family | null {
  const has = (family: Family): boolean => plan.families[family].some(({ rules }) => rules.includes(rule));
  return FAMILIES.find(has) ?? null;
}

/** A sentence in pieces. */
export function piecesOf(sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let option = "";
  for (const match of sentence.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ kind: "text", text: sentence.slice(end, match.index) });
    const piece = pieceOf(match, option);
    if (piece.kind === "option") option = piece.text;
    pieces.push(piece);
    end = match.index + match[0].length;
  }
  if (end < sentence.length) pieces.push({ kind: "text", text: sentence.slice(end) });
  return pieces;
}

function pieceOf({ 0: text, groups: { code, rule } = {} }: RegExpMatchArray, option: string): Piece {
  if (rule !== undefined) return { kind: "rule", text };
  if (code !== undefined && isOption(code)) return { kind: "option", text: `option.${code}` };
  const value = `${option}.${code ?? text}`;
  if (isSaid(value)) return { kind: "value", text: value };
  return code === undefined ? { kind: "text", text } : { kind: "code", text: code };
}

/** The words that a reader sees for a piece. */
function wordsOf({ kind, text }: Piece): string {
  return kind === "option" || kind === "value" ? say(text) : text;
}

/** The chapters with the sentences that contain all the words of `wanted`, or have that number. */
export function searched(
  chapters: readonly Chapter[],
  sentences: Sentences,
  wanted: string,
): readonly Chapter[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return chapters;
  const fits = (rule: string): boolean => {
    // Code is shown in words, so a reader searches for the words.
    const told = piecesOf(sentences[`rule.${rule}`] ?? "").map(wordsOf);
    const text = `${rule} ${told.join("")}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return chapters
    .map(({ number, rules }) => ({ number, rules: rules.filter(fits) }))
    .filter(({ rules }) => rules.length > 0);
}
