/** Who is at a table, as its stream tells it. */

import type { Presence, Table } from "../api/messages";

export type Whereabouts = "here" | "away" | "gone";

/** Where the player of a seat is; null for a seat without a person, and until it is known. */
export function whereabouts(presence: Presence | null, table: Table, seat: number): Whereabouts | null {
  if (presence === null || table.chairs[seat]?.kind !== "person") return null;
  if (presence.here.includes(seat)) return "here";
  return presence.away.includes(seat) ? "away" : "gone";
}

/** A seat whose player has gone, or is here again. */
export interface Coming {
  seat: number;
  where: "here" | "gone";
}

/** Who has gone and who has come back between two looks; a player who is away may be back in a moment. */
export function comings(before: Presence | null, after: Presence | null, table: Table): Coming[] {
  if (before === null || after === null) return [];
  return table.chairs.flatMap(({ seat }) => {
    const [was, is] = [whereabouts(before, table, seat), whereabouts(after, table, seat)];
    if (was === is || is === null || is === "away") return [];
    return is === "gone" || was === "gone" ? [{ seat, where: is }] : [];
  });
}
