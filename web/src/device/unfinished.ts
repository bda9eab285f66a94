/** The game on this device that was played last and is not over: a page can offer it without waking the engine. */

const STORE = "cartagena.unfinished";

export interface Unfinished {
  id: string;
  ruleset: string;
}

/** Null without such a game. */
export function unfinished(): Unfinished | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "null");
    return isUnfinished(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** A game goes on. */
export function keepUnfinished({ id, ruleset }: Unfinished): void {
  try {
    localStorage.setItem(STORE, JSON.stringify({ id, ruleset }));
  } catch {
    // Without storage the list of games is the only way back.
  }
}

/** A game is over, or was deleted. */
export function forgetUnfinished(id: string): void {
  if (unfinished()?.id === id) localStorage.removeItem(STORE);
}

function isUnfinished(kept: unknown): kept is Unfinished {
  if (typeof kept !== "object" || kept === null) return false;
  const { id, ruleset } = kept as Record<string, unknown>;
  return typeof id === "string" && typeof ruleset === "string";
}
