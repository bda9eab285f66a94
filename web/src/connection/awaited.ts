/** Whose choice a table waits for. */

import type { Standing } from "./standing";

/** The seat of a bot that is to act, null if a person is, or nobody; a bot may sit in for a person. */
export function awaitedBot(standing: Standing | null): number | null {
  if (standing?.table.stage !== "running") return null;
  const seat = standing.view?.to_act;
  if (typeof seat !== "number") return null;
  const chair = standing.table.chairs[seat];
  return chair?.kind === "bot" || chair?.minder != null ? seat : null;
}
