/**
 * Press everything that a game shows, in random order, for every ruleset: nothing may break.
 *
 * `make monkey` presses 500 times for each; PRESSES=50000 goes on for longer. SEED repeats an order as far as
 * the deal, which is random, allows.
 */

import { setTo } from "./dressing";
import { chanceOf, Monkey } from "./monkey";
import { DESKTOP } from "./person";
import { test } from "./test";

const PRESSES = Number(process.env["PRESSES"] ?? 500);
const SEED = Number(process.env["SEED"] ?? 0) || Date.now() % 1_000_000;
/** The weakest bot that gets home without help: a game ends although one of its players presses at random. */
const BOT = "deckhand";
const START_MS = 120_000;
const PRESS_MS = 3_000;

for (const [ruleset, seats] of Object.entries({ tortuga: 2, jamaica: 3, nest: 3 })) {
  test(`whatever is pressed in ${ruleset}, nothing breaks`, async ({ arrive }) => {
    test.setTimeout(START_MS + PRESSES * PRESS_MS);
    console.log(`${ruleset}: SEED=${SEED} PRESSES=${PRESSES}`);
    // The usual setting: pirates walk, and cards fly.
    const anne = await arrive("Anne", { ...DESKTOP, reducedMotion: "no-preference" });
    const openTable = async (): Promise<string> => {
      const bots = Array<string>(seats - 1).fill(BOT);
      const { id } = await anne.openTable({ ruleset, seats }, bots);
      await anne.command(id, "start");
      return `/table/${id}`;
    };
    const page = await anne.open(await openTable());
    await page.getByRole("grid").waitFor();
    // Otherwise most of the time is spent watching; the other paces are among the settings that it changes.
    await setTo(page, { rivals: "none" });
    const monkey = new Monkey(anne, page, chanceOf(SEED), openTable);
    const began = Date.now();
    for (let pressed = 0; pressed < PRESSES;) if (await monkey.press()) pressed++;
    await monkey.look();
    const seconds = Math.round((Date.now() - began) / 1000);
    const { turns, ended } = monkey;
    console.log(
      `${ruleset}: ${PRESSES} presses in ${seconds} s, over ${turns} turns; ${ended} games came to an end`,
    );
  });
}
