/** Another game after a finished one: with everybody who was there, or against stronger or weaker bots. */

import type { Table, Update } from "../../api/messages";
import { ask, newKey } from "../../api/service";
import { isOnDevice } from "../../api/transport";
import { playBots } from "../../home/joining";
import { lastLevel } from "../../home/lastLevel.svelte";
import { levelWord } from "../../connection/names";
import { withPledge } from "../../connection/shuffle";
import { go } from "../../shell/router.svelte";
import { stepped } from "../../ui/levels";
import { attempt } from "../refusals";
import { termsOf } from "../terms";

/** Bots of another level to play against, and their names. */
export interface Step {
  bots: readonly string[];
  level: string;
}

/** The levels of all others at a table, if the reader plays against bots only; else null. */
export function botsAround(table: Table, seat: number | null): string[] | null {
  if (seat === null) return null;
  const others = table.chairs.filter((chair) => chair.seat !== seat);
  return others.every(({ kind }) => kind === "bot") ? others.map(({ level }) => level ?? "") : null;
}

/** These bots one level up or down; null if there is no such level. */
export function stepOf(bots: readonly string[] | null, step: 1 | -1): Step | null {
  const next = bots === null ? null : stepped(bots, step);
  return next === null ? null : { bots: next, level: [...new Set(next)].map(levelWord).join(", ") };
}

/** Whether another game is being opened: the second press of a double click must not open one more. */
let isOpening = false;

async function opening(open: () => Promise<void>): Promise<void> {
  if (isOpening) return;
  isOpening = true;
  await attempt(open);
  isOpening = false;
}

/** Go to the table where everyone meets again; against bots the game begins at once. */
export async function rematch(table: Table, seat: number | null): Promise<void> {
  if (table.rematch !== null) {
    go(`/table/${table.rematch}`);
    return;
  }
  await opening(async () => {
    if (isOnDevice(table.id)) {
      await againOnDevice(table, botsOf(table));
      return;
    }
    const { id } = await withPledge((promised) =>
      ask("POST", `/api/tables/${table.id}/rematch`, { key: newKey(), ...promised }),
    );
    if (botsAround(table, seat) !== null)
      await attempt(() => ask<Update>("POST", `/api/tables/${id}/start`, { key: newKey() }));
    go(`/table/${id}`);
  });
}

/** Start the game again at once against other bots, and remember their level. */
export async function against(table: Table, bots: readonly string[]): Promise<void> {
  await opening(async () => {
    lastLevel.keep(bots);
    if (isOnDevice(table.id)) {
      await againOnDevice(table, bots);
      return;
    }
    const { id } = await playBots(termsOf(table), bots);
    go(`/table/${id}`);
  });
}

/** On one device nobody has to come to a new table: everybody is there already. */
async function againOnDevice(table: Table, bots: readonly string[]): Promise<void> {
  const people = table.chairs.filter(({ kind }) => kind === "person").map(({ name }) => name ?? "");
  const { begin } = await import("../../device/playing");
  go(`/table/${await begin(termsOf(table), bots, people)}`);
}

function botsOf(table: Table): string[] {
  return table.chairs.filter(({ kind }) => kind === "bot").map(({ level }) => level ?? "");
}
