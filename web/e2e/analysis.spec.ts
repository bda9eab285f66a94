/** The analysis board: games from texts, files and links, tried out and taken along, without a service. */

import { readFileSync } from "node:fs";
import { misnamed, violations } from "./axe";
import { DeviceSide } from "./deviceSide";
import { keys, mouse, tabTo, touch } from "./hands";
import type { TableAnswer } from "../src/api/messages";
import { DESKTOP, Person, PHONE } from "./person";
import type { Hands } from "./player";
import { expect, test, type Page } from "./test";

const RECORD = readFileSync(new URL("../../tests/records/tortuga-2.record", import.meta.url), "utf8");
/** The engine in a browser weighs what it advises. */
const HINT_MS = 30_000;

/** A device that has downloaded the game and has no network any more, at the analysis board. */
async function boardOf(device: DeviceSide): Promise<Page> {
  const page = await device.fetchGame();
  await device.context.setOffline(true);
  await page.goto("/analysis");
  await expect(page.getByRole("textbox", { name: "Record or position" })).toBeVisible({ timeout: HINT_MS });
  return page;
}

async function openText(page: Page, text: string, hands: Hands = mouse): Promise<void> {
  await page.getByRole("textbox", { name: "Record or position" }).fill(text);
  await hands.press(page, page.getByRole("button", { name: "Open", exact: true }));
}

function lineButton(page: Page, name: string) {
  return page.getByRole("region", { name: "Lines of play" }).getByRole("button", { name });
}

const WAYS: readonly { way: string; hands: Hands; look: typeof DESKTOP; tag: string[] }[] = [
  { way: "a mouse", hands: mouse, look: DESKTOP, tag: [] },
  { way: "fingers", hands: touch, look: PHONE, tag: ["@long"] },
  { way: "keys alone", hands: keys, look: DESKTOP, tag: ["@long"] },
];

for (const { way, hands, look, tag } of WAYS)
  test(
    `with ${way} a game is opened, tried out and kept in its address`,
    { tag },
    async ({ browser, harbour }) => {
      const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "", look);
      const page = await boardOf(device);
      await openText(page, RECORD, hands);
      await expect(lineButton(page, "Main line")).toHaveAttribute("aria-current", "true");

      const bar = page.getByRole("region", { name: "Step through the game" });
      if (hands === keys) {
        await tabTo(page, bar.getByRole("slider"));
        for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
      } else
        for (let step = 0; step < 3; step++)
          await hands.press(page, bar.getByRole("button", { name: "One action forward" }));
      await expect(bar).toContainText("Turn 2");

      await hands.press(page, page.getByRole("button", { name: "Show hints" }));
      const advice = page.getByRole("region", { name: "Hints and chances" }).locator("ol button").first();
      await expect(advice).toBeVisible({ timeout: HINT_MS });
      await hands.press(page, advice);
      await expect(lineButton(page, "Line 1")).toHaveAttribute("aria-current", "true");

      await expect(page).toHaveURL(/#game=[\w-]+&line=1&at=\d+$/);
      const unnamed = page.url();
      await hands.press(page, page.getByRole("button", { name: "Rename" }));
      await page.keyboard.type("What the engine would do");
      await page.keyboard.press("Enter");
      await expect(page).not.toHaveURL(unnamed);
      expect(await violations(page, "all")).toEqual([]);
      expect(await misnamed(page)).toEqual([]);

      const where = (await bar.locator(".where").textContent()) ?? "";
      await page.reload();
      const named = lineButton(page, "What the engine would do");
      await expect(named).toHaveAttribute("aria-current", "true", { timeout: HINT_MS });
      await expect(bar.locator(".where")).toHaveText(where);
      await device.leave();
    },
  );

