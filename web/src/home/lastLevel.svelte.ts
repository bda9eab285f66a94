/** The level against which this browser played last; the next game against bots begins with it. */

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
      // Where storage is forbidden, the level lasts as long as the page.
    }
  }

  /** Keep the level of the first of some bots. */
  keep(bots: readonly string[]): void {
    const first = bots.find(isLevel);
    if (first !== undefined) this.chosen = first;
  }
}

export const lastLevel = new LastLevel();

/** What was kept, else what the last table had, else the gentlest one. */
function stored(): Level {
  try {
    const kept = localStorage.getItem(STORE);
    if (isLevel(kept)) return kept;
  } catch {
    // Storage that is forbidden is the same as none.
  }
  return lastChoice().others?.find(isLevel) ?? "deckhand";
}
