/** What a seat did with one action, derived from what happened. */

import type { Happening } from "../../api/messages";

export type DeedKind = "play" | "retreat" | "push" | "sail" | "trim" | "pass";

/** One action as a line of the details or a glyph of the score sheet. */
export interface Deed {
  kind: DeedKind;
  seat: number;
  /** The card played or trimmed; null without a card, or if it lies face down. */
  card: string | null;
  /** The crew whose pirate moved. */
  crew: number | null;
  start: number | null;
  target: number | null;
  /** The cards it brought; null for a card that the reader may not know. */
  drawn: (string | null)[];
  /** A free crossing, or a forced pass. */
  unasked: boolean;
}

const NOTHING = { card: null, crew: null, start: null, target: null, drawn: [], unasked: false };

/** The deed in a list of happenings, passes aside; null if there is none. */
export function deedOf(happened: readonly Happening[]): Deed | null {
  const moved = happened.find((each) => each.happening === "moved");
  if (moved !== undefined) return moveOf(moved, happened);
  const sailed = happened.find((each) => each.happening === "sailed");
  if (sailed !== undefined) return { ...NOTHING, kind: "sail", seat: sailed.seat, unasked: sailed.free };
  const trimmed = happened.find((each) => each.happening === "trimmed");
  if (trimmed !== undefined) return { ...NOTHING, kind: "trim", seat: trimmed.seat, card: trimmed.card };
  return null;
}

/** A turn that ended without an action. */
export function passOf({ seat, forced }: Extract<Happening, { happening: "passed" }>): Deed {
  return { ...NOTHING, kind: "pass", seat, unasked: forced };
}

function moveOf(
  { seat, crew, start, target }: Extract<Happening, { happening: "moved" }>,
  happened: readonly Happening[],
): Deed {
  const played = happened.find((each) => each.happening === "played");
  const drawn = happened.filter((each) => each.happening === "drew").map(({ card }) => card);
  const kind = played !== undefined ? "play" : crew === seat ? "retreat" : "push";
  return { ...NOTHING, kind, seat, card: played?.card ?? null, crew, start, target, drawn };
}
