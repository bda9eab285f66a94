/** Coaching: only in the first turns of the first game against bots that this browser begins. */

const STORE = "cartagena.coached";

class Coaching {
  /** The table of the coached game, "" once that is over, null before the first game. */
  #table: string | null = $state.raw(stored());
  /** Whether the coached game has just begun: its goal and its actions are shown first. */
  isWelcome = $state(false);

  /** A game against bots begins; the first one is coached. */
  offer(table: string): void {
    if (this.#table !== null) return;
    this.#keep(table);
    this.isWelcome = true;
  }

  isAt(table: string): boolean {
    return this.#table === table;
  }

  readonly stop = (): void => {
    this.isWelcome = false;
    this.#keep("");
  };

  #keep(table: string): void {
    this.#table = table;
    try {
      localStorage.setItem(STORE, table);
    } catch {
      // Without storage each visit begins with a coached game.
    }
  }
}

export const coaching = new Coaching();

function stored(): string | null {
  try {
    return localStorage.getItem(STORE);
  } catch {
    // Forbidden storage counts as empty.
    return null;
  }
}
