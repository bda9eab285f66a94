/** The terms of a table, in full and in a few words. */

import type { Table, Terms } from "../api/messages";
import { paceText } from "../ui/pace";
import { count, say } from "../words/words.svelte";

/** The terms of a table; the options are listed one by one, so no edition is needed. */
export function termsOf(table: Table): Terms {
  return {
    ruleset: table.ruleset.preset,
    options: table.ruleset.options,
    seats: table.chairs.length,
    clock: table.clock,
    listed: table.listed,
    rated: table.rated,
    spectators: table.spectators,
    // Left out where it is off: a node of the previous release does not know it.
    ...(table.hints === true ? { hints: true } : {}),
  };
}

/** Whether clock, rules and seats stay: others have sat down under these terms for a game that is rated. */
export function keepsTerms(table: Table): boolean {
  return table.rated && table.chairs.some(({ kind, is_host }) => kind === "person" && is_host !== true);
}

/** A short line for the top bar: `Tortuga · 4 players · 10 min + 15 s`, and what else all should know. */
export function captionOf(table: Table, watching: number): string {
  return [
    say(`ruleset.${table.ruleset.preset}`),
    count("web.table.players", table.chairs.length),
    paceText(table.clock),
    ...(table.hints === true ? [say("web.table.caption.hints")] : []),
    ...(watching > 0 ? [count("web.presence.watching", watching)] : []),
  ].join(" · ");
}

/** Whether the seat to act may ask for a hint: always if alone against bots, else if the host allows it. */
export function allowsHints(table: Table): boolean {
  const people = table.chairs.filter(({ kind }) => kind === "person").length;
  return !table.rated && (people === 1 || (table.hints === true && table.quick !== true));
}
