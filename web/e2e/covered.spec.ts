/** A device is passed on: while a hand is covered, nothing that the one before was told is left in the page. */

import { isCovered, playOn } from "./deviceSide";
import { keys } from "./hands";
import { cardsTakenAway, toldByObjects, toldByTexts } from "./memory";
import { PAIR, test, TRIO } from "./offline";
import { expect, type Page } from "./test";

/** Two pages hear of the past at their own pace. */
const PATIENCE_MS = 10_000;
/** A picture of a whole memory takes its time. */
const SNAPSHOTS_MS = 60_000;
/** How often the device is passed on. */
const PASSES = 3;
const MOST_STEPS = 60;

// By keys, with the mouse left lying on the cards.
for (const { tag, ...evening } of [
  { ...PAIR, hands: keys, tag: [] },
  { ...TRIO, hands: keys, tag: "@long" },
]) {
  test(
    `while a device is passed on, nothing hidden of ${evening.ruleset} is in it`,
    { tag },
    async ({ arriveAt }) => {
      test.setTimeout(600_000);
      const player = await arriveAt(evening);
      const { page, person, table } = player;
      let passed = 0;
      for (let step = 0; step < MOST_STEPS && passed < PASSES; step++)
        await playOn(player, 1, async (told) => {
          const hand = page.getByRole("region", { name: /^Your hand/ });
          const taking = page.getByRole("button", { name: /: show my cards$/ });
          if (!isCovered(told)) {
            // The search works: a page that is not covered holds its own hand.
            if (passed === 0) {
              expect(await toldByObjects(page)).toContainEqual(expect.stringMatching(/^a view:/));
              expect(await toldByTexts(page)).not.toEqual([]);
            }
            await hand.getByRole("button").last().hover();
            return;
          }
          passed++;
          await expect(taking).toBeVisible();
          await expect(hand).toBeHidden();
          // The page tells and holds what it would tell to somebody who opens it only now.
          const other = await person.open(`/table/${table}`);
          await expect(other.getByRole("button", { name: /: show my cards$/ })).toBeVisible();
          await expect(async () => expect(await shown(page)).toEqual(await shown(other))).toPass({
            timeout: PATIENCE_MS,
          });
          const known = await toldByObjects(other);
          await other.close();
          await expect
            .poll(async () => (await toldByObjects(page)).filter((each) => !known.includes(each)))
            .toEqual([]);
          await expect.poll(() => cardsTakenAway(page)).toEqual([]);
          await expect.poll(() => toldByTexts(page), { timeout: SNAPSHOTS_MS }).toEqual([]);
          expect(await kept(page)).not.toMatch(/"hands"|"happened"/);
        });
      expect(passed).toBe(PASSES);
    },
  );
}

/** All that a page says, also to screen readers and outside of its main part, and all that it draws. */
async function shown(page: Page): Promise<readonly string[]> {
  const drawn = await page.evaluate(() => document.body.innerHTML.split("<"));
  return [await page.title(), ...(await page.locator("body").ariaSnapshot()).split("\n"), ...drawn];
}

/** What the page keeps beyond its own life. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
}
