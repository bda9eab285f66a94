/** The site on a host that only sends files, below some path: whatever is shown works there, also without a network. */

import { join } from "node:path";
import { violations } from "./axe";
import { beginOn, DeviceSide, playOn, playOnToEnding } from "./deviceSide";
import { BELOW, FileServer, STATIC } from "./fileServer";
import { gameOver, isOver } from "./game";
import { mouse } from "./hands";
import { DESKTOP, PHONE } from "./person";
import { Player } from "./player";
import { expect, test as base, type Page } from "./test";

interface Files {
  files: FileServer;
  /** Somebody who came to a page of the site; no page may have a fault, and nothing may be missing. */
  reader: DeviceSide;
}

const test = base.extend<Files>({
  files: async ({}, use) => {
    const files = await FileServer.start();
    await use(files);
    files.stop();
  },
  reader: async ({ browser, files }, use) => {
    const reader = await DeviceSide.begin(browser, files.origin, DESKTOP);
    await use(reader);
    await reader.leave();
    expect(files.answered.filter((line) => / (4|5)\d\d$/.test(line) || line.includes("/api"))).toEqual([]);
  },
});

const PAGES = ["", "analysis/", "device/", "learn/", "rules/", "rules/nest/", "settings/", "credits/"];
/** Long enough for a few turns of everybody. */
const STEPS = 8;
/** How long Python may take to start. */
const READY_MS = 60_000;

