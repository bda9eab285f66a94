/** How fast a table plays, in a few words. */

import type { ClockTerms } from "../api/messages";
import { count, say } from "../words/words.svelte";

/** "10 min + 15 s", "2 days a turn", or that there is no clock. */
export function paceText(clock: ClockTerms | null): string {
  if (clock === null) return say("web.home.pace.none");
  if (clock.kind === "correspondence") return count("web.home.pace.days", clock.days ?? 1);
  const bank = clock.bank ?? 0;
  const time = bank < 60 ? say("web.home.pace.seconds", { seconds: bank }) : minutesText(bank);
  const increment = clock.increment ?? 0;
  return increment === 0 ? time : say("web.home.pace.plus", { time, increment });
}

function minutesText(seconds: number): string {
  return say("web.home.pace.minutes", { minutes: Math.round(seconds / 6) / 10 });
}
