/** A hint of the engine in a casual game: requested, awaited, told, and forgotten when the table moves on. */

import type { Hint, Legal, Prospect } from "../../api/messages";
import { ask, newKey, sleep } from "../../api/service";
import { Teller } from "../../board/telling";
import type { LiveTable } from "../../connection/table.svelte";
import { answer, toast } from "../../shell/announce.svelte";
import * as words from "../../words/words.svelte";
import { attempt } from "../refusals";
import { hintText } from "./hintText";

/** The parts of a table that a hint needs. */
type Hinted = Pick<LiveTable, "id" | "seat" | "seq" | "view" | "wishes">;

export class Hinting {
  isThinking = $state(false);
  private found: { seq: number; best: Prospect } | null = $state.raw(null);

  constructor(private readonly live: Hinted) {}

  /** The best decision, as long as the table is where it was requested. */
  get best(): Prospect | null {
    return this.found?.seq === this.live.seq ? this.found.best : null;
  }

  /** The best decision as a sentence; null without a hint. */
  get sentence(): string | null {
    const { view, seat } = this.live;
    const choice = this.choice;
    if (view === null || choice === undefined) return null;
    return hintText(new Teller(words, { names: [], you: seat }, view), choice, this.chance);
  }

  private get choice(): Legal | undefined {
    const code = this.best?.codes[0];
    return this.live.wishes?.legal.find((choice) => choice.code === code);
  }

  /** The reader's chance to win with it, in per cent. */
  private get chance(): number {
    return Math.round((this.best?.chances[this.live.seat ?? 0] ?? 0) * 100);
  }

  async ask(): Promise<void> {
    if (this.isThinking) return;
    this.isThinking = true;
    // The same hint once more is shown once more.
    this.forget();
    const path = `/api/tables/${this.live.id}`;
    await attempt(async () => {
      const first = await ask<Hint>("POST", `${path}/hint`, { key: newKey() });
      this.take(await whenReady(first, () => ask<Hint>("GET", `${path}/hints/${first.id}`)));
    });
    this.isThinking = false;
  }

  forget(): void {
    this.found = null;
  }

  /** Keep the hint, and announce it: the turn box does not have the focus. */
  private take(ready: Hint | undefined): void {
    if (ready?.found == null) {
      toast(words.say("web.table.hint.none"));
      return;
    }
    this.found = { seq: ready.seq, best: ready.found.best };
    const { sentence } = this;
    if (sentence !== null) answer(sentence);
  }
}

/** Ask repeatedly until a hint is ready; undefined if none comes. */
async function whenReady(first: Hint, again: () => Promise<Hint>): Promise<Hint | undefined> {
  let job = first;
  for (let tries = 0; job.state === "waiting" && tries < 60; tries++) {
    await sleep(1000);
    job = await again();
  }
  return job.state === "ready" ? job : undefined;
}
