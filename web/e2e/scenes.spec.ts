/**
 * Every state of every screen is accessible, readable, large enough to press, and no wider than its screen.
 *
 * CI walks through the scenes with the most states. Words do not change colours, and colours do not change
 * words: so contrast is checked in both themes, and everything else in English and in one more language,
 * which changes from state to state. `@long` walks through all scenes and checks everything in every dress.
 */

import type { Browser } from "@playwright/test";
import { misnamed, violations } from "./axe";
import { contrasts, Darkroom } from "./contrast";
import { dress, LANGUAGES, THEMES, type Dress } from "./dressing";
import { DESKTOP, NARROW, PHONE } from "./person";
import { SCENES, type Arrive, type Scene } from "./scenes";
import { smallTargets } from "./targets";
import { expect, test, type Page } from "./test";

/** What is wrong with a page, one line each. */
type Check = (page: Page) => Promise<string[]>;
type Size = "desktop" | "phone";

interface Round extends Dress {
  checks: readonly Check[];
}

const BRIEF: ReadonlySet<string> = new Set(["the pages of the site", "a game of Tortuga and its replay"]);
const OTHERS = ["nl", "de", "sv"] as const;
/** Board, hand, turn box, and the ways to act in the Nest. */
const GAME = ".board, .line, .dock";
/** Fewer runs than any screen has, even the smallest dialog: a check that found no text checked nothing. */
const FEWEST = 2;

for (const scene of SCENES) {
  for (const size of ["desktop", "phone"] as const) {
    if (BRIEF.has(scene.name)) {
      test(`${scene.name} on a ${size}`, async ({ arrive, browser }) => {
        const briefly = size === "phone" ? onPhone(scene) : onDesktop(scene, browser);
        expect(await foundIn(scene, arrive, size, briefly)).toEqual([]);
      });
    }
    test(`${scene.name} on a ${size} in every dress`, { tag: "@long" }, async ({ arrive, browser }) => {
      test.setTimeout(900_000);
      expect(await foundIn(scene, arrive, size, inEveryDress(scene, size, browser))).toEqual([]);
    });
  }
}

/** Walk through a scene; the rounds depend on the number of states before. */
async function foundIn(
  { walk }: Scene,
  arrive: Arrive,
  size: Size,
  roundsOf: (states: number) => readonly Round[],
): Promise<string[]> {
  const found: string[] = [];
  let states = 0;
  for await (const { name, page } of walk(arrive, size === "phone" ? PHONE : DESKTOP)) {
    for (const { checks, ...worn } of roundsOf(states++)) {
      await dress(page, worn);
      for (const check of checks)
        for (const fault of await check(page))
          found.push(`${name}, ${worn.theme}, ${worn.language}: ${fault}`);
    }
    await dress(page, { language: "en", theme: "plan" });
  }
  return found;
}

function onDesktop({ isGame }: Scene, browser: Browser): (states: number) => Round[] {
  const readable = isGame ? [readableIn(browser)] : [];
  return (states) => [
    { language: "en", theme: "plan", checks: [allRules, misnamed, ...readable] },
    { language: "en", theme: "night", checks: isGame ? readable : [looks] },
    { language: OTHERS[states % OTHERS.length] ?? "de", theme: "night", checks: [otherRules, misnamed] },
  ];
}

function onPhone({ isGame }: Scene): () => Round[] {
  const rules = isGame ? [allRules, misnamed] : [];
  return () => [{ language: "en", theme: "plan", checks: [...rules, pressable, pressableInGame, fits] }];
}

function inEveryDress({ isGame }: Scene, size: Size, browser: Browser): () => Round[] {
  const isPhone = size === "phone";
  const once = [pressable, ...(isPhone ? [pressableInGame, fits] : [])];
  const readable = isGame || !isPhone ? [readableIn(browser)] : [];
  const rounds = LANGUAGES.flatMap((language) =>
    THEMES.map((theme): Round => {
      const more = language === "en" ? [...readable, ...(theme === "plan" ? once : [])] : [];
      return { language, theme, checks: [allRules, misnamed, ...more] };
    }),
  );
  return () => rounds;
}

function allRules(page: Page): Promise<string[]> {
  return violations(page, "all");
}

function looks(page: Page): Promise<string[]> {
  return violations(page, "looks");
}

function otherRules(page: Page): Promise<string[]> {
  return violations(page, "rest");
}

/** Every run of text stands out from what is actually behind it. */
function readableIn(browser: Browser): Check {
  const darkroom = new Darkroom(browser);
  return async (page) => {
    const judged = (await contrasts(page, darkroom)).filter(({ ratio }) => ratio !== null);
    if (judged.length <= FEWEST) return [`only ${judged.length} runs of text were found`];
    return judged
      .filter(({ ratio, needs }) => (ratio ?? 0) < needs)
      .map(({ text, ratio, needs }) => `${ratio?.toFixed(2) ?? ""} of ${needs} in "${text}"`);
  };
}

function pressable(page: Page): Promise<string[]> {
  return smallTargets(page, "body, :modal", 24);
}

async function pressableInGame(page: Page): Promise<string[]> {
  return (await smallTargets(page, GAME, 44)).map((target) => `of the game: ${target}`);
}

/** On the narrowest phone nothing scrolls sideways. */
async function fits(page: Page): Promise<string[]> {
  await page.setViewportSize(NARROW.viewport);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.setViewportSize(PHONE.viewport);
  return over > 0 ? [`${over} pixels too wide`] : [];
}
