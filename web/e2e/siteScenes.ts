/** The scenes away from a table: the pages of the site, its dialogs, the lessons. */

import { expect, type Page } from "@playwright/test";
import type { Me } from "../src/api/messages";
import course from "../src/learn/generated/course.json" with { type: "json" };
import type { Look, Person } from "./person";
import type { Arrive, Scene, State } from "./scenes";

/** The pages that anyone may open, and what appears instead of missing ones. */
export const PAGES = [
  "/learn",
  "/learn/nonsense",
  "/rules",
  "/rules/escape",
  "/rules/nest",
  "/ladder",
  "/sign-in",
  "/account",
  "/settings",
  "/credits",
  "/nonsense",
  "/table/nonsense",
  "/replay/nonsense",
];

export const siteScenes: readonly Scene[] = [
  { name: "the pages of the site", isGame: false, walk: pages },
  { name: "home and lobby", isGame: false, walk: home },
  { name: "the lessons", isGame: false, walk: lessons },
  { name: "a lesson from its first task to its last", isGame: false, walk: lesson },
];

async function* pages(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const person = await arrive("Anne", look);
  const me = await person.ask<Me>("GET", "/api/me");
  const page = await person.context.newPage();
  for (const path of [...PAGES, `/player/${me.id}`]) {
    await page.goto(path);
    await arrived(page);
    yield { name: path, page };
  }
  await page.goto("/rules/escape");
  await page.getByRole("searchbox").fill("sloop");
  yield { name: "the rulebook, searched", page };
  await page.getByRole("searchbox").fill("zeppelin");
  yield { name: "the rulebook, searched in vain", page };
}

async function* home(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [person, host] = [await arrive("Anne", look), await arrive("Bart")];
  await host.openTable({ ruleset: "jamaica", seats: 5, clock: { kind: "live", bank: 600, increment: 10 } });
  await runningTable(host);
  await runningTable(person);
  const page = await person.open("/");
  await expect(page.getByRole("button", { name: "Sit down with Bart" }).first()).toBeVisible();
  yield { name: "home with open and running tables", page };
  if (await page.getByRole("button", { name: "Menu" }).isVisible()) {
    await page.getByRole("button", { name: "Menu" }).click();
    yield { name: "the menu of the site", page };
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Find a game" }).first().click();
  await expect(page.getByRole("heading", { name: "Looking for players" })).toBeVisible();
  yield { name: "home while a game is looked for", page };
  await page.getByRole("button", { name: "Stop waiting" }).click();
  for (const ruleset of ["tortuga", "nest"]) {
    await page.goto(`/open?ruleset=${ruleset}&seats=5`);
    await arrived(page);
    yield { name: `a table of ${ruleset} is being opened`, page };
  }
}

async function* lessons(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const page = await (await arrive("Anne", look)).context.newPage();
  for (const { name } of course) {
    await page.goto(`/learn/${name}`);
    await expect(page.getByRole("grid")).toBeVisible();
    yield { name: `the lesson ${name}`, page };
  }
}

async function* lesson(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const page = await (await arrive("Anne", look)).open("/learn/goal");
  await done(page);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: /^Space 35/ }).click();
  await page.getByRole("button", { name: /^Sloop/ }).click();
  await expect(page.getByRole("dialog", { name: "With which card?" })).toBeVisible();
  yield { name: "a lesson asks with which card", page };
  await page.goto("/learn/freebooter");
  await page.getByRole("button", { name: "Show me" }).click();
  yield { name: "a lesson shows the move", page };
  await done(page);
  await page.getByRole("button", { name: "Go on" }).click();
  yield { name: "a lesson, cards to be given away", page };
  await done(page);
  yield { name: "a lesson at its end", page };
  await page.goto("/learn/turn");
  await page.getByRole("button", { name: /^Bottle, 1 in hand/ }).click();
  await page.getByRole("button", { name: /^Fort/ }).click();
  const confirm = page.getByRole("button", { name: /^Move to/ });
  if (await confirm.isVisible()) await confirm.click();
  await expect(page.getByRole("button", { name: "Take it back" })).toBeVisible();
  yield { name: "a lesson, another move than the wanted one", page };
}

/** Solve a task of a lesson as the lesson shows it. */
async function done(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Show me" }).click();
  await page.getByRole("button", { name: /^(Move to|Discard) / }).click();
}

async function runningTable(host: Person): Promise<void> {
  const { id } = await host.openTable({ ruleset: "tortuga", seats: 2 }, ["deckhand"]);
  await host.command(id, "start");
}

/** The page has loaded and names itself. */
async function arrived(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // What is still loading says so in a live region, which goes away afterwards.
  await page.waitForLoadState("networkidle");
}
