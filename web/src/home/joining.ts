/** The ways to a table: open one, sit down at one, play bots at once, be matched. */

import type { TableAnswer, Terms, Update } from "../api/messages";
import { ask, newKey } from "../api/service";
import { canTakePart, drawPledge, keep, type Pledge } from "../live/shuffle";
import { enter } from "../shell/me.svelte";

/** Open a table; `bots` are levels for its last seats. */
export async function openTable(terms: Terms, bots: readonly string[]): Promise<TableAnswer> {
  return withPledge((pledge) => ask("POST", "/api/tables", { terms, bots, ...pledge, key: newKey() }));
}

/** Open a table with bots in all other seats and begin at once. */
export async function playBots(terms: Terms, bots: readonly string[]): Promise<TableAnswer> {
  const answer = await openTable(terms, bots);
  await ask<Update>("POST", `/api/tables/${answer.id}/start`, { key: newKey() });
  return answer;
}

/** A seat at a table that waits for players of a ruleset, or at a new one. */
export async function findMatch(ruleset: string, seats: number): Promise<TableAnswer> {
  return withPledge((pledge) => ask("POST", "/api/matches", { ruleset, seats, ...pledge, key: newKey() }));
}

/** Take a free seat at a table. */
export async function sitDown(id: string): Promise<void> {
  await withPledge(async (pledge) => {
    const current = await ask<Update>("POST", `/api/tables/${id}/sit`, { ...pledge, key: newKey() });
    return { id, seat: null, invite: null, current };
  });
}

/** Get up again before the start. */
export async function leaveTable(id: string): Promise<void> {
  await ask("POST", `/api/tables/${id}/leave`, { key: newKey() });
}

/**
 * Come in if need be, promise a number for the shuffle, and keep what the service promised in return.
 *
 * Where the browser cannot hash (plain http), the player sits down without taking part in the shuffle.
 */
async function withPledge(
  join: (promised: { nonce_hash?: string }) => Promise<TableAnswer>,
): Promise<TableAnswer> {
  await enter();
  const pledge: Pledge | null = canTakePart() ? await drawPledge() : null;
  const answer = await join(pledge === null ? {} : { nonce_hash: pledge.nonceHash });
  const commitment = answer.current.table?.commitment;
  if (pledge !== null && commitment !== undefined) keep(answer.id, { ...pledge, commitment, promise: null });
  return answer;
}
