/** What the seats of a table are called on a screen. */

import type { Chair, Table } from "../api/messages";
import { LEVELS } from "../ui/levels";
import { say } from "../words/words.svelte";

/** The names of all seats; bots are called by their level, and numbered if there are several of one. */
export function namesOf(table: Table): string[] {
  return table.chairs.map((chair) => {
    if (chair.kind !== "bot") return chair.name ?? "";
    const alike = table.chairs.filter(({ kind, level }) => kind === "bot" && level === chair.level);
    const word = levelWord(chair.level ?? "");
    return alike.length > 1 ? `${word} ${alike.indexOf(chair) + 1}` : word;
  });
}

/** A level in the reader's language; an installed bot keeps its own name. */
export function levelWord(level: string): string {
  return OURS.includes(level) ? say(`web.level.${level}`) : level;
}

/** Whether a bot plays this crew now, as itself or for the crew's owner. */
export function isPlayedByBot(chair: Chair): boolean {
  return chair.kind === "bot" || chair.minder != null;
}

const OURS: readonly string[] = ["random", ...LEVELS];
