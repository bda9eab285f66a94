/** A game that another page hands to the analysis board: it may be too long for an address. */

import { go } from "../shell/router.svelte";

export interface Incoming {
  text: string;
  /** After how many of its actions it is shown. */
  at: number;
}

let incoming: Incoming | null = null;

/** Go to the analysis board with a game. */
export function openOnBoard(game: Incoming): void {
  incoming = game;
  go("/analysis");
}

/** The game that was handed over; it is taken once. */
export function takeIncoming(): Incoming | null {
  const taken = incoming;
  incoming = null;
  return taken;
}
