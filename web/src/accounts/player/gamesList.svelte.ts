/** The games of a player that match a filter, a page at a time. */

import { ask } from "../../api/service";
import { troubleText } from "../attempt.svelte";
import type { Result, Results } from "../messages";
import { ALL, type GamesFilter } from "./filter";

export class GamesList {
  results: readonly Result[] = $state.raw([]);
  hasMore = $state(false);
  /** The filter whose games are shown; another may already be requested. */
  filter: GamesFilter = $state.raw(ALL);
  isBusy = $state(false);
  problem = $state("");
  #asked = 0;

  constructor(private readonly path: (filter: GamesFilter, before?: string) => string) {}

  /** Show games that are already known. */
  show(filter: GamesFilter, results: readonly Result[], hasMore: boolean): void {
    this.#asked++;
    [this.filter, this.results, this.hasMore] = [filter, results, hasMore];
    [this.isBusy, this.problem] = [false, ""];
  }

  /** Fetch the first page again; the old one stays meanwhile. Returns whether it is there now. */
  async look(filter: GamesFilter): Promise<boolean> {
    const page = await this.#read(this.path(filter));
    if (page === null) return false;
    this.show(filter, page.results, page.next !== null);
    return true;
  }

  /** Fetch the next page; returns how many games it had, null if it did not come. */
  async readOn(): Promise<number | null> {
    const page = await this.#read(this.path(this.filter, this.results.at(-1)?.id));
    if (page === null) return null;
    this.show(this.filter, [...this.results, ...page.results], page.next !== null);
    return page.results.length;
  }

  /** A page; null if it could not be fetched or something else was requested meanwhile. */
  async #read(path: string): Promise<Results | null> {
    const number = ++this.#asked;
    this.isBusy = true;
    try {
      const page = await ask<Results>("GET", path);
      return number === this.#asked ? page : null;
    } catch (problem) {
      if (number === this.#asked) [this.isBusy, this.problem] = [false, troubleText(problem)];
      return null;
    }
  }
}
