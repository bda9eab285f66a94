/** The tables at which this browser's player sits, refreshed now and then. */

import type { components } from "../api/schema";
import { ask } from "../api/service";
import { me } from "../shell/me.svelte";

export type MyTable = components["schemas"]["MyTableMessage"];

const AGAIN_AFTER_MS = 20_000;

export class MyGames {
  /** The tables that wait for the player come first. */
  tables: MyTable[] = $state.raw([]);

  /** Whether the player sits at a table. */
  has(id: string): boolean {
    return this.tables.some((table) => table.id === id);
  }

  /** Refresh now and then while the page is visible; for an effect. Does nothing without a player. */
  follow(): (() => void) | undefined {
    if (me() === null) return undefined;
    const lookIfSeen = (): void => {
      if (document.visibilityState === "visible") void this.look();
    };
    void this.look();
    const timer = setInterval(lookIfSeen, AGAIN_AFTER_MS);
    document.addEventListener("visibilitychange", lookIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", lookIfSeen);
    };
  }

  private async look(): Promise<void> {
    const answer = await ask<{ tables: MyTable[] }>("GET", "/api/me/games").catch(() => null);
    if (answer !== null) this.tables = answer.tables;
  }
}
