/** A table in a few words. */

import type { Table } from "../api/messages";
import { paceText } from "../ui/pace";
import { count, say } from "../words/words.svelte";

/** A short line for the top bar: `Tortuga · 4 players · 10 min + 15 s`. */
export function captionOf(table: Table): string {
  const players = count("web.table.players", table.chairs.length);
  return [say(`ruleset.${table.ruleset.preset}`), players, paceText(table.clock)].join(" · ");
}
