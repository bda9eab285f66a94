/** How people get into a game: with one click, at their own table, through a link, through the lobby. */

import { randomUUID } from "node:crypto";
import { play } from "./game";
import { mouse } from "./hands";
import { PHONE } from "./person";
import { Player } from "./player";
import { expect, test, type Page } from "./test";

function tableOf(page: Page): string {
  return new URL(page.url()).pathname.replace("/table/", "");
}

test("one click leads a stranger from the home page into a game", async ({ browser, harbour }) => {
  const context = await browser.newContext({ baseURL: harbour.node(0) });
  const page = await context.newPage();
  await page.goto("/");
  await page.getByRole("button", { name: "Play now" }).first().click();
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(page).toHaveURL(/\/table\//);
  await context.close();
});

test("a friend follows the link, sits down, and both prove the shuffle", async ({ arrive }) => {
  const [host, friend] = [await arrive("Anne"), await arrive("Bart", PHONE)];
  const page = await host.open("/open");
  await page.getByText("Private", { exact: true }).click();
  await page.getByRole("main").getByRole("button", { name: /^Open/ }).click();
  await expect(page).toHaveURL(/\/table\//);
  const link = new URL(await page.getByRole("textbox", { name: /link/i }).inputValue());
  // The friend comes to the other node, as behind a balancer.
  const phone = await friend.open(`${link.pathname}${link.search}`);
  await phone.getByRole("button", { name: "Sit here" }).first().click();
  await page.getByRole("button", { name: "Start the game" }).click();
  for (const each of [page, phone]) await expect(each.getByRole("grid")).toBeVisible();
  const table = tableOf(page);
  const { current } = await host.look(table);
  expect(current.table?.chairs.every(({ nonce_hash: promise }) => promise != null)).toBe(true);
  await friend.command(table, "resign");
  for (const each of [page, phone]) await proveShuffle(each, `/replay/${table}${link.search}`);
});

/** A browser that took part checks everything except whether the game was played by the rules. */
async function proveShuffle(page: Page, replay: string): Promise<void> {
  await page.goto(replay);
  await page.getByRole("button", { name: "Check the shuffle" }).click();
  await expect(page.getByText("Every shuffle is as it was promised.")).toBeVisible();
  await expect(page.getByText("kept nothing of it")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Save what this browser kept" })).toBeVisible();
}

test("a table stands in the lobby until it is full, and can be watched then", async ({ arrive }) => {
  // Other tests have tables in the lobby too.
  const name = `Anne ${randomUUID().slice(0, 8)}`;
  const [host, guest, watcher] = [await arrive(name), await arrive("Bart"), await arrive("Wim")];
  const home = await guest.open("/");
  const { id } = await host.openTable({ ruleset: "jamaica", seats: 2 });
  await home.getByRole("button", { name: `Sit down with ${name}` }).click();
  await expect(home).toHaveURL(new RegExp(id));
  await host.command(id, "start");
  const watching = await watcher.open(`/table/${id}`);
  await expect(watching.getByRole("grid")).toBeVisible();
  await expect(watching.getByRole("region", { name: /^Your hand/ })).toHaveCount(0);
});

test("somebody plays against a bot", async ({ arrive }) => {
  // A window so low that a few turns fill the log.
  const person = await arrive("Anne", { viewport: { width: 1440, height: 640 } });
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 }, ["deckhand"]);
  await person.command(id, "start");
  const player = new Player(person, await person.open(`/table/${id}`), id, mouse);
  const before = await player.look();
  await play([player], 9);
  expect((await player.look()).current.view?.turn).toBeGreaterThan((before.current.view?.turn ?? 0) + 2);
  await expect(player.page.getByRole("log").getByRole("listitem").last()).toBeInViewport();
});
