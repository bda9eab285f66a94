/** Who is who on a surface: what the seats are called, and which of them the reader plays. */

import type { Table } from "../api/messages";
import { isPlayedByBot, namesOf } from "../connection/names";
import { LOOKS } from "../ui/crews";
import { say } from "../words/words.svelte";

/** The seat whose deeds are the reader's own; null while a bot, told like any other, plays for them. */
export function playedSeat(table: Table | null, you: number | null): number | null {
  const chair = you === null || table?.stage !== "running" ? undefined : table.chairs[you];
  return chair !== undefined && isPlayedByBot(chair) ? null : you;
}

/** The names of seats if none are given: as at the table, else by the colour of the crew. */
export function nameOfSeats(table: Table | null, seats: number): string[] {
  if (table !== null) return namesOf(table);
  return LOOKS.slice(0, seats).map(({ word }) => say(`crew.${word}`));
}
