/** A game fits its window: all controls are in sight, at every window size and in every language. */

import { START } from "../src/board/places";
import { dress, LANGUAGES, still, type Language } from "./dressing";
import type { Person } from "./person";
import { momentOf, placeButton } from "./player";
import { smallTargets } from "./targets";
import { expect, test, type Page } from "./test";
import { ENGLISH } from "./wording";

const CLOCK = { kind: "live", bank: 3600, increment: 10 } as const;
const LARGE = { width: 1440, height: 900 };
/** What browsers leave of common screens, landscape tablets, and phones in both orientations. */
const SIZES = [
  { width: 1280, height: 633 },
  { width: 1366, height: 650 },
  { width: 1440, height: 789 },
  LARGE,
  { width: 1536, height: 730 },
  { width: 1920, height: 953 },
  { width: 1180, height: 820 },
  { width: 1024, height: 768 },
  { width: 844, height: 390 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
] as const;
/** Widths of touch screens; the narrowest phone is left out because its targets are a little smaller. */
const TOUCHED: readonly number[] = [1180, 1024, 844, 390];
const GAME = ".board, .line, .dock";
/** German has the longest words, and five crews need the most room; the rest runs at night. */
const FULLEST = { seats: 5, language: "de" } as const;
const RULESETS = ["tortuga", "jamaica", "nest"] as const;
const GAMES = RULESETS.flatMap((ruleset) =>
  [2, 5].flatMap((seats) => LANGUAGES.map((language) => ({ ruleset, seats, language }))),
);

for (const { ruleset, seats, language } of GAMES) {
  const tag = seats === FULLEST.seats && language === FULLEST.language ? [] : "@long";
  test(`${ruleset} with ${seats} crews fits every window, ${language}`, { tag }, async ({ arrive }) => {
    const person = await arrive("Anne", { viewport: LARGE });
    const bots = Array.from({ length: seats - 1 }, () => "deckhand");
    const { id } = await person.openTable({ ruleset, seats, clock: CLOCK }, bots);
    await person.command(id, "start");
    const page = await person.open(`/table/${id}`);
    await expect(page.getByRole("region", { name: "Your turn" })).toBeVisible({ timeout: 60_000 });
    expect(await misfitsAt(page, [language], "at first")).toEqual([]);
    await choose(page, person, id);
    expect(await misfitsAt(page, [language], "with a move to confirm")).toEqual([]);
  });
}

test("a hand of many kinds, and all that a turn may say, fit a phone on its side", async ({ arrive }) => {
  const person = await arrive("Anne", { viewport: LARGE });
  const bots = Array.from({ length: 4 }, () => "deckhand");
  const { id } = await person.openTable({ ruleset: "nest", seats: 5, clock: CLOCK }, bots);
  await person.command(id, "start");
  const page = await person.open(`/table/${id}`);
  await expect(page.getByRole("region", { name: "Your turn" })).toBeVisible({ timeout: 60_000 });
  await page.setViewportSize({ width: 844, height: 390 });
  await dress(page, { language: "de", theme: "plan" });
  await page.evaluate(crowd);
  expect(await misfits(page)).toEqual([]);
});

test("a coached game fits every window", async ({ arrive }) => {
  const person = await arrive("Anne", { viewport: LARGE });
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2, clock: CLOCK }, ["deckhand"]);
  await person.command(id, "start");
  const page = await person.open("/credits");
  await page.evaluate((table) => localStorage.setItem("cartagena.coached", table), id);
  await page.goto(`/table/${id}`);
  await expect(page.getByText("Press one of your pirates").last()).toBeVisible({ timeout: 60_000 });
  expect(await misfitsAt(page, ["de"], "coached")).toEqual([]);
  const { view } = momentOf(await person.look(id)) ?? {};
  if (view === undefined) throw new Error("it is the turn of the coached player");
  await placeButton(page, view, START).click();
  expect(await misfitsAt(page, ["de"], "coached, with a pirate chosen")).toEqual([]);
});

test("the boards of lessons and replays are no higher than their window", async ({ arrive }) => {
  const person = await arrive("Anne");
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 }, ["deckhand"]);
  await person.command(id, "start");
  await person.command(id, "resign");
  const page = await person.context.newPage();
  for (const path of ["/learn/card", `/replay/${id}`]) {
    await page.goto(path);
    await expect(page.locator(".board")).toBeVisible();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await still(page);
      const box = await page.locator(".board").boundingBox();
      expect(box?.height, `${path} at ${told(size)}`).toBeLessThanOrEqual(size.height);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  }
});

