/** Whose hand is covered: several people share one screen, and it looks from one seat at a time. */

import type { Table, View } from "../api/messages";
import { isOnDevice } from "../api/transport";

/** The seat that has to take this device before its hand is shown; null if nothing is covered. */
export function coveredSeat(table: Table, { to_act: toAct }: View, seat: number | null): number | null {
  if (!isOnDevice(table.id) || table.stage !== "running" || typeof toAct !== "number") return null;
  const chair = table.chairs[toAct];
  // A bot may play on for a person who has resigned: then nobody comes.
  return toAct !== seat && chair?.kind === "person" && chair.minder == null ? toAct : null;
}

const PAUSE_MS = 700;

/**
 * Call `allow` once a press is meant for what covers a hand: the second of a double press on what lay there before
 * comes sooner. Returns what calls it off.
 */
export function oncePressable(allow: () => void): () => void {
  const timer = setTimeout(allow, PAUSE_MS);
  return () => clearTimeout(timer);
}
