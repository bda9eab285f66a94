/** Hearing of what is told at a table while the page is open, each thing once. */

import { untrack } from "svelte";
import type { Told } from "../live/history";
import type { LiveTable } from "../live/table.svelte";

/** Call back for everything that is told from now on; for use while a component is made. */
export function eachNew(live: () => LiveTable | null, hear: (told: Told) => void): void {
  let followed: LiveTable | null = null;
  let last = -1;
  $effect(() => {
    const now = live();
    const history = now?.history ?? [];
    untrack(() => {
      if (now !== followed) last = -1;
      followed = now;
      for (const told of history) {
        if (told.seq > last && !told.isPast) hear(told);
      }
      last = history.at(-1)?.seq ?? last;
    });
  });
}
