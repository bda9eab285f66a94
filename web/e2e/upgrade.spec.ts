/** `make upgrade-check`: a node of an earlier release is replaced during a game; all tabs play on. */

import type { Page } from "@playwright/test";
import { expectBothSee, middle } from "./middle";
import { expect, test } from "./test";

test.use({ isRestarted: true });

/** The script that a tab runs. */
function programOf(page: Page): Promise<string | null> {
  return page.locator("script[type=module][src]").first().getAttribute("src");
}

test("tabs of the release before play on when their node is replaced", async ({ arrive, harbour }) => {
  const players = await middle(arrive);
  const [older, newer] = players;
  expect(await programOf(older.page)).not.toBe(await programOf(newer.page));
  await expectBothSee(players);
  await harbour.stopNode();
  await harbour.startNode();
  await expectBothSee(players);
  await older.page.reload();
  expect(await programOf(older.page)).toBe(await programOf(newer.page));
  await expectBothSee(players);
});
