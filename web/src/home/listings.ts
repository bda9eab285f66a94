/** The tables of the lobby, kept up to date from pages and changes. No network here. */

import type { Listing } from "../api/messages";

/** What the lobby's stream tells about one table; `table` is null once it is no longer listed. */
export interface Change {
  id: string;
  seq: number;
  table: Listing | null;
}

/** The newest known seq of each table, including those that are gone, and the listed tables. */
export interface Listings {
  seqs: ReadonlyMap<string, number>;
  tables: ReadonlyMap<string, Listing>;
}

export const NO_LISTINGS: Listings = { seqs: new Map(), tables: new Map() };

/** After a complete page of one stage: tables of that stage that are not on it are gone. */
export function afterPage(before: Listings, stage: Listing["stage"], page: readonly Listing[]): Listings {
  const kept = [...before.tables.values()].filter((table) => table.stage !== stage);
  const start: Listings = { seqs: before.seqs, tables: new Map(kept.map((table) => [table.id, table])) };
  // The page may be older than a change that is already known: then the change is right.
  return page.reduce((listings, table) => {
    const known = before.tables.get(table.id);
    const newest = known !== undefined && known.seq > table.seq ? known : table;
    return afterChange(listings, { id: table.id, seq: newest.seq, table: newest });
  }, start);
}

/** After one change; a change older than the known state changes nothing. */
export function afterChange(before: Listings, { id, seq, table }: Change): Listings {
  if (seq < (before.seqs.get(id) ?? -1)) return before;
  const tables = new Map(before.tables);
  if (table === null) tables.delete(id);
  else tables.set(id, table);
  return { seqs: new Map(before.seqs).set(id, seq), tables };
}

/** Tables where a seat is free, the newest first. */
export function openTables(listings: Listings): Listing[] {
  return newestFirst(listings, (table) => table.stage === "open" && table.free > 0);
}

/** Tables that may be watched, the newest first. */
export function runningTables(listings: Listings): Listing[] {
  return newestFirst(listings, (table) => table.stage === "running" && table.spectators);
}

function newestFirst(listings: Listings, wanted: (table: Listing) => boolean): Listing[] {
  return [...listings.tables.values()].filter(wanted).sort((one, other) => other.created - one.created);
}
