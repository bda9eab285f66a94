/** A hint of the engine in a casual game: asked for, waited for, and forgotten when the table moves on. */

import type { Hint, Prospect } from "../../api/messages";
import { ask, newKey, sleep } from "../../api/service";
import type { LiveTable } from "../../live/table.svelte";
import { attempt } from "../refusals";

export class Hinting {
  isThinking = $state(false);
  private found: { seq: number; best: Prospect } | null = $state.raw(null);

  constructor(private readonly live: LiveTable) {}

  /** The best decision, as long as the table stands where it was asked for. */
  get best(): Prospect | null {
    return this.found?.seq === this.live.seq ? this.found.best : null;
  }

  /** The chance to win with it, of the reader's own seat, in per cent. */
  get chance(): number {
    return Math.round((this.best?.chances[this.live.seat ?? 0] ?? 0) * 100);
  }

  async ask(): Promise<void> {
    if (this.isThinking) return;
    this.isThinking = true;
    const path = `/api/tables/${this.live.id}`;
    await attempt(async () => {
      const first = await ask<Hint>("POST", `${path}/hint`, { key: newKey() });
      const ready = await whenReady(first, () => ask<Hint>("GET", `${path}/hints/${first.id}`));
      if (ready?.found != null) this.found = { seq: ready.seq, best: ready.found.best };
    });
    this.isThinking = false;
  }

  forget(): void {
    this.found = null;
  }
}

/** Ask again and again until a hint is ready; undefined if there will be none. */
async function whenReady(first: Hint, again: () => Promise<Hint>): Promise<Hint | undefined> {
  let job = first;
  for (let tries = 0; job.state === "waiting" && tries < 60; tries++) {
    await sleep(1000);
    job = await again();
  }
  return job.state === "ready" ? job : undefined;
}
