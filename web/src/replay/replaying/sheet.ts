/** The score sheet: rounds down, crews across in the order of play, the actions of a turn in each cell. */

import type { Deed } from "./deeds";
import { turnsOf, type Moment } from "./moments";

/** A turn; a forced pass has one moment too. */
export interface SheetTurn {
  turn: number;
  seat: number;
  /** The moments of its actions, from the first to the last. */
  first: number;
  last: number;
}

export interface Sheet {
  /** The seats from the one that began. */
  seats: number[];
  /** For each round the turn of each seat, or null. */
  rounds: (SheetTurn | null)[][];
}

export function sheetOf(moments: readonly Moment[], seats: number, firstSeat: number): Sheet {
  const order = Array.from({ length: seats }, (_, place) => (firstSeat + place) % seats);
  const rounds: (SheetTurn | null)[][] = [];
  for (const [turn, { first, last }] of turnsOf(moments)) {
    const seat = moments[first]?.deed?.seat;
    // The deal belongs to no seat.
    if (seat === undefined) continue;
    const round = Math.floor((turn - 1) / seats);
    while (rounds.length <= round) rounds.push(order.map(() => null));
    rounds[round]?.splice(order.indexOf(seat), 1, { turn, seat, first, last });
  }
  return { seats: order, rounds };
}

/** A glyph of a turn: what was done, which moment it leads to, and how many times in a row. */
export interface Glyph {
  deed: Deed;
  moment: number;
  times: number;
}

/** The glyphs of a turn. A freebooter can cost many cards one by one: a seat's trims share one glyph. */
export function glyphsOf(moments: readonly Moment[], { first, last }: SheetTurn): Glyph[] {
  const glyphs: Glyph[] = [];
  for (let moment = first; moment <= last; moment++) {
    const deed = moments[moment]?.deed;
    const before = glyphs.at(-1);
    if (deed == null) continue;
    const isMore = deed.kind === "trim" && before?.deed.kind === "trim" && before.deed.seat === deed.seat;
    if (isMore) before.times++;
    else glyphs.push({ deed, moment, times: 1 });
  }
  return glyphs;
}
