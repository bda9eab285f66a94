/** Which games of a player are looked for, in the address of the page and in what the service is asked. No browser here. */

import { isOutcome, type Outcome } from "./outcome";

/** An empty word lets everything through. */
export interface GamesFilter {
  ruleset: string;
  outcome: Outcome | "";
  rated: "true" | "false" | "";
  /** A part of an opponent's name. */
  against: string;
}

export const ALL: GamesFilter = { ruleset: "", outcome: "", rated: "", against: "" };

/** The service reads no longer one. */
export const LONGEST_SEARCH = 40;

/** What stands behind the question mark; what makes no sense there lets everything through. */
export function filterOf(query: URLSearchParams, rulesets: readonly string[]): GamesFilter {
  const [ruleset, outcome, rated] = ["ruleset", "outcome", "rated"].map((name) => query.get(name) ?? "");
  return {
    ruleset: ruleset !== undefined && rulesets.includes(ruleset) ? ruleset : "",
    outcome: isOutcome(outcome) ? outcome : "",
    rated: rated === "true" || rated === "false" ? rated : "",
    against: (query.get("against") ?? "").slice(0, LONGEST_SEARCH),
  };
}

/** What stands behind the question mark for a filter, with the mark; nothing if all games are shown. */
export function filterQuery(filter: GamesFilter): string {
  const query = asked(filter).toString();
  return query === "" ? "" : `?${query}`;
}

/** Whether all games are shown. */
export function isAll(filter: GamesFilter): boolean {
  return filterQuery(filter) === "";
}

/** Where the service tells the games; `levels` are bots that are meant, too, `before` is the last game seen. */
export function gamesPath(
  player: string,
  filter: GamesFilter,
  { levels = [], before }: { levels?: readonly string[]; before?: string | undefined } = {},
): string {
  const query = asked(filter);
  for (const level of levels) query.append("levels", level);
  if (before !== undefined) query.set("before", before);
  return `/api/players/${encodeURIComponent(player)}/games?${query.toString()}`;
}

/** The levels of bots whose names, as the reader reads them, have a text in them. */
export function levelsNamed(
  text: string,
  levels: readonly string[],
  nameOf: (level: string) => string,
): string[] {
  const wanted = text.trim().toLowerCase();
  return wanted === "" ? [] : levels.filter((level) => nameOf(level).toLowerCase().includes(wanted));
}

function asked({ ruleset, outcome, rated, against }: GamesFilter): URLSearchParams {
  const words = Object.entries({ ruleset, outcome, rated, against: against.trim() });
  return new URLSearchParams(words.filter(([, word]) => word !== ""));
}
