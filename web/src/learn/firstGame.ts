/** The first game after the lessons: against the mildest bot, casual, so that hints are allowed. */

import type { TableAnswer, Terms, Update } from "../api/messages";
import { ask, newKey } from "../api/service";
import { enter } from "../shell/me.svelte";

const TERMS: Terms = {
  ruleset: "tortuga",
  edition: "en",
  options: {},
  seats: 2,
  clock: null,
  listed: false,
  rated: false,
  spectators: true,
};

/** Open the table and begin at once; answers its id. Without a number of ours the cards are dealt at once. */
export async function openFirstGame(): Promise<string> {
  await enter();
  const { id } = await ask<TableAnswer>("POST", "/api/tables", {
    terms: TERMS,
    bots: ["deckhand"],
    key: newKey(),
  });
  await ask<Update>("POST", `/api/tables/${id}/start`, { key: newKey() });
  return id;
}
