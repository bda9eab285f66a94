/** Listening to what is shown of a table while the page is open, each thing once. */

import { untrack } from "svelte";
import type { Told } from "../connection/history";
import type { LiveTable } from "../connection/table.svelte";

/**
 * Call back for everything that is shown from now on, and say whether it is the last of what is shown at
 * once; call it while a component is created.
 */
export function eachNew(live: () => LiveTable | null, hear: (told: Told, isLast: boolean) => void): void {
  let followed: LiveTable | null = null;
  let last = -1;
  $effect(() => {
    const now = live();
    const history = now?.shownHistory ?? [];
    untrack(() => {
      if (now !== followed) last = -1;
      followed = now;
      const fresh = history.filter(({ seq, isPast }) => seq > last && !isPast);
      for (const told of fresh) hear(told, told === fresh.at(-1));
      last = history.at(-1)?.seq ?? last;
    });
  });
}
