/** The scenes that need no service: games around one screen, and the analysis board. */

import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { beginOn, ready } from "./deviceSide";
import type { Look } from "./person";
import type { Arrive, Scene, State } from "./scenes";

const RECORD = readFileSync(new URL("../../tests/records/tortuga-2.record", import.meta.url), "utf8");
/** Python starts, or weighs what to advise. */
const ENGINE_MS = 60_000;

export const deviceScenes: readonly Scene[] = [
  { name: "around one screen", isGame: true, walk: device },
  { name: "the analysis board", isGame: true, walk: analysis },
];

async function* device(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const page = await (await arrive("Anne", look)).open("/device");
  const fetching = page.getByRole("button", { name: "Prepare this device" });
  await expect(fetching).toBeVisible();
  await expect(page.getByText(/MB/)).toBeVisible();
  yield { name: "before the download", page };
  await fetching.click();
  await ready(page);
  yield { name: "a new game", page };
  await beginOn(page, { ruleset: "jamaica", people: ["Anne", "Bart", "Wilhelmina"], bots: ["sailor"] });
  const taking = page.getByRole("button", { name: /: show my cards$/ });
  await expect(taking).toBeVisible();
  yield { name: "the device is passed on", page };
  await taking.click();
  await expect(page.getByRole("region", { name: /^Your hand/ })).toBeVisible();
  yield { name: "a hand is shown to its owner", page };
  await page.goto("/device");
  await ready(page);
  await expect(page.getByRole("button", { name: /^Save as a file/ })).toBeVisible();
  yield { name: "games that are kept", page };
}

async function* analysis(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const page = await (await arrive("Anne", look)).open("/device");
  await page.getByRole("button", { name: "Prepare this device" }).click();
  await ready(page);
  await page.goto("/analysis");
  const text = page.getByRole("textbox", { name: "Record or position" });
  await expect(text).toBeVisible({ timeout: ENGINE_MS });
  yield { name: "nothing is open", page };
  const opening = page.getByRole("button", { name: "Open", exact: true });
  await text.fill(RECORD.replace("Ruleset: tortuga", "Ruleset: tortuag"));
  await opening.click();
  await expect(page.getByRole("alert")).toBeVisible();
  yield { name: "a text that cannot be read", page };
  await text.fill(RECORD);
  await opening.click();
  await expect(page.getByRole("grid", { name: /^The passage/ })).toBeVisible();
  yield { name: "a game is open", page };
  await page.getByRole("button", { name: "One action forward" }).click();
  await page.getByRole("button", { name: "Show hints" }).click();
  const advice = page.getByRole("region", { name: "Hints and chances" }).locator("ol button").first();
  await expect(advice).toBeVisible({ timeout: ENGINE_MS });
  await advice.click();
  await expect(page.getByRole("button", { name: "Line 1" })).toBeVisible();
  yield { name: "a line and its hints", page };
  await page.getByRole("button", { name: "Play from here" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Start the game" })).toBeVisible();
  yield { name: "who shall play on", page };
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Set up a position" }).click();
  const verdict = page.getByRole("region", { name: "Set up a position" }).getByRole("status");
  await expect(verdict).toHaveText("This position is possible.");
  yield { name: "a position is set up", page };
  await page.getByLabel("Turn of the last progress").fill("99");
  await expect(verdict).not.toHaveText("This position is possible.");
  yield { name: "a position that cannot be", page };
}
