/** Announces once that a player has gone during a game, or is back; a short absence is only shown. */

import { untrack } from "svelte";
import type { Presence } from "../api/messages";
import { namesOf } from "../connection/names";
import { comings } from "../connection/presence";
import type { LiveTable } from "../connection/table.svelte";
import { announce } from "../shell/announce.svelte";
import { say } from "../words/words.svelte";

const SENTENCES = { here: "web.presence.has_returned", gone: "web.presence.has_gone" } as const;

/** Follow the people of a table; call it while a component is created. */
export function speakComings(live: () => LiveTable | null): void {
  let known: Presence | null = null;
  $effect(() => {
    const now = live()?.presence ?? null;
    untrack(() => {
      const { table, seat } = live() ?? { table: null, seat: null };
      if (table?.stage === "running") {
        const names = namesOf(table);
        for (const coming of comings(known, now, table))
          if (coming.seat !== seat)
            announce(say(SENTENCES[coming.where], { name: names[coming.seat] ?? "" }));
      }
      // After a break, continue from what was known before it.
      known = now ?? known;
    });
  });
}
