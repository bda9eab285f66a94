/** A game against bots, coached if it is the player's first. */

import { playsHere } from "../device/running";
import { coaching } from "../learn/coaching.svelte";
import { go } from "../shell/router.svelte";
import type { Level } from "../ui/levels";
import { playBots } from "./joining";
import { botChoice } from "./lastChoice";
import { lastLevel } from "./lastLevel.svelte";
import { botsOf, termsOf, type Choice } from "./terms";

/**
 * Open the table, begin, and go there; without `level` the bots are of the last chosen level.
 *
 * Bots think on the player's own device while the engine is there, else on the service.
 */
export async function beginAgainstBots(
  ruleset: string,
  seats: number,
  level: Level = lastLevel.chosen,
): Promise<void> {
  const choice = botChoice(ruleset, seats, level);
  const id = (await playsHere()) ? await beginHere(choice) : await beginThere(choice);
  coaching.offer(id);
  go(`/table/${id}`);
}

async function beginHere(choice: Choice): Promise<string> {
  const [{ begin }, { Names }, { ready }] = await Promise.all([
    import("../device/playing"),
    import("../device/names.svelte"),
    import("../device/words"),
  ]);
  // The name of one who has typed none is among them.
  await ready;
  return begin(termsOf(choice), botsOf(choice), new Names().of(1));
}

async function beginThere(choice: Choice): Promise<string> {
  const { id } = await playBots(termsOf(choice), botsOf(choice));
  return id;
}
