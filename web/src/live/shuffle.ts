/**
 * This browser's part in the shuffle: draw a number, promise it, look at the promise, and only then show it.
 *
 * `docs/fairness.md` says what each step is good for. What was promised is kept in this browser, so that the
 * record can be compared with it after the end.
 */

import type { Table, TableAnswer } from "../api/messages";
import { hexOf } from "../api/service";

const STORE = "cartagena.promises";
const KEPT_AT_MOST = 60;

/** A number for one start of one game, and its hash, as hexadecimal digits. */
export interface Pledge {
  nonce: string;
  nonceHash: string;
}

/** What this browser knows of the shuffle of a table. */
export interface Kept extends Pledge {
  /** The commitment of the service that was there when the number was promised. */
  commitment: string;
  /** The promise as it stood before the number was shown; null until then. */
  promise: Promised | null;
  /** Whether the number was shown for that promise. */
  isShown?: boolean;
}

/** What a start fixes before any number is shown. */
export interface Promised {
  game: string;
  commitment: string;
  seat: number;
  nonceHashes: (string | null)[];
}

/** Whether this browser can take part: hashing needs a secure address (https, or this machine itself). */
export function canTakePart(): boolean {
  return typeof crypto !== "undefined" && "subtle" in crypto;
}

/** A new number that nobody knows. */
export async function drawPledge(): Promise<Pledge> {
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const digest = await crypto.subtle.digest("SHA-256", nonce);
  return { nonce: hexOf(nonce), nonceHash: hexOf(new Uint8Array(digest)) };
}

/**
 * Come to a table with a promised number, and keep what the service promised in return.
 *
 * Where the browser cannot hash (plain http), the player sits down without taking part in the shuffle.
 */
export async function withPledge(
  join: (promised: { nonce_hash?: string }) => Promise<TableAnswer>,
): Promise<TableAnswer> {
  const pledge = canTakePart() ? await drawPledge() : null;
  const answer = await join(pledge === null ? {} : { nonce_hash: pledge.nonceHash });
  const commitment = answer.current.table?.commitment;
  if (pledge !== null && commitment !== undefined) keep(answer.id, { ...pledge, commitment, promise: null });
  return answer;
}

/** What a start promises, as seen from a seat. */
export function promiseOf(table: Table, seat: number): Promised {
  const nonceHashes = table.chairs.map((chair) => chair.nonce_hash ?? null);
  return { game: table.game, commitment: table.commitment, seat, nonceHashes };
}

/** Whether a start promises what we were promised; if not, the number must not be shown. */
export function isAsPromised(kept: Kept, promise: Promised): boolean {
  return kept.commitment === promise.commitment && promise.nonceHashes[promise.seat] === kept.nonceHash;
}

/** What this browser kept about a table; null if it took no part there. */
export function keptOf(tableId: string): Kept | null {
  return stored()[tableId] ?? null;
}

/** Keep what was promised at a table; the oldest tables are forgotten. */
export function keep(tableId: string, kept: Kept): void {
  const others = Object.entries(stored()).filter(([id]) => id !== tableId);
  const entries = [...others, [tableId, kept] as const].slice(-KEPT_AT_MOST);
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // Without storage a number is lost with the page: the start is then called off, and nothing is harmed.
  }
}

function stored(): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}") as Record<string, Kept>;
  } catch {
    return {};
  }
}
