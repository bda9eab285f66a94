/** The ways to a table: open one, sit down at one, play bots at once, be matched. */

import type { TableAnswer, Terms, Update } from "../api/messages";
import { ask, newKey } from "../api/service";
import { withPledge } from "../connection/shuffle";
import { enter } from "../shell/me.svelte";

/** Open a table; `bots` are levels for its last seats. */
export async function openTable(terms: Terms, bots: readonly string[]): Promise<TableAnswer> {
  return joined((pledge) => ask("POST", "/api/tables", { terms, bots, ...pledge, key: newKey() }));
}

/** Open a table with bots in all other seats and begin at once. */
export async function playBots(terms: Terms, bots: readonly string[]): Promise<TableAnswer> {
  const answer = await openTable(terms, bots);
  await ask<Update>("POST", `/api/tables/${answer.id}/start`, { key: newKey() });
  return answer;
}

/** A seat at a table that waits for players of a ruleset, or at a new one. */
export async function findMatch(ruleset: string, seats: number): Promise<TableAnswer> {
  return joined((pledge) => ask("POST", "/api/matches", { ruleset, seats, ...pledge, key: newKey() }));
}

/** Take a free seat at a table. */
export async function sitDown(id: string): Promise<void> {
  await joined(async (pledge) => {
    const current = await ask<Update>("POST", `/api/tables/${id}/sit`, { ...pledge, key: newKey() });
    return { id, seat: null, invite: null, current };
  });
}

/** Get up again before the start. */
export async function leaveTable(id: string): Promise<void> {
  await ask("POST", `/api/tables/${id}/leave`, { key: newKey() });
}

/** Come in if need be, then come to a table. */
async function joined(join: Parameters<typeof withPledge>[0]): Promise<TableAnswer> {
  await enter();
  return withPledge(join);
}