test("every page comes by its address, and whatever it links to is there", async ({ files, reader }) => {
  const linked = new Set<string>();
  const page = await reader.context.newPage();
  for (const path of PAGES) {
    await page.goto(files.at(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await violations(page, "rest"), path).toEqual([]);
    for (const address of await linksOf(page)) linked.add(address);
  }
  expect([...linked].filter((address) => address.includes("/learn/")).length).toBeGreaterThan(10);
  for (const address of linked) {
    expect(new URL(address).pathname.startsWith(BELOW), address).toBe(true);
    const answer = await reader.context.request.get(address, { maxRedirects: 0 });
    expect(answer.status(), address).toBe(200);
  }
});

/** The addresses on the same host that a page links to. */
function linksOf(page: Page): Promise<string[]> {
  return page.getByRole("link").evaluateAll((links) => {
    const addresses = links.map((link) => (link as HTMLAnchorElement).href.replace(/#.*/, ""));
    return addresses.filter((address) => new URL(address).origin === location.origin);
  });
}

test("what needs a service is not shown", async ({ files, reader }) => {
  const page = await reader.context.newPage();
  await page.goto(files.at(""));
  const nav = page.getByRole("navigation", { name: "Site" });
  await expect(nav.getByRole("link")).toHaveText(["Play", "Learn", "Analysis"]);
  await expect(page.getByRole("link", { name: /Sign in|Open a table|Ladder|Watch/ })).toHaveCount(0);
  await page.getByRole("link", { name: /^On this device.*Jamaica$/ }).click();
  await expect(page).toHaveURL(files.at("device/?ruleset=jamaica"));
  await page.setViewportSize(PHONE.viewport);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("dialog").getByRole("link")).toHaveText([
    "Play",
    "Learn",
    "Analysis",
    "Rules",
    "Settings",
    "Credits",
  ]);
  // An address of a service is no page here.
  await page.goto(files.at("table/?id=01a1de9f-0000-7000-8000-000000000000"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
});

test("a lesson is played, and the rulebook is searched", async ({ files, reader }) => {
  const page = await reader.context.newPage();
  await page.goto(files.at("learn/"));
  await page.getByRole("link", { name: "Begin", exact: true }).click();
  await expect(page.getByRole("grid")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("grid")).toBeVisible();
  await page.goto(files.at("rules/escape/#R5.1"));
  await expect(page.locator("[id='R5.1']")).toBeInViewport();
});

test("a game on the device goes on after a reload, and without a network", async ({ files, reader }) => {
  test.setTimeout(300_000);
  const page = await reader.fetchGame(files.at("device/"));
  const table = await beginOn(page, { ruleset: "tortuga", people: ["Anne"], bots: ["sailor"] });
  expect(page.url()).toBe(files.at(`table/?id=${table}`));
  await playOn(new Player(reader, page, table, mouse), STEPS);
  await page.reload();
  await expect(page.getByRole("grid")).toBeVisible({ timeout: READY_MS });
  await reader.context.setOffline(true);
  files.stop();
  await page.reload();
  await expect(page.getByRole("grid")).toBeVisible({ timeout: READY_MS });
  await playOn(new Player(reader, page, table, mouse), STEPS);
  expect(await violations(page, "all")).toEqual([]);
  for (const path of ["", "credits/", "rules/nest/", "learn/"]) {
    await page.goto(files.at(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await page.goto(files.at("device/"));
  await page.getByRole("link", { name: /^Tortuga/ }).click({ timeout: READY_MS });
  await expect(page.getByRole("grid")).toBeVisible();
});

test(
  "two people play a game below a path and look at it again",
  { tag: "@long" },
  async ({ files, reader }) => {
    test.setTimeout(600_000);
    const page = await reader.fetchGame(files.at("device/"));
    const table = await beginOn(page, { ruleset: "jamaica", people: ["Anne", "Bart"], bots: [] });
    const player = new Player(reader, page, table, mouse);
    expect(isOver(await playOn(player, STEPS))).toBe(false);
    await playOnToEnding(player);
    expect(isOver(await playOn(player))).toBe(true);
    await expect(gameOver(page)).toBeVisible();
    await page.getByRole("link", { name: "Replay" }).click();
    await expect(page).toHaveURL(({ href }) => href.startsWith(files.at(`replay/?id=${table}`)));
    await page.getByRole("button", { name: "Check the shuffle" }).click();
    await expect(page.getByText(/^Every shuffle (is as it was|follows from)/)).toBeVisible();
    await page.getByRole("button", { name: "One turn forward" }).click();
    await page.getByRole("button", { name: "Analysis board" }).click();
    const line = (each: Page, name: string) =>
      each.getByRole("region", { name: "Lines of play" }).getByRole("button", { name });
    await expect(line(page, "Main line")).toHaveAttribute("aria-current", "true", { timeout: READY_MS });
    await expect(page).toHaveURL(
      (url) => url.href.startsWith(files.at("analysis/")) && /^#game=/.test(url.hash),
    );
    const bar = page.getByRole("region", { name: "Step through the game" });
    const where = (await bar.locator(".where").textContent()) ?? "";

    const other = await reader.open(page.url());
    await expect(line(other, "Main line")).toHaveAttribute("aria-current", "true", { timeout: READY_MS });
    await expect(other.getByRole("region", { name: "Step through the game" }).locator(".where")).toHaveText(
      where,
    );
    expect(await violations(other, "all")).toEqual([]);
  },
);

test("a host that sends a page without its slash is put right", async ({ files, reader }) => {
  const page = await reader.context.newPage();
  const isBare = ({ pathname }: URL): boolean => pathname === `${BELOW}learn`;
  await page.route(isBare, (route) => route.fulfill({ path: join(STATIC, "learn/index.html") }));
  for (const path of ["learn", "learn/index.html"]) {
    await page.goto(files.at(`${path}?from=chat#keys`), { waitUntil: "commit" });
    await expect(page).toHaveURL(files.at("learn/?from=chat#keys"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});

test("pages run nothing but their own files, and compile nothing", async ({ browser, files }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(files.at(""));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const refused = await page.evaluate(async () => {
    const directives: string[] = [];
    const told = new Promise<void>((resolve) => {
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        if (directives.push(effectiveDirective) === 2) resolve();
      });
    });
    const script = document.createElement("script");
    script.textContent = "document.body.remove()";
    document.head.append(script);
    await fetch("https://elsewhere.example/").catch(() => undefined);
    await told;
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    const isCompiled = await WebAssembly.compile(empty).then(
      () => true,
      () => false,
    );
    return { directives, isCompiled };
  });
  expect(refused).toEqual({ directives: ["script-src-elem", "connect-src"], isCompiled: false });
  await context.close();
});
