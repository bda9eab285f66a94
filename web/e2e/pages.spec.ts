/** Every page is there, says what it is, needs nothing from elsewhere and breaks no rule of accessibility. */

import AxeBuilder from "@axe-core/playwright";
import { gameOver } from "./game";
import { PHONE, type Person } from "./person";
import { expect, test, type Page } from "./test";

const PAGES = [
  "/",
  "/open",
  "/learn",
  "/rules",
  "/rules/escape",
  "/rules/nest",
  "/ladder",
  "/sign-in",
  "/account",
  "/settings",
  "/credits",
  "/nonsense",
];
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

for (const theme of ["plan", "night"] as const) {
  for (const path of PAGES) {
    test(`${path} is accessible in the theme ${theme}`, async ({ arrive }) => {
      const person = await arrive("Anne");
      await choose(person, theme);
      await expectAccessible(await person.open(path));
    });
  }

  test(`a table is accessible in the theme ${theme}, before, during and after`, async ({ arrive }) => {
    const person = await arrive("Anne");
    await choose(person, theme);
    const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 });
    const page = await person.open(`/table/${id}`);
    await expect(page.getByRole("button", { name: "Start the game" })).toBeVisible();
    await expectAccessible(page);
    await person.command(id, "bots", { seat: 1, level: "deckhand" });
    await person.command(id, "start");
    await expect(page.getByRole("grid")).toBeVisible();
    await expectAccessible(page);
    await person.command(id, "resign");
    await expect(gameOver(page)).toBeVisible();
    await expectAccessible(page);
    await expectAccessible(await person.open(`/replay/${id}`));
  });
}

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

async function choose(person: Person, theme: "plan" | "night"): Promise<void> {
  await person.context.addInitScript((chosen) => {
    // The search for faults opens an empty page of its own, which may keep nothing.
    if (location.protocol === "about:") return;
    localStorage.setItem("cartagena.settings", JSON.stringify({ theme: chosen }));
  }, theme);
}

/** The page has come and nothing is being fetched any more, apart from streams. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  const told = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target }) => target),
  }));
  expect(told).toEqual([]);
}
