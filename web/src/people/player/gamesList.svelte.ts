/** The games of a player that a filter lets through, a page at a time. */

import { ask } from "../../api/service";
import { troubleText } from "../attempt.svelte";
import type { Result, Results } from "../messages";
import { ALL, type GamesFilter } from "./filter";

export class GamesList {
  results: readonly Result[] = $state.raw([]);
  hasMore = $state(false);
  /** The filter whose games are shown; another may have been asked for. */
  filter: GamesFilter = $state.raw(ALL);
  isBusy = $state(false);
  problem = $state("");
  #asked = 0;

  constructor(private readonly path: (filter: GamesFilter, before?: string) => string) {}

  /** Show games that are known already. */
  show(filter: GamesFilter, results: readonly Result[], hasMore: boolean): void {
    this.#asked++;
    [this.filter, this.results, this.hasMore] = [filter, results, hasMore];
    [this.isBusy, this.problem] = [false, ""];
  }

  /** Read the first page anew; the old one stays meanwhile. Says whether it is there now. */
  async look(filter: GamesFilter): Promise<boolean> {
    const page = await this.#read(this.path(filter));
    if (page === null) return false;
    this.show(filter, page.results, page.next !== null);
    return true;
  }

  /** Read the next page; returns how many games it had, null if it did not come. */
  async readOn(): Promise<number | null> {
    const page = await this.#read(this.path(this.filter, this.results.at(-1)?.id));
    if (page === null) return null;
    this.show(this.filter, [...this.results, ...page.results], page.next !== null);
    return page.results.length;
  }

  /** A page, null if it could not be had or something else was asked for meanwhile. */
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
