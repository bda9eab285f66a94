/** News of a table as a sentence. */

import type { News } from "../api/messages";
import { say } from "../words/words.svelte";
import { levelWord } from "../live/names";

/** Kinds that have a sentence; what is unknown or about numbers only is not told. */
const TOLD: readonly News["kind"][] = [
  "sat",
  "left",
  "kicked",
  "bot_added",
  "bot_removed",
  "settings_changed",
  "reordered",
  "started",
  "called_off",
  "began",
  "undone",
  "resigned",
  "expired",
  "taken_back",
  "abandon_asked",
  "abandon_withdrawn",
  "abandoned",
  "rematch",
  "muted",
  "unmuted",
  "closed",
];

/** One sentence, or null for news that need none. */
export function newsText({ kind, seat, name }: News, names: readonly string[]): string | null {
  if (!TOLD.includes(kind)) return null;
  if ((kind === "muted" || kind === "unmuted") && seat == null) return say(`web.news.${kind}_watcher`);
  const who = name ?? (seat == null ? "" : (names[seat] ?? ""));
  return say(`web.news.${kind}`, { name: kind.startsWith("bot") ? levelWord(who) : who });
}
