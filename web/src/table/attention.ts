/** The browser tab: its title, and a mark on its icon while it is the reader's turn. */

import waiting from "./your-turn.svg?url";
import { count, say } from "../words/words.svelte";
import type { Table, View } from "../api/messages";

const ACTIONS = 3;

/** The title of the page; `isYours` says whether the reader is to choose. */
export function titleOf(table: Table, view: View | null, names: readonly string[], isYours: boolean): string {
  const game = say(`ruleset.${table.ruleset.preset}`);
  if (table.stage === "over") return say("web.table.title.over", { game });
  if (view === null) return say("web.table.title.waiting", { game });
  if (isYours) return count("web.table.title.yours", Math.max(0, ACTIONS - view.actions_used));
  const name = typeof view.to_act === "number" ? (names[view.to_act] ?? "") : "";
  return say("web.table.title.theirs", { name, game });
}

/** Put the mark on the tab's icon, or remove it. */
export function markIcon(isMarked: boolean): void {
  const marks = document.querySelectorAll<HTMLLinkElement>('link[rel="icon"][data-mark]');
  if (!isMarked) marks.forEach((mark) => mark.remove());
  else if (marks.length === 0) {
    const mark = document.createElement("link");
    mark.rel = "icon";
    mark.type = "image/svg+xml";
    mark.href = waiting;
    mark.dataset["mark"] = "";
    // Browsers use the last icon.
    document.head.append(mark);
  }
}
