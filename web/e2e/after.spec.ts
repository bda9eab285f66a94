/** After a game: the result, the analysis, and trying another move. */

import { NARROW } from "./person";
import { expect, test, type Page } from "./test";
import { anything, begun, playOverWire } from "./wireGame";

/** This many random actions contain a mistake and are analysed quickly. */
const BY_CHANCE = 24;
const ANALYSIS_MS = 120_000;

test("a game is over: who came how far, and a link for others", async ({ arrive }) => {
  const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
  const id = await begun([anne, bart], { ruleset: "tortuga" });
  const page = await anne.open(`/table/${id}`);
  await bart.command(id, "resign");
  const end = page.getByRole("region", { name: "You won" });
  await expect(end.getByText(/\d of 6 aboard/)).toHaveCount(2);
  await anne.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await end.getByRole("button", { name: "Share" }).click();
  await expect(end.getByText("The link to the replay is copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/replay/${id}`);
});

test("an analysis shows where it turned and what would have been better @long", async ({ arrive }) => {
  const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
  const id = await begun([anne, bart], { ruleset: "tortuga" });
  await playOverWire([anne, bart], id, anything(BY_CHANCE), (_, actions) => actions >= BY_CHANCE);
  const page = await anne.open(`/table/${id}`);
  await bart.command(id, "resign");
  const end = page.getByRole("region", { name: "You won" });
  await end.getByRole("button", { name: "Analyse" }).click();
  await end.getByRole("link", { name: /^The turning point: turn \d/ }).click({ timeout: ANALYSIS_MS });
  await expect(page).toHaveURL(/\/replay\/.*#t\d+\.1$/);
  await showBetter(page);
  await page.getByRole("button", { name: "Try it yourself" }).first().click();
  await expect(page).toHaveURL(/\/table\//);
  await expect(page.getByRole("region", { name: "Your turn" }).first()).toBeVisible();
  expect(page.url()).not.toContain(id);
});

test("a stranger on a phone plays on from the replay of others", async ({ arrive }) => {
  const [anne, bart, cora] = [await arrive("Anne"), await arrive("Bart"), await arrive("Cora", NARROW)];
  const id = await begun([anne, bart], { ruleset: "nest" });
  await playOverWire([anne, bart], id, anything(BY_CHANCE), (_, actions) => actions >= 6);
  await anne.command(id, "resign");
  const page = await cora.open(`/replay/${id}#t2.1`);
  await page.getByRole("button", { name: "Try another move from here" }).click();
  await expect(page).toHaveURL(/\/table\//);
  await expect(page.getByRole("grid")).toHaveCount(1);
  const { seat, current } = await cora.look(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(current.table?.rated).toBe(false);
  // Cora has the seat that was to act; a bot has the other one.
  expect(current.table?.chairs.map(({ player = null }) => player !== null)).toEqual([seat === 0, seat === 1]);
});

/** Go to the next mistake, show its better turn, and step through it on the board. */
async function showBetter(page: Page): Promise<void> {
  const show = page.getByRole("button", { name: "Show the better turn" }).first();
  await page.getByRole("slider").press("Home");
  await page.getByRole("button", { name: "Next mistake" }).click();
  await show.click();
  const forward = page.locator(".judgement").getByRole("button", { name: "One action forward" });
  await expect(forward).toHaveAttribute("aria-disabled", "false");
  await forward.click();
  await expect(page.locator(".judgement").getByRole("button", { name: "Back to the game" })).toBeVisible();
  await page.getByRole("button", { name: "Back to the game" }).click();
  await expect(show).toBeVisible();
}
