/** Cards that go from one spot of the table to another when something happens, as plain values. */

import type { Happening } from "../api/messages";
import type { Place } from "./places";

/** Where cards lie: a player's hand, a slot of the row, one of the piles. */
export type Spot =
  { at: "hand"; seat: number } | { at: "row"; slot: number } | { at: "stock" } | { at: "discard" };

/** A card on its way; `card` is null if only its back may be seen. */
export interface Flight {
  card: string | null;
  from: Spot;
  to: Spot;
  /** Where the pirate goes meanwhile: a screen without piles shows the card there. */
  beside: Place | null;
  /** Milliseconds after the first card. */
  after: number;
}

/** The cards of the row: how many a new row has, and how many are left. */
export interface RowLeft {
  most: number;
  left: number;
}

/** Milliseconds between drawn cards, and between their sounds. */
const NEXT_CARD = 110;

/** The cards that fly in one update, given the row before it. */
export function flightsOf(happened: readonly Happening[], row: RowLeft): Flight[] {
  const beside = happened.find((each) => each.happening === "moved")?.target ?? null;
  let { left } = row;
  let drawn = 0;
  return happened.flatMap((each): Flight[] => {
    if (each.happening === "played" || each.happening === "trimmed") {
      const { card, seat } = each;
      return [{ card, from: { at: "hand", seat }, to: { at: "discard" }, beside, after: 0 }];
    }
    if (each.happening === "row_laid") left = each.cards.length;
    if (each.happening !== "drew") return [];
    const from: Spot = each.from_row ? { at: "row", slot: row.most - left-- } : { at: "stock" };
    const to: Spot = { at: "hand", seat: each.seat };
    return [{ card: each.card, from, to, beside, after: NEXT_CARD * drawn++ }];
  });
}

/** How many cards are left in the row after an update. */
export function rowAfter(happened: readonly Happening[], left: number): number {
  return happened.reduce((now, each) => {
    if (each.happening === "row_laid") return each.cards.length;
    return each.happening === "drew" && each.from_row ? now - 1 : now;
  }, left);
}

/**
 * The names that an element may have for a spot (`data-cards`), the best first: where the card itself lies,
 * where the hand is, and finally the place on the board where it happens.
 */
export function namesOfSpot(spot: Spot, { card, beside }: Flight): string[] {
  const place = beside === null ? [] : [`place-${beside}`];
  switch (spot.at) {
    case "hand":
      return [...(card === null ? [] : [`hand-${spot.seat}-${card}`]), `hand-${spot.seat}`];
    case "row":
      return [`row-${spot.slot}`, "row"];
    case "stock":
    case "discard":
      return [spot.at, ...place];
  }
}
