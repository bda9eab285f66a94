/** Games on this device: begun, taken up from a record, deleted. */

import type { TableAnswer, Terms } from "../api/messages";
import { ask, newKey } from "../api/service";
import { toDevice } from "../api/transport";
import { fitted, type Rulesets } from "../home/terms";
import { lastChoice } from "../home/lastChoice";
import { lastLevel } from "../home/lastLevel.svelte";
import { Form } from "../home/openTable.svelte";
import type { KeptGame } from "./gameList";
import { forgetUnfinished } from "./unfinished";

/** How many seconds a turn of each level has usually taken here; empty before a bot has played. */
export async function pace(): Promise<Record<string, number>> {
  const told = await ask<{ seconds: Record<string, number> }>("GET", "/api/me/pace", undefined, {
    by: toDevice(),
  });
  return told.seconds;
}

/** The record of a game with all its cards, for another device or the analysis board. */
export function wholeRecord(id: string): Promise<string> {
  return ask<string>("GET", `/api/tables/${id}/whole-record`);
}

/** Keep the game of a record here; returns the address at which it goes on, or at which it can be looked at. */
export async function keepRecord(record: string): Promise<string> {
  const { id, current } = await takeUp({ record });
  return addressOf({ id, isOver: current.table?.stage === "over" });
}

/** Play on from the end of a record, with a level or null for a person at each seat; returns the id of the table. */
export async function playOn(
  record: string,
  levels: readonly (string | null)[],
  names: readonly string[],
): Promise<string> {
  return (await takeUp({ record, levels, names })).id;
}

function takeUp(wanted: object): Promise<TableAnswer> {
  const body = { key: newKey(), ...wanted };
  return ask<TableAnswer>("POST", "/api/tables/from-record", body, { by: toDevice() });
}

/** Where a game goes on, or can be looked at. */
export function addressOf({ id, isOver }: Pick<KeptGame, "id" | "isOver">): string {
  return isOver ? `/replay/${id}` : `/table/${id}`;
}

/** Delete a game for ever. */
export async function deleteGame(id: string): Promise<void> {
  await ask("DELETE", `/api/tables/${id}`);
  forgetUnfinished(id);
}

/**
 * A form for what the engine on this device offers; nothing here is rated, listed or against the clock. `ruleset`
 * takes precedence over the last choice.
 */
export async function newDeviceForm(ruleset: string | null = null): Promise<Form> {
  const offered = await ask<Rulesets>("GET", "/api/rulesets", undefined, { by: toDevice() });
  const usual = { rated: false, listed: false, clock: "none", hints: true } as const;
  // Most come alone: until somebody chose otherwise, there is a bot beside them.
  const others = [lastLevel.chosen, null, null, null];
  const choice = { others, ...lastChoice(), ...usual, ...(ruleset === null ? {} : { ruleset }) };
  return new Form(offered, fitted(choice, offered));
}

/** Seat everybody and begin; returns the id of the table. */
export async function begin(
  terms: Terms,
  bots: readonly string[],
  names: readonly string[],
): Promise<string> {
  const [host, ...others] = names;
  const { id } = await ask<TableAnswer>(
    "POST",
    "/api/tables",
    { terms, bots, key: newKey() },
    { by: toDevice(host) },
  );
  for (const name of others)
    await ask("POST", `/api/tables/${id}/sit`, { key: newKey() }, { by: toDevice(name) });
  await ask("POST", `/api/tables/${id}/start`, { key: newKey() });
  return id;
}
