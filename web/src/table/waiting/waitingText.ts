/** What the waiting room tells its reader: host, guest and spectator wait for different things. */

import type { Table } from "../../api/messages";
import { namesOf } from "../../connection/names";
import { say } from "../../words/words.svelte";

/** What the reader on this seat, or without one, can do until the game begins. */
export function waitingText(table: Table, seat: number | null): string {
  if (seat === null && table.chairs.every(({ kind }) => kind !== "open")) return fullText(table);
  if (table.quick === true) return say("web.table.waiting.explained.quick");
  const host = table.chairs.findIndex(({ is_host }) => is_host === true);
  if (seat === host) return say("web.table.waiting.explained");
  const name = namesOf(table)[host] ?? "";
  return say(`web.table.waiting.explained.${seat === null ? "onlooker" : "guest"}`, { name });
}

function fullText(table: Table): string {
  const watching = table.spectators ? "web.table.waiting.explained.watch" : "web.table.terms.no_spectators";
  return `${say("web.table.waiting.explained.taken")} ${say(watching)}`;
}
