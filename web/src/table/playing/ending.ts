/** Ending the turn automatically when nothing else is left to do, with a moment to take it back. */

import type { View, Wishes } from "../../api/messages";

/** How long the player may take back the last action. */
export const MOMENT_MS = 1500;

/** The code that ends the turn if nothing else can be done after actions; else null. */
export function codeToEnd(view: View, wishes: Wishes | null): number | null {
  const [only, ...others] = wishes?.legal ?? [];
  if (only?.kind !== "end_turn" || others.length > 0 || view.actions_used === 0) return null;
  return only.code;
}
