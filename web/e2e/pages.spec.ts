/** Every page is there, says what it is, fits its screen and needs nothing from elsewhere. */

import { PHONE, type Person } from "./person";
import { PAGES as OTHERS } from "./siteScenes";
import { expect, test, type Page } from "./test";

const PAGES = ["/", "/open", ...OTHERS];

for (const path of [...PAGES, "table"]) {
  test(`${path} fits a phone without scrolling sideways`, async ({ arrive }) => {
    const person = await arrive("Anne", { ...PHONE, viewport: { width: 360, height: 740 } });
    const page = await person.open(path === "table" ? await runningTable(person) : path);
    await settled(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over).toBeLessThanOrEqual(0);
  });
}

for (const ruleset of ["tortuga", "jamaica", "nest"]) {
  for (const seats of [2, 5]) {
    test(`${ruleset} with ${seats} crews fits a phone without scrolling at all`, async ({ arrive }) => {
      const person = await arrive("Anne", { ...PHONE, viewport: { width: 390, height: 844 } });
      const bots = Array.from({ length: seats - 1 }, () => "deckhand");
      const { id } = await person.openTable({ ruleset, seats }, bots);
      await person.command(id, "start");
      const page = await person.open(`/table/${id}`);
      await expect(page.getByRole("grid")).toBeVisible();
      const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      expect(over).toBeLessThanOrEqual(0);
    });
  }
}

test("a page that is not there answers 404 and says so kindly", async ({ arrive }) => {
  const person = await arrive("Anne");
  const page = await person.context.newPage();
  const answer = await page.goto("/nonsense");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
});

test("no page asks another host for anything", async ({ arrive, harbour }) => {
  const person = await arrive("Anne");
  const elsewhere: string[] = [];
  person.context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!harbour.nodes.includes(origin) && protocol !== "blob:") elsewhere.push(request.url());
  });
  for (const path of PAGES) await settled(await person.open(path));
  await settled(await person.open(await runningTable(person)));
  expect(elsewhere).toEqual([]);
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
  await page.goto(path);
  await expect(page.getByRole("grid")).toBeVisible();
  // In brotli, so somewhat less than the budget in gzip that `tools/browser_budget.py` holds.
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

/** The page has come and nothing is being fetched any more, apart from streams. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}
