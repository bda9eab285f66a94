/** Something fetched from the service: loading, there, or why it is not. */

import { ask } from "../api/service";
import { troubleText } from "./attempt.svelte";

export class Fetched<T> {
  value: T | null = $state.raw(null);
  problem = $state("");
  #asked = 0;

  constructor(private readonly path: () => string) {}

  /** Fetch it, even again; for an effect, which then follows the path. The old value stays meanwhile. */
  async load(): Promise<void> {
    const number = ++this.#asked;
    const path = this.path();
    try {
      const value = await ask<T>("GET", path);
      if (number === this.#asked) [this.value, this.problem] = [value, ""];
    } catch (problem) {
      if (number === this.#asked) [this.value, this.problem] = [null, troubleText(problem)];
    }
  }
}
