/** What the seats of a table are called on a screen. */

import type { Chair, Table } from "../api/messages";
import { isOnDevice } from "../api/transport";
import { LEVELS } from "../ui/levels";
import { say } from "../words/words.svelte";

/** The names of all seats; bots are called by their level, and numbered if there are several of one. */
export function namesOf(table: Table): string[] {
  const levels = table.chairs.map(({ kind, level }) => (kind === "bot" ? (level ?? "") : null));
  return table.chairs.map(({ name }, seat) => levelAt(levels, seat) ?? name ?? "");
}

/** What the players of a record are called; a record names our bots by their levels. */
export function namesInRecord(names: readonly string[]): string[] {
  const levels = names.map((name) => (OURS.includes(name) ? name : null));
  return names.map((name, seat) => levelAt(levels, seat) ?? name);
}

/** The level at a seat, with a number if several seats have it; null if no bot plays there. */
function levelAt(levels: readonly (string | null)[], seat: number): string | null {
  const level = levels[seat] ?? null;
  if (level === null) return null;
  const isAlike = (other: string | null): boolean => other === level;
  const number = levels.slice(0, seat + 1).filter(isAlike).length;
  return levels.filter(isAlike).length > 1 ? `${levelWord(level)} ${number}` : levelWord(level);
}

/** Whose page the name at a seat leads to; null for bots, and on a device, where nobody has a page. */
export function pageOf(table: Table | null, seat: number): string | null {
  return table === null || isOnDevice(table.id) ? null : (table.chairs[seat]?.player ?? null);
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
