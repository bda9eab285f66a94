/** People at a table and in the lobby: who is there, what each is told, and what a player can do alone. */

import type { Person } from "./person";
import { expect, test, type Page } from "./test";
import { begun } from "./wireGame";

/** A row of the waiting room, or a card beside the board, that shows where a player is. */
function mark(page: Page, where: "here" | "away" | "gone"): ReturnType<Page["locator"]> {
  return page.locator(`.presence[data-where="${where}"]`).filter({ visible: true });
}

test("the waiting room tells each what he waits for, who is there and who watches", async ({ arrive }) => {
  const [anne, bart, cora] = [await arrive("Anne"), await arrive("Bart"), await arrive("Cora")];
  const { id } = await anne.openTable({ ruleset: "tortuga", seats: 2 });
  await bart.command(id, "sit");
  const host = await anne.open(`/table/${id}`);
  await expect(host.getByText("Send the link to friends")).toBeVisible();
  await expect(mark(host, "gone")).toHaveText("gone");
  // Bart comes by the other node.
  const guest = await bart.open(`/table/${id}`);
  await expect(guest.getByText("Anne starts the game when everybody is here.")).toBeVisible();
  await expect(mark(host, "here")).toHaveCount(1);
  await expect(mark(guest, "here")).toHaveCount(1);
  await cora.open(`/table/${id}`);
  await expect(host.getByText("1 watching").filter({ visible: true }).first()).toBeVisible();
  await cora.command(id, "chat", { text: "Good luck!" });
  await expect(guest.getByRole("log").getByText("spectator")).toBeVisible();
  await expect(guest.getByRole("link", { name: "Anne" })).toHaveAttribute("href", /^\/player\//);
  await expect(guest.getByText("none between people")).toBeVisible();
  await host.getByRole("checkbox", { name: "Everybody may ask for hints" }).check();
  await expect(guest.getByRole("definition").getByText("allowed")).toBeVisible();
  await expect(guest.locator("#live")).toContainText("Hints are allowed now.");
});

test("who is asked to abandon a game may decline, and hints need the host's leave", async ({ arrive }) => {
  const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
  const id = await begun([anne, bart], {
    ruleset: "tortuga",
    clock: { kind: "correspondence", days: 3 },
  });
  const page = await anne.open(`/table/${id}`);
  await expect(page.getByText(/^until /).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Hint" })).toHaveCount(0);
  await bart.command(id, "abandon");
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("Asked to abandon the game")).toBeHidden();
  await expect(page.getByText("Anne would rather play on.").first()).toBeAttached();
  const { current } = await bart.look(id);
  expect(current.table?.chairs.map(({ agrees = false }) => agrees)).toEqual([false, false]);
  await page.goto("/");
  await expect(page.getByRole("main").getByRole("heading").first()).toHaveText(/^\s*Your (turn|games)/);
});

test("a player who finds no opponent is offered bots after a while, and knows the pace before", async ({
  arrive,
}) => {
  const person: Person = await arrive("Anne");
  const page = await person.context.newPage();
  await page.clock.install();
  await page.goto("/");
  const way = page.getByRole("article").filter({ hasText: "Nest" });
  await expect(way.getByText("With others: 5 min + 15 s")).toBeVisible();
  await way.getByRole("radio", { name: "5" }).check({ force: true });
  await way.getByRole("button", { name: "Find a game" }).click();
  const waiting = page.getByRole("region", { name: "Looking for players" });
  await expect(waiting).toBeVisible();
  await expect(waiting.getByRole("button", { name: "Play bots" })).toHaveCount(0);
  await page.clock.fastForward(21_000);
  await expect(waiting.getByText("Nobody else is looking right now.")).toBeVisible();
  await waiting.getByRole("button", { name: "Play bots" }).click();
  await expect(page).toHaveURL(/\/table\//);
  await expect(page.getByRole("grid")).toBeVisible();
});
