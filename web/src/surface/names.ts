/** What seats are called when nobody handed in names: as at the table, else by the colour of the crew. */

import type { Table } from "../api/messages";
import { namesOf } from "../live/names";
import { LOOKS } from "../ui/crews";
import { say } from "../words/words.svelte";

export function nameOfSeats(table: Table | null, seats: number): string[] {
  if (table !== null) return namesOf(table);
  return LOOKS.slice(0, seats).map(({ word }) => say(`crew.${word}`));
}
