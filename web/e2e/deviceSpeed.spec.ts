/** What a game on this device costs: the download, the wait for the first move of a bot, memory, blocked frames. */

import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import type { TableAnswer } from "../src/api/messages";
import type { Parts } from "../src/device/parts";
import { beginOn, DeviceSide, playOn, ready, tableOf } from "./deviceSide";
import { mouse } from "./hands";
import { measured } from "./measuring";
import { Player } from "./player";
import { expect, test } from "./test";

const ROUNDS = 3;
/** With the engine as Python: compiled for browsers it is some ten times as fast. */
const COLD_MS = 12_000;
const CACHED_MS = 5000;
const SAILOR_SECONDS = 0.3;
const FRAME_MS = 50;
const CHOICES = 40;
const MB = 1_000_000;
const SETTING = { ruleset: "tortuga", people: ["Anne"], bots: ["sailor"] };

interface Watched {
  blocked: number[];
}

/** The usual seconds of a sailor's turn, and how often the page was blocked for longer than a frame may take. */
interface Cost {
  sailor: number;
  blocked: number;
}

test("the first move of a bot comes soon, and nobody waits for the page meanwhile", async ({
  browser,
  harbour,
}) => {
  test.setTimeout(600_000);
  const [cold, cached]: [number[], number[]] = [[], []];
  const games: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "");
    await device.context.addInitScript(watchTasks);
    const page = await device.open("/device");
    cold.push(await untilBotMoved(device, page, () => fetchEngine(page)));
    await page.close();
    const again = await device.context.newPage();
    cached.push(await untilBotMoved(device, again, () => comeBack(again)));
    if (round === ROUNDS - 1) games.push(await costOfGame(browser, device, again));
    await device.leave();
  }
  const first = measured("first visit: from the download to the first move of a bot", cold);
  const later = measured("later visits: from the address to that move", cached);
  expect(first.p50).toBeLessThan(COLD_MS);
  expect(later.p50).toBeLessThan(CACHED_MS);
  for (const { sailor, blocked } of games) {
    expect(sailor).toBeLessThanOrEqual(SAILOR_SECONDS);
    expect(blocked).toBe(0);
  }
});

async function fetchEngine(page: Page): Promise<void> {
  const answer = await page.request.get("/engine/parts.json");
  const { download } = (await answer.json()) as Parts;
  console.log(`download before the first move: ${(download / MB).toFixed(1)} MB`);
  await page.getByRole("button", { name: "Prepare this device" }).click();
}

async function comeBack(page: Page): Promise<void> {
  await page.goto("/device");
}

/** Milliseconds from a wish until a bot has moved in a game that begins as soon as one can. */
async function untilBotMoved(device: DeviceSide, page: Page, wish: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await wish();
  await ready(page);
  const table = await beginOn(page, SETTING);
  for (let told = await device.look(table); !hasMoved(told); told = await device.look(table)) {
    const { seq, view, wishes } = told.current;
    const { legal = [] } = wishes ?? {};
    const choice = legal.find(({ kind }) => kind === "end_turn") ?? legal[0];
    if (view?.to_act === told.seat) await device.command(table, "actions", { seq, code: choice?.code });
  }
  return performance.now() - begun;
}

/** Whether anybody but the reader has acted. */
function hasMoved({ seat, current }: TableAnswer): boolean {
  return (
    current.view?.pirates.some((crew, owner) => owner !== seat && crew.some((place) => place > 0)) === true
  );
}

/** Some turns by hand: how long bots took, what the page was blocked by, and what all of it needs. */
async function costOfGame(browser: Browser, device: DeviceSide, page: Page): Promise<Cost> {
  const table = tableOf(page);
  await page.evaluate(() => void (window as unknown as Watched).blocked.splice(0));
  await playOn(new Player(device, page, table, mouse), CHOICES);
  const blocked = await page.evaluate(() => (window as unknown as Watched).blocked);
  measured(`the page was blocked for more than ${FRAME_MS} ms`, blocked);
  console.log(`memory of the browser's largest process: ${await largestProcess(browser)} MB`);
  const { seconds } = await device.ask<{ seconds: Record<string, number> }>("GET", "/api/me/pace");
  const sailor = seconds["sailor"] ?? NaN;
  console.log(`a sailor's turn took ${sailor} s`);
  return { sailor, blocked: blocked.length };
}

/** Runs in the page, before its own scripts: tasks that keep a page from drawing, as the browser counts them. */
function watchTasks(): void {
  const blocked: number[] = [];
  (window as unknown as Watched).blocked = blocked;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocked.push(duration);
  }).observe({ type: "longtask" });
}

/** The resident megabytes of the process with the page and its worker. */
async function largestProcess(browser: Browser): Promise<string> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sizes = processInfo.map(({ id }) => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
    return (Number(kilobytes ?? 0) * 1024) / MB;
  });
  return Math.max(...sizes).toFixed(0);
}
