/** The analysis of one game: whether it exists, requesting it, and waiting for it. */

import type { Analysis, AnalysisFound } from "../api/messages";
import { ask, sleep } from "../api/service";
import { isOnDevice } from "../api/transport";
import { answer } from "../shell/announce.svelte";
import { enter } from "../shell/me.svelte";
import { say } from "../words/words.svelte";

/** How long to wait before asking again; the service needs a second or two. */
const PAUSE_MS = 2000;

export type AnalysisState = "unknown" | "absent" | "waiting" | "ready" | "failed";

export class Analyst {
  state: AnalysisState = $state("unknown");
  found: AnalysisFound | null = $state.raw(null);
  /** How much is done, from 0 to 1; null while that is not known. */
  done: number | null = $state.raw(null);
  readonly #path: string;
  readonly #left = new AbortController();

  constructor(
    private readonly tableId: string,
    query: string,
    /** Whether it has been requested before. */
    private readonly isAsked: boolean,
  ) {
    if (!isAsked) this.state = "absent";
    this.#path = `/api/tables/${tableId}/analysis${query}`;
  }

  /** If it was requested before, read it or wait for it; returns a function that stops. */
  follow(): () => void {
    if (this.isAsked) void this.#watch(() => this.#read());
    return () => this.#left.abort();
  }

  /** Request the analysis. At the service a visitor without an account becomes a guest. */
  async request(): Promise<void> {
    this.state = "waiting";
    await this.#watch(async () => {
      if (!isOnDevice(this.tableId)) await enter();
      return ask<Analysis>("POST", this.#path);
    });
    if (this.found !== null) answer(say("web.replay.chances.ready"));
  }

  #read(): Promise<Analysis> {
    return ask<Analysis>("GET", this.#path, undefined, { signal: this.#left.signal });
  }

  async #watch(begin: () => Promise<Analysis>): Promise<void> {
    try {
      let analysis = await begin();
      while (analysis.state === "waiting") {
        this.state = "waiting";
        this.done = analysis.done ?? null;
        await sleep(PAUSE_MS, this.#left.signal);
        analysis = await this.#read();
      }
      this.found = analysis.found ?? null;
      this.state = analysis.state;
    } catch {
      if (this.#left.signal.aborted) return;
      this.state = "failed";
      answer(say("web.replay.chances.failed"));
    }
  }
}
