/**
 * This browser's part in the shuffle: draw a number, promise it, look at the promise, and only then show it.
 *
 * `docs/fairness.md` says what each step is good for. What was promised is kept in this browser, so that the
 * record can be compared with it after the end.
 */

import type { Table, TableAnswer } from "../api/messages";
import { hexOf } from "../api/service";
import type { Shown, Witness } from "./witness";

const STORE = "cartagena.promises";
const KEPT_AT_MOST = 60;

/** A number for one start of one game, and its hash, as hexadecimal digits. */
export interface Pledge {
  nonce: string;
  nonceHash: string;
}

/** What this browser knows of the shuffle of a table. */
export interface Kept extends Pledge {
  /** The service's commitment at the time the number was promised. */
  commitment: string;
  /** The promise as it was before the number was shown; null until then. */
  promise: Promised | null;
  /** Whether the number was shown for that promise. */
  isShown?: boolean;
  /** The starts of this table for which earlier numbers were shown; all of them were called off. */
  earlier?: Earlier[];
  /** What was seen at the deal and chosen since; missing before the deal. */
  witness?: Witness;
}

type Earlier = Pick<Promised, "game" | "commitment">;

/** What a start fixes before any number is shown: with the secret, everything that enters the key. */
export interface Promised {
  game: string;
  /** The line that is hashed; missing in what was kept before version 0.2. */
  ruleset?: string;
  commitment: string;
  seat: number;
  nonceHashes: (string | null)[];
}

/** What a record is compared with; null for what this browser did not see. */
export interface Seen {
  game: string | null;
  ruleset: string | null;
  commitment: string | null;
  nonceHashes: (string | null)[] | null;
  /** The number that was promised, shown or not. */
  nonce: string | null;
  /** How many starts of the table this browser has shown a number for. */
  starts: number;
  /** This player's seat, what the deal showed there, and the turn and code of each of their choices. */
  seat: number | null;
  shown: Shown | null;
  moves: [turn: number, code: number][] | null;
}

/** Whether this browser can take part: hashing needs a secure address (https, or this machine itself). */
export function canTakePart(): boolean {
  return typeof crypto !== "undefined" && "subtle" in crypto;
}

/** A new random number and its hash. */
export async function drawPledge(): Promise<Pledge> {
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const digest = await crypto.subtle.digest("SHA-256", nonce);
  return { nonce: hexOf(nonce), nonceHash: hexOf(new Uint8Array(digest)) };
}

/**
 * Join a table with a promised number, and keep what the service promised in return.
 *
 * A browser that cannot hash (plain http) joins without taking part in the shuffle.
 */
export async function withPledge(
  join: (promised: { nonce_hash?: string }) => Promise<TableAnswer>,
): Promise<TableAnswer> {
  const pledge = canTakePart() ? await drawPledge() : null;
  const answer = await join(pledge === null ? {} : { nonce_hash: pledge.nonceHash });
  const table = answer.current.table;
  // A second request to join, as of a double click, is answered by the seat that the first one took, with
  // the number of the first.
  const isOurs = table?.chairs.some((chair) => chair.nonce_hash === pledge?.nonceHash);
  if (pledge !== null && table && isOurs) keepPledge(answer.id, pledge, table.commitment);
  return answer;
}

/** What a start promises, seen from a seat. */
export function promiseOf(table: Table, seat: number): Promised {
  const nonceHashes = table.chairs.map((chair) => chair.nonce_hash ?? null);
  const { game, commitment } = table;
  return { game, ruleset: rulesetLine(table.ruleset), commitment, seat, nonceHashes };
}

/** A ruleset as the shuffle hashes it: the service names every option, in the order of the line. */
export function rulesetLine({ preset, options }: Table["ruleset"]): string {
  return [preset, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join(" ");
}

/**
 * Whether a start promises what we were promised; if not, the number must not be shown.
 *
 * A number that was sent, even without an answer, belongs to the promise of that time; and a start that was
 * called off has nothing in common with the next.
 */
export function isAsPromised(kept: Kept, promise: Promised): boolean {
  const isOurs =
    kept.commitment === promise.commitment && promise.nonceHashes[promise.seat] === kept.nonceHash;
  const isSpent = kept.promise !== null && !isSame(kept.promise, promise);
  const isOld = (kept.earlier ?? []).some(
    ({ game, commitment }) => game === promise.game || commitment === promise.commitment,
  );
  return isOurs && !isSpent && !isOld;
}

function isSame(one: Promised, other: Promised): boolean {
  const texts = [one, other].map(({ game, ruleset, commitment, seat, nonceHashes }) =>
    JSON.stringify([game, ruleset, commitment, seat, nonceHashes]),
  );
  return texts[0] === texts[1];
}

/** What a record must agree with. */
export function seenOf({ nonce, commitment, promise, earlier = [], witness }: Kept): Seen {
  return {
    game: promise?.game ?? null,
    ruleset: promise?.ruleset ?? null,
    commitment,
    nonceHashes: promise?.nonceHashes ?? null,
    nonce,
    starts: promise === null ? Math.max(1, earlier.length) : earlier.length + 1,
    ...playedOf(witness),
  };
}

function playedOf(witness: Witness | undefined): Pick<Seen, "seat" | "shown" | "moves"> {
  if (witness === undefined) return { seat: null, shown: null, moves: null };
  const { seat, shown, made } = witness;
  const moves = made.map(([, turn, code]): [number, number] => [turn, code]);
  return { seat, shown, moves: shown === null && moves.length === 0 ? null : moves };
}

/** What was seen, in the format that `cartagena verify --kept` reads. */
export function fileOf({ nonceHashes, ...others }: Seen): string {
  return JSON.stringify({ ...others, nonce_hashes: nonceHashes });
}

/** Keep a new number, and the earlier starts for which others were shown. */
export function keepPledge(tableId: string, pledge: Pledge, commitment: string): void {
  const before = keptOf(tableId);
  const shown = before?.promise ?? null;
  const last = shown === null ? [] : [{ game: shown.game, commitment: shown.commitment }];
  keep(tableId, { ...pledge, commitment, promise: null, earlier: [...(before?.earlier ?? []), ...last] });
}

/** Whether another table had this commitment: then its secret may be known. */
export function isUsedElsewhere(tableId: string, commitment: string): boolean {
  return Object.entries(stored()).some(
    ([id, { promise }]) => id !== tableId && promise?.commitment === commitment,
  );
}

/** What this browser kept about a table; null if it took no part there. */
export function keptOf(tableId: string): Kept | null {
  return stored()[tableId] ?? null;
}

/** Keep what was promised at a table; the oldest tables are forgotten. */
export function keep(tableId: string, kept: Kept): void {
  store([...othersThan(tableId), [tableId, kept]]);
}

/** Forget a number because the player wants to leave; never because the service says so, which may lie. */
export function forget(tableId: string): void {
  store(othersThan(tableId));
}

function othersThan(tableId: string): [string, Kept][] {
  return Object.entries(stored()).filter(([id]) => id !== tableId);
}

function store(entries: [string, Kept][]): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(entries.slice(-KEPT_AT_MOST))));
  } catch {
    // Without storage the number is lost with the page: the start is then called off, with no harm done.
  }
}

function stored(): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}") as Record<string, Kept>;
  } catch {
    return {};
  }
}
