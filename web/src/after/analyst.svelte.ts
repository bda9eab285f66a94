/** The analysis of one game: whether there is one, asking for it, and waiting until it is there. */

import type { Analysis, AnalysisFound } from "../api/messages";
import { ask, sleep } from "../api/service";
import { answer } from "../shell/announce.svelte";
import { enter } from "../shell/me.svelte";
import { say } from "../words/words.svelte";

/** How long to wait before asking again; the service wants a second or two. */
const PAUSE_MS = 2000;

export type AnalysisState = "unknown" | "absent" | "waiting" | "ready" | "failed";

export class Analyst {
  state: AnalysisState = $state("unknown");
  found: AnalysisFound | null = $state.raw(null);
  readonly #path: string;
  readonly #left = new AbortController();

  constructor(
    tableId: string,
    query: string,
    /** Whether somebody has asked for it before. */
    private readonly isAsked: boolean,
  ) {
    if (!isAsked) this.state = "absent";
    this.#path = `/api/tables/${tableId}/analysis${query}`;
  }

  /** If somebody has asked before, read it or wait for it; returns how to stop. */
  follow(): () => void {
    if (this.isAsked) void this.#watch(() => this.#read());
    return () => this.#left.abort();
  }

  /** Ask for the analysis. Whoever is nobody yet becomes a guest. */
  async request(): Promise<void> {
    this.state = "waiting";
    await this.#watch(async () => {
      await enter();
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
