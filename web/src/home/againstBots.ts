/** A game against bots, coached if it is the player's first. */

import { coaching } from "../learn/coaching.svelte";
import { go } from "../shell/router.svelte";
import type { Level } from "../ui/levels";
import { playBots } from "./joining";
import { botChoice } from "./lastChoice";
import { lastLevel } from "./lastLevel.svelte";
import { botsOf, termsOf } from "./terms";

/** Open the table, begin, and go there; without `level` the bots are of the last chosen level. */
export async function beginAgainstBots(
  ruleset: string,
  seats: number,
  level: Level = lastLevel.chosen,
): Promise<void> {
  const choice = botChoice(ruleset, seats, level);
  const { id } = await playBots(termsOf(choice), botsOf(choice));
  coaching.offer(id);
  go(`/table/${id}`);
}
