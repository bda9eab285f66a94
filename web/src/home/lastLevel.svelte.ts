/** The level of this browser's last bots; the next game against bots begins with it. */

import { isLevel, type Level } from "../ui/levels";
import { lastChoice } from "./lastChoice";

const STORE = "cartagena.level";

class LastLevel {
  #level: Level = $state(stored());

  get chosen(): Level {
    return this.#level;
  }

  set chosen(level: Level) {
    this.#level = level;
    try {
      localStorage.setItem(STORE, level);
    } catch {
      // Without storage the level lasts as long as the page.
    }
  }

  /** Keep the level of the first of these bots. */
  keep(bots: readonly string[]): void {
    const first = bots.find(isLevel);
    if (first !== undefined) this.chosen = first;
  }
}

export const lastLevel = new LastLevel();

/** The kept level, else that of the last table, else the gentlest. */
function stored(): Level {
  try {
    const kept = localStorage.getItem(STORE);
    if (isLevel(kept)) return kept;
  } catch {
    // Forbidden storage counts as empty.
  }
  return lastChoice().others?.find(isLevel) ?? "deckhand";
}
