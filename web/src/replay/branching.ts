/** Trying another move: the player's own table that goes on from a moment of the game, against bots. */

import type { TableAnswer } from "../api/messages";
import { ask, newKey } from "../api/service";
import { isOnDevice } from "../api/transport";
import { enter } from "../shell/me.svelte";
import { go } from "../shell/router.svelte";

/** Open such a table after `step` actions of the record, and go there. A visitor becomes a guest. */
export async function playOnFrom(tableId: string, query: string, step: number): Promise<void> {
  if (!isOnDevice(tableId)) await enter();
  const invite = new URLSearchParams(query).get("invite");
  const table = await ask<TableAnswer>("POST", `/api/tables/${tableId}/branch`, {
    key: newKey(),
    step,
    invite,
  });
  go(`/table/${table.id}`);
}
