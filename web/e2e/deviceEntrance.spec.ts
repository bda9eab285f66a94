/** The ways to the game on this device: what its download costs, where a quick game begins, files that are dropped. */

import { readFileSync } from "node:fs";
import { DeviceSide, ready, tableOf } from "./deviceSide";
import { expect, test as base, type Page } from "./test";

const RECORD = readFileSync(new URL("../../tests/records/tortuga-2.record", import.meta.url), "utf8");
const MB = 1_000_000;
/** Python starts. */
const ENGINE_MS = 60_000;
/** No text of a game is this long. */
const TOO_LONG = 1_000_001;

const test = base.extend<{ device: DeviceSide }>({
  device: async ({ browser, harbour }, use) => {
    const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "");
    await use(device);
    await device.leave();
  },
});

test("what there is to download is told before, and how far it is", async ({ device }) => {
  const lists = ["/engine/parts.json", "/files.json"].map(async (path) => {
    const list = await device.context.request.get(path);
    return ((await list.json()) as { download: number }).download;
  });
  const whole = (await Promise.all(lists)).reduce((sum, each) => sum + each, 0);
  const size = (whole / MB).toLocaleString("en", { maximumFractionDigits: 1 });
  const page = await device.context.newPage();
  const asked: string[] = [];
  device.context.on("request", (request) => asked.push(request.url()));
  await page.goto("/device");
  await expect(page.getByText(`This is downloaded once: ${size} MB.`)).toBeVisible();
  expect(asked.filter((address) => address.endsWith(".zip"))).toEqual([]);

  // One file does not come before it may.
  let allow = (): void => undefined;
  const allowed = new Promise<void>((resolve) => (allow = resolve));
  await device.context.route(/python\.zip$/, async (route) => {
    await allowed;
    await route.continue();
  });
  await page.getByRole("button", { name: "Prepare this device" }).click();
  const bar = page.getByRole("progressbar", { name: new RegExp(`^Downloading: [\\d.]+ of ${size} MB$`) });
  await expect(bar).toBeVisible();
  const share = () => bar.evaluate((each: HTMLProgressElement) => each.position);
  await expect.poll(share).toBeGreaterThan(0.3);
  expect(await share()).toBeLessThan(1);
  allow();
  await ready(page);
});

test("a quick game begins on the device while its engine is there, else on the service", async ({
  device,
}) => {
  test.setTimeout(300_000);
  const page = await device.open("/");
  expect(await playsNow(page)).toBe("on the service");
  await page.goto("/device");
  await page.getByRole("button", { name: "Prepare this device" }).click();
  await ready(page);
  // In another tab, too: one worker is there for all.
  const other = await device.open("/");
  expect(await playsNow(other)).toBe("on the device");
  await other.close();
  // Without its worker, but with all that it needs, only a device without a network begins here.
  await page.goto("/");
  expect(await playsNow(page)).toBe("on the service");
  await page.goto("/");
  await device.context.setOffline(true);
  expect(await playsNow(page)).toBe("on the device");
});

/** Where a game is, after one press on the home page. */
async function playsNow(page: Page): Promise<"on the device" | "on the service"> {
  await page.getByRole("button", { name: "Play now" }).first().click();
  await expect(page.getByRole("grid")).toBeVisible({ timeout: ENGINE_MS });
  return /^[^-]+-[^-]+-8/.test(tableOf(page)) ? "on the device" : "on the service";
}

test("a page without a network says so, and leads to the games that need none", async ({ device }) => {
  const page = await device.fetchGame();
  await page.goto("/");
  const strip = page.getByRole("status").filter({ hasText: "You are offline." });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(strip).toHaveCount(0);
  await device.context.setOffline(true);
  await expect(strip).toBeVisible();
  await strip.getByRole("link", { name: "On this device" }).click();
  await ready(page);
  await expect(strip).toHaveCount(0);
  await page.goto("/learn");
  await expect(strip).toBeVisible();
  await device.context.setOffline(false);
  await expect(strip).toHaveCount(0);
});

test("a game that is dropped as a file is kept, and opened", async ({ device }) => {
  const page = await device.fetchGame();
  await drop(page, "x".repeat(TOO_LONG));
  await expect(page.getByText("This file is too long to be a game.").first()).toBeVisible();
  await drop(page, "no record");
  await expect(page.getByRole("region", { name: "Messages" }).getByRole("listitem")).toHaveCount(2);
  await expect(page).toHaveURL(/\/device$/);
  await drop(page, RECORD);
  await expect(page).toHaveURL(/\/replay\//);
  await page.goto("/device");
  await expect(page.getByRole("button", { name: /^Save as a file: Tortuga/ })).toHaveCount(1);
  await page.goto("/analysis");
  await expect(page.getByRole("textbox", { name: "Record or position" })).toBeVisible({ timeout: ENGINE_MS });
  await drop(page, RECORD);
  await expect(page.getByRole("grid", { name: /^The passage/ })).toBeVisible();
});

/** Drop a file with this text anywhere on a page. */
async function drop(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], "game.txt", { type: "text/plain" }));
    return transfer;
  }, text);
  for (const event of ["dragenter", "dragover", "drop"])
    await page.dispatchEvent("main", event, { dataTransfer });
}
