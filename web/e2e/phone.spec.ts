/** What a phone must have room for: pages without scrolling sideways, games without scrolling at all. */

import { still } from "./dressing";
import { NARROW, PHONE } from "./person";
import { smallTargets } from "./targets";
import { expect, test } from "./test";

test("home and the page for a new table fit a phone without scrolling sideways", async ({ arrive }) => {
  const page = await (await arrive("Anne", NARROW)).context.newPage();
  for (const path of ["/", "/open"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, path).toBeLessThanOrEqual(0);
  }
});

for (const ruleset of ["tortuga", "jamaica", "nest"]) {
  test(`${ruleset} fits a phone, and the targets of five crews are large enough`, async ({ arrive }) => {
    const person = await arrive("Anne", PHONE);
    const page = await person.context.newPage();
    for (const seats of [2, 5]) {
      const bots = Array.from({ length: seats - 1 }, () => "deckhand");
      const { id } = await person.openTable({ ruleset, seats }, bots);
      await person.command(id, "start");
      await page.goto(`/table/${id}`);
      await expect(page.getByRole("grid")).toBeVisible();
      const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      expect(over, `${seats} crews`).toBeLessThanOrEqual(0);
    }
    await expect(page.getByRole("region", { name: "Your turn" })).toBeVisible({ timeout: 60_000 });
    await still(page);
    expect(await smallTargets(page, ".board, .line, .dock", 44)).toEqual([]);
  });
}
