/** Which games of a player are wanted, in the page's address and in the request. No browser here. */

import { isOutcome, type Outcome } from "./outcome";

/** An empty word matches everything. */
export interface GamesFilter {
  ruleset: string;
  outcome: Outcome | "";
  rated: "true" | "false" | "";
  /** A part of an opponent's name. */
  against: string;
}

export const ALL: GamesFilter = { ruleset: "", outcome: "", rated: "", against: "" };

/** The service accepts no longer text. */
export const LONGEST_SEARCH = 40;

/** The part of the address after the question mark; nonsense there matches everything. */
export function filterOf(query: URLSearchParams, rulesets: readonly string[]): GamesFilter {
  const [ruleset, outcome, rated] = ["ruleset", "outcome", "rated"].map((name) => query.get(name) ?? "");
  return {
    ruleset: ruleset !== undefined && rulesets.includes(ruleset) ? ruleset : "",
    outcome: isOutcome(outcome) ? outcome : "",
    rated: rated === "true" || rated === "false" ? rated : "",
    against: (query.get("against") ?? "").slice(0, LONGEST_SEARCH),
  };
}

/** The query for a filter, with its question mark; empty if all games are shown. */
export function filterQuery(filter: GamesFilter): string {
  const query = asked(filter).toString();
  return query === "" ? "" : `?${query}`;
}

/** Whether all games are shown. */
export function isAll(filter: GamesFilter): boolean {
  return filterQuery(filter) === "";
}

/** The service's path for the games; `levels` are bots to include, `before` is the last game seen. */
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

/** The levels of bots whose names, in the reader's language, contain a text. */
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
