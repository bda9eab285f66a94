/** Reading the parts of a record that concern the shuffle; docs/notation.md describes the whole format. */

const SIGNS = {
  escape: ["bottle", "dagger", "hat", "key", "pistol", "skull"],
  nest: ["cannon", "chest", "compass", "ducats", "map", "parrot", "telescope"],
} as const;
export const COLOURS = ["red", "blue", "yellow", "green", "violet"];
const GOLD = "gold_";
const FIRST_GOLD = 7;
const UNKNOWN = "?";

export type Family = keyof typeof SIGNS;

/** A record that cannot be read, and what is wrong with it. */
export class UnreadableRecord extends Error {}

/** What a record says about its shuffle; null for a missing header. */
export interface ShuffleRecord {
  family: Family;
  /** The line of the ruleset verbatim: it is part of what was hashed. */
  ruleset: string;
  game: string | null;
  /** The signs of each piece by number, in travel order. */
  board: number[][];
  firstSeat: number;
  /** Null if the game began with a position that somebody set up. */
  deal: number[] | null;
  /** The orders of cards of every renewal, in the order of the game. */
  renewals: number[][];
  /** The lines of the turns, each with its number, its crew and its actions. */
  turns: string[];
  commitment: string | null;
  nonceHashes: (string | null)[] | null;
  nonces: (string | null)[] | null;
  secret: string | null;
  /** Whether cards are unknown: then this is the record of a view, and nothing can be checked. */
  hidden: boolean;
}

/** Read a record; throws UnreadableRecord. */
export function readRecord(text: string): ShuffleRecord {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
  const headers = headersOf(lines);
  const ruleset = needed(headers, "Ruleset");
  const family: Family = ruleset.split(" ")[0] === "nest" ? "nest" : "escape";
  const deal = headers.get("Deal") ?? null;
  const orders = lines.flatMap((line) =>
    Array.from(line.matchAll(/\[order:([^\]]*)\]/g), (found) => found[1] ?? ""),
  );
  const hidden = [deal ?? needed(headers, "Stock"), ...orders].some((cards) => cards.includes(UNKNOWN));
  return {
    family,
    ruleset,
    game: headers.get("Game") ?? null,
    board: needed(headers, "Board")
      .split("|")
      .map((piece) => cardsOf(family, piece)),
    firstSeat: firstSeatIn(headers),
    deal: deal === null ? null : cardsOf(family, hidden ? "" : deal),
    renewals: hidden ? [] : orders.map((order) => cardsOf(family, order)),
    turns: lines.filter((line) => /^\d/.test(line)),
    commitment: headers.get("Commitment") ?? null,
    nonceHashes: hashesOf(headers.get("Nonce hashes")),
    nonces: hashesOf(headers.get("Nonces")),
    secret: headers.get("Secret") ?? null,
    hidden,
  };
}

function headersOf(lines: string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const found = /^([A-Z][A-Za-z ]*):\s*(.*)$/.exec(line);
    if (found !== null) headers.set(found[1] ?? "", found[2] ?? "");
  }
  return headers;
}

function needed(headers: Map<string, string>, name: string): string {
  const value = headers.get(name);
  if (value === undefined) throw new UnreadableRecord(name);
  return value;
}

/** The seat that began; that of the turn in which a position was set up. */
function firstSeatIn(headers: Map<string, string>): number {
  const turn = headers.get("Turn")?.split(/\s+/).at(-1);
  return seatOf(turn ?? needed(headers, "First"));
}

function seatOf(colour: string): number {
  const seat = COLOURS.indexOf(colour);
  if (seat < 0) throw new UnreadableRecord(colour);
  return seat;
}

/** Cards as numbers; `pistol*3` means three of them, `none` no card. */
function cardsOf(family: Family, text: string): number[] {
  const runs = text.split(/\s+/).filter((run) => run !== "" && run !== "none");
  return runs.flatMap((run) => {
    const [word = "", times = "1"] = run.split("*");
    return Array.from({ length: Number(times) }, () => cardOf(family, word));
  });
}

function cardOf(family: Family, word: string): number {
  const signs: readonly string[] = SIGNS[family];
  const isGold = word.startsWith(GOLD);
  const sign = signs.indexOf(isGold ? word.slice(GOLD.length) : word);
  if (sign < 0) throw new UnreadableRecord(word);
  return isGold ? FIRST_GOLD + sign : sign;
}

/** The word of a card, or of a sign on the board. */
export function wordOf(family: Family, card: number): string {
  const isGold = card >= FIRST_GOLD;
  return (isGold ? GOLD : "") + (SIGNS[family][isGold ? card - FIRST_GOLD : card] ?? UNKNOWN);
}

function hashesOf(text: string | undefined): (string | null)[] | null {
  if (text === undefined) return null;
  return text.split(/\s+/).map((hash) => (hash === "-" ? null : hash));
}
