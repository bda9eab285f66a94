/** Hints and win chances where the reader is: first a quick look, then better ones, until the reader goes on. */

import type { HintFound } from "../api/messages";
import { asked, type Study } from "./study.svelte";

/** How many simulations each look takes: between two of them the engine answers other requests. */
const LOOKS = [6, 18, 54, 162, 486] as const;
/** A look that would keep the engine from answering for longer than this is left out. */
const LONGEST_LOOK_MS = 4000;

export class Thinking {
  isOn = $state(false);
  found: HintFound | null = $state.raw(null);
  /** How many simulations stand behind it. */
  simulations = $state(0);
  /** Whether a better look is under way. */
  isBusy = $state(false);
  hasFailed = $state(false);
  private left = new AbortController();

  constructor(private readonly study: Study) {}

  /** How far it is, from 0 to 1. */
  get share(): number {
    return LOOKS.filter((look) => look <= this.simulations).length / LOOKS.length;
  }

  /** Think about where the reader is now; what was found elsewhere is forgotten. */
  async begin(): Promise<void> {
    this.stop();
    const left = (this.left = new AbortController());
    const { asked: where, wishes } = this.study;
    this.found = null;
    this.simulations = 0;
    this.hasFailed = false;
    if (wishes === null) return;
    this.isBusy = true;
    try {
      let speed = Infinity;
      for (const simulations of LOOKS) {
        if (simulations / speed > LONGEST_LOOK_MS) break;
        const begun = performance.now();
        const found = await asked<HintFound>("hint", { ...where, simulations }, left.signal);
        if (left.signal.aborted) return;
        this.found = found;
        this.simulations = simulations;
        speed = simulations / (performance.now() - begun);
      }
    } catch {
      this.hasFailed = !left.signal.aborted;
    } finally {
      if (left === this.left) this.isBusy = false;
    }
  }

  stop(): void {
    this.left.abort();
    this.isBusy = false;
  }
}