/** Runs in the page: nine kinds of cards in hand, and the longest words for what is done with one. */
function crowd(): void {
  const stacks = document.querySelector(".hand .stacks");
  const sentence = document.querySelector(".turn .sentence");
  const card = stacks?.querySelector("button");
  if (stacks == null || sentence === null || card == null) throw new Error("it is nobody's turn");
  while (stacks.childElementCount < 9) stacks.append(card.cloneNode(true));
  const left = sentence.querySelector("b") ?? "";
  const words =
    "Spiele Gold-Schatzkarte: vom Strand auf Feld 12, über Feld 3, Feld 5 und Feld 8 hinweg. Ein Freibeuter: " +
    "Danach geben alle bis auf sieben Karten ab. Danach gibt es kein Zurück.";
  sentence.replaceChildren(left, ` ${words}`);
}

/** Choose a pirate at the start and a card for it: the button then has the most to say. */
async function choose(page: Page, person: Person, id: string): Promise<void> {
  const moment = momentOf(await person.look(id));
  const play = moment?.legal.find(({ kind, place }) => kind === "play" && place === START);
  if (moment === null || play === undefined) throw new Error("the player who begins can leave the start");
  await placeButton(page, moment.view, START).click();
  // A rival on the same place could be pushed.
  if (moment.legal.some(({ kind, place }) => kind === "push" && place === START))
    await page.getByRole("dialog").getByRole("button", { name: "Your pirate" }).click();
  const hand = page.getByRole("region", { name: /^Your hand/ });
  await hand.getByRole("button", { name: ENGLISH.stack(play.card ?? "") }).click();
  await expect(page.getByRole("button", { name: /^Move to / })).toBeEnabled();
}

/** What does not fit at any size in `languages`, one line each; leaves the window large. */
async function misfitsAt(page: Page, languages: readonly Language[], state: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const language of languages) {
      await dress(page, { language, theme: "plan" });
      found.push(...(await misfits(page)).map((fault) => `${told(size)}, ${language}, ${state}: ${fault}`));
    }
    await dress(page, { language: "en", theme: "plan" });
    if (!TOUCHED.includes(size.width)) continue;
    const small = await smallTargets(page, GAME, 44);
    found.push(...small.map((target) => `${told(size)}, ${state}: too small: ${target}`));
  }
  await page.setViewportSize(LARGE);
  return found;
}

function told({ width, height }: { width: number; height: number }): string {
  return `${width} x ${height}`;
}

async function misfits(page: Page): Promise<string[]> {
  return [...(await page.evaluate(misplaced)), ...(await page.evaluate(cutOff))];
}

/** Runs in the page: find parts outside the window, overlapping parts, and what has to be scrolled. */
function misplaced(): string[] {
  /** Browsers round sizes to pixels. */
  const ROUNDED = 1;
  const PARTS = [".board", ".line > *", ".hand", ".turn", "aside.beside"];

  function seen(selector: string): { name: string; box: DOMRect }[] {
    return [...document.querySelectorAll<HTMLElement>(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ name: element.ariaLabel ?? selector, box: element.getBoundingClientRect() }));
  }

  function isOutside({ left, top, right, bottom }: DOMRect): boolean {
    const isAcross = left < -ROUNDED || right > innerWidth + ROUNDED;
    return isAcross || top < -ROUNDED || bottom > innerHeight + ROUNDED;
  }

  function isOver(one: DOMRect, other: DOMRect): boolean {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return across > ROUNDED && down > ROUNDED;
  }

  const parts = PARTS.flatMap(seen);
  const buttons = seen(".board button, .line button, .hand button, .turn button");
  const scrolled = [document.documentElement, ...document.querySelectorAll("aside.beside")];
  return [
    ...PARTS.filter((part) => seen(part).length === 0).map((part) => `no ${part}`),
    ...[...parts, ...buttons]
      .filter(({ box }) => isOutside(box))
      .map(({ name }) => `${name} is out of sight`),
    ...parts.flatMap((one, index) =>
      parts
        .slice(index + 1)
        .filter((other) => isOver(one.box, other.box))
        .map((other) => `${one.name} lies on ${other.name}`),
    ),
    ...scrolled
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + ROUNDED)
      .map(
        ({ tagName, scrollHeight, clientHeight }) => `${tagName} is ${scrollHeight - clientHeight} too high`,
      ),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []),
  ];
}

/** Runs in the page: find text that does not fit. The undo button hides its word on purpose. */
function cutOff(): string[] {
  const ROUNDED = 1;
  const WORDED = [".turn h2", ".turn .b:not(.undo)", ".line button", ".line h2", ".deeds .b", ".strip"];
  return [...document.querySelectorAll<HTMLElement>(WORDED.join(", "))]
    .filter(({ clientWidth, clientHeight }) => clientWidth > ROUNDED && clientHeight > ROUNDED)
    .filter(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth + ROUNDED || scrollHeight > clientHeight + ROUNDED,
    )
    .map((element) => `"${element.innerText.replaceAll("\n", " ")}" is cut off`);
}
