/** How a game ended, in words. */

import type { Table } from "../../api/messages";
import { familyOf } from "../../board/places";
import { say } from "../../words/words.svelte";

/** Who won, or that there is no winner; `you` is the reader's seat. */
export function resultTitle(table: Table, names: readonly string[], you: number | null): string {
  if (table.ending === "closed") return say("web.table.over.closed");
  if (table.winner === null) return say("web.table.over.nobody");
  return table.winner === you
    ? say("web.table.over.you_won")
    : say("web.table.over.won", { name: names[table.winner] ?? "" });
}

/** Why a table ended; null while it has not. The winner's pirates are at the goal of the game. */
export function endingText(table: Table): string | null {
  if (table.ending === null) return null;
  if (table.ending === "won") return say(`web.table.ending.won.${familyOf(table)}`);
  return say(`web.table.ending.${table.ending}`);
}
