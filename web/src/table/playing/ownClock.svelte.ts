/** The player's own clock speaks at a few marks; other clocks, and the rest of the time, are silent. */

import { untrack } from "svelte";
import { markPassed, timeLeft } from "../../connection/clock";
import type { LiveTable } from "../../connection/table.svelte";
import { announce } from "../../shell/announce.svelte";
import { play } from "../../sound/playing";
import { say } from "../../words/words.svelte";
import { ticking } from "../../connection/ticking.svelte";

/** Follow the clock of the reader's own seat; call it while a component is created. */
export function speakOwnClock(live: () => LiveTable): void {
  let before = 0;
  $effect(() => {
    const { clock, seat, standing } = live();
    if (clock === null || seat === null || standing === null || clock.running !== seat) {
      before = 0;
      return;
    }
    const left = timeLeft(clock, seat, standing.clockHeard, ticking().now);
    untrack(() => {
      const mark = markPassed(before, left);
      before = left;
      if (mark === null) return;
      announce(say(`web.table.clock.${mark}`));
      if (mark !== 60) play(mark === 30 ? "clock_30" : "clock_10");
    });
  });
}