test("a move on the board begins a line, and a link takes it to another page", async ({
  browser,
  harbour,
}) => {
  const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "");
  await device.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await boardOf(device);
  await openText(page, RECORD);
  const board = page.getByRole("grid", { name: /^The passage/ });
  await board.getByRole("button", { name: /^Fort/ }).click();
  await board.getByRole("button", { name: /^Space 1, hat/ }).click();
  await expect(lineButton(page, "Line 1")).toHaveAttribute("aria-current", "true");
  await page.setViewportSize({ width: 1366, height: 650 });
  await expect(page.getByRole("button", { name: "Copy link" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied.")).not.toHaveCount(0);
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await device.open(link);
  await expect(lineButton(other, "Line 1")).toHaveAttribute("aria-current", "true", { timeout: HINT_MS });
  await other.getByRole("button", { name: "Undo" }).click();
  await expect(lineButton(other, "Line 1")).toHaveCount(0);
  await other.goto(link.slice(0, link.length / 2));
  await expect(other.getByRole("alert")).toContainText("This link is incomplete", { timeout: HINT_MS });
  await device.leave();
});

test("texts and positions that cannot be say where and why", async ({ browser, harbour }) => {
  const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "");
  const page = await boardOf(device);
  const trouble = page.getByRole("alert");
  await openText(page, RECORD.replace("Ruleset: tortuga", "Ruleset: tortuag"));
  await expect(trouble).toHaveText(/^Line 4, column 10: .*Did you mean “tortuga”\?$/);
  const chosen = (field: HTMLTextAreaElement): string =>
    field.value.slice(field.selectionStart, field.selectionEnd);
  expect(await page.getByRole("textbox").evaluate(chosen)).toBe("tortuag");
  await openText(page, RECORD.replace(/^Deal: key/m, "Deal: ?"));
  await expect(trouble).toContainText("This record hides cards");
  await openText(page, RECORD.replace("1 red: play key start", "1 red: retreat 7"));
  await expect(trouble).toContainText(/^Line 14, column \d+: /);
  expect(await violations(page, "all")).toEqual([]);

  await openText(page, RECORD);
  await page.getByRole("button", { name: "Set up a position" }).click();
  const verdict = page.getByRole("region", { name: "Set up a position" }).getByRole("status");
  await expect(verdict).toHaveText("This position is possible.");
  const board = page.getByRole("grid");
  for (let pirate = 0; pirate < 4; pirate++) {
    await board.getByRole("button", { name: /^Fort/ }).click();
    await board.getByRole("button", { name: /^Space 9, / }).click();
  }
  await expect(verdict).toHaveText("4 pirates stand on space 9, where there is room for 3.");
  await expect(page.getByRole("button", { name: "Use this position" })).toBeDisabled();
  await board.getByRole("button", { name: /^Space 9, / }).click();
  await board.getByRole("button", { name: /^Space 11, / }).click();
  await page.getByRole("button", { name: "One more: pistol" }).click();
  await page.getByLabel("Whose turn").selectOption("Blas de Lezo");
  await expect(verdict).toHaveText("This position is possible.");
  expect(await violations(page, "all")).toEqual([]);
  await page.getByRole("button", { name: "Use this position" }).click();
  await expect(page.getByText("Blue is to act")).toBeVisible();
  await expect(page.getByRole("grid", { name: /^The passage/ })).toBeVisible();
  await device.leave();
});

test("games of a device are saved, added, and played from anywhere", async ({ browser, harbour }) => {
  const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "");
  const page = await boardOf(device);
  await openText(page, RECORD);
  await page.getByRole("button", { name: "One action forward" }).click();
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start the game" }).click();
  await page.waitForURL(/\/table\//);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Tortuga");

  await page.goto("/device");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Save as a file: Tortuga/ }).click();
  const path = await (await saving).path();
  await page.getByLabel("Add a game from a file").setInputFiles(path);
  await page.waitForURL(/\/table\//);
  await page.goto("/device");
  await expect(page.getByRole("button", { name: /^Save as a file/ })).toHaveCount(2);
  await page
    .getByLabel("Add a game from a file")
    .setInputFiles({ name: "over.txt", mimeType: "text/plain", buffer: Buffer.from(RECORD) });
  await page.waitForURL(/\/replay\//);
  const bar = page.getByRole("region", { name: "Step through the game" });
  await bar.getByRole("button", { name: "One action forward" }).click();
  await bar.getByRole("button", { name: "Analysis board" }).click();
  await expect(lineButton(page, "Main line")).toBeVisible({ timeout: HINT_MS });
  await expect(bar).toContainText("Turn 1");
  await device.leave();
});

test("a moment goes on online, where a friend is told that its host knows the cards", async ({
  browser,
  harbour,
}) => {
  const url = harbour.steady[0] ?? "";
  const device = await DeviceSide.begin(browser, url);
  const page = await device.fetchGame();
  await page.goto("/analysis");
  await openText(page, RECORD);
  await page.getByRole("button", { name: "One action forward" }).click();
  await page.getByRole("button", { name: "Play from here" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Online", { exact: true }).click();
  await expect(dialog).toContainText("who are told that you know the cards");
  for (const crew of await dialog.getByRole("combobox").all()) await crew.selectOption({ index: 0 });
  expect(await violations(page, "all")).toEqual([]);
  await dialog.getByRole("button", { name: "Start the game" }).click();
  await page.waitForURL(/\/table\//);
  const sentence = "This game does not begin with a deal";
  await expect(page.getByText(sentence)).toBeVisible();
  expect(await violations(page, "all")).toEqual([]);

  const path = new URL(page.url()).pathname;
  const answer = await page.request.get(`/api/tables/${path.split("/").at(-1) ?? ""}`);
  const { invite } = (await answer.json()) as TableAnswer;
  const bart = await Person.arrive(browser, url, "Bart");
  const theirs = await bart.open(`${path}?invite=${invite ?? ""}`);
  await expect(theirs.getByText(sentence)).toBeVisible();
  await theirs.getByRole("button", { name: /^Sit/ }).first().click();
  await page.getByRole("button", { name: "Start the game" }).click();
  for (const each of [page, theirs])
    await expect(each.getByRole("grid", { name: /^The passage/ })).toBeVisible();
  await bart.leave();
  await device.leave();
});
