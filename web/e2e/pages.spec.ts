/** What pages request from the service, and what it answers where there is nothing. */

import type { Person } from "./person";
import { expect, test } from "./test";

test("a page that is not there answers 404 and says so kindly", async ({ arrive }) => {
  const person = await arrive("Anne");
  const page = await person.context.newPage();
  const answer = await page.goto("/nonsense");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
});

test("what is not there is not asked for: nothing in red on an account or a replay", async ({ arrive }) => {
  const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
  const { id } = await anne.openTable({ ruleset: "tortuga", seats: 2 });
  await bart.command(id, "sit");
  await anne.command(id, "start");
  await anne.command(id, "resign");
  const refused: string[] = [];
  anne.context.on("response", (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  const account = await anne.open("/account");
  await expect(account.getByRole("textbox", { name: "Address, with https" })).toHaveValue("");
  const replay = await anne.open(`/replay/${id}`);
  await expect(replay.getByRole("button", { name: "Analyse this game" })).toBeVisible();
  expect(refused).toEqual([]);
  await bart.ask("POST", `/api/tables/${id}/analysis`);
  await replay.reload();
  await expect(replay.getByText("simulations for each decision")).toBeVisible({ timeout: 60_000 });
});

test("the first load of a table is light", async ({ arrive }) => {
  const person = await arrive("Anne");
  const path = await runningTable(person);
  const page = await person.context.newPage();
  // What a service worker hands out counts as if it came unpacked; at a first load there is none yet.
  const network = await person.context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setBypassServiceWorker", { bypass: true });
  await page.goto(path);
  await expect(page.getByRole("grid")).toBeVisible();
  // In brotli, so somewhat less than the gzip budget in `scripts/browser_budget.py`.
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => /\.(js|css)$/.test(new URL(entry.name).pathname))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(150_000);
});

async function runningTable(person: Person): Promise<string> {
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 }, ["deckhand"]);
  await person.command(id, "start");
  return `/table/${id}`;
}
