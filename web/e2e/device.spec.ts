/**
 * Games on this device: the engine in a worker of the browser, without any service once it has been fetched.
 *
 * Games played by hand from the first choice to the last are long: CI leaves them out, and plays the middle of
 * each game over the wire.
 */

import { violations } from "./axe";
import { beginOn, DeviceSide, isCovered, playOn, playOnToEnding, type Setting } from "./deviceSide";
import { gameOver, isOver } from "./game";
import { keys, mouse, touch } from "./hands";
import { hiddenObjects, hiddenText } from "./memory";
import { DESKTOP, PHONE } from "./person";
import { Player, type Hands } from "./player";
import { expect, test, type Page } from "./test";

const NAMES = ["Anne", "Bart", "Cora", "Dora", "Emil"] as const;
/** A few choices of everybody. */
const OPENING = 14;
/** A worker that is gone is replaced, and Python starts once more. */
const ANEW_MS = 60_000;
const ANALYSIS_MS = 600_000;
/** Two pages hear of the past at their own pace. */
const PATIENCE_MS = 10_000;

interface Evening extends Setting {
  hands: Hands;
  /** How it is left out of CI, where two of these must do. */
  tag?: string;
}

const ALONE: Evening = { ruleset: "tortuga", people: NAMES.slice(0, 1), bots: ["sailor"], hands: mouse };
const PAIR: Evening = { ruleset: "jamaica", people: NAMES.slice(0, 2), bots: [], hands: mouse, tag: "@long" };
const EVENINGS: readonly Evening[] = [
  ALONE,
  PAIR,
  { ruleset: "nest", people: NAMES.slice(0, 3), bots: [], hands: touch },
  { ruleset: "jamaica", people: NAMES, bots: [], hands: keys, tag: "@long" },
  { ruleset: "nest", people: NAMES.slice(0, 1), bots: ["deckhand", "bosun"], hands: keys, tag: "@long" },
  { ruleset: "jamaica", people: NAMES.slice(0, 1), bots: ["captain"], hands: touch, tag: "@long" },
];

const offline = test.extend<{ arriveAt: (evening: Evening) => Promise<Player> }>({
  /** A device that has fetched the game and then lost its network, and a game that has begun on it. */
  arriveAt: async ({ browser, harbour }, use) => {
    const devices: DeviceSide[] = [];
    await use(async ({ hands, ...setting }) => {
      const look = hands === touch ? PHONE : DESKTOP;
      const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "", look);
      devices.push(device);
      const page = await device.fetchGame();
      await device.context.setOffline(true);
      return new Player(device, page, await beginOn(page, setting), hands);
    });
    for (const device of devices) await device.leave();
  },
});

for (const evening of EVENINGS) {
  const who = `${evening.people.length} people and ${evening.bots.length} bots`;
  offline(
    `a game of ${evening.ruleset} for ${who} without a network`,
    { tag: evening.tag ?? [] },
    async ({ arriveAt }) => {
      test.setTimeout(900_000);
      const player = await arriveAt(evening);
      expect(isOver(await playOn(player, OPENING))).toBe(false);
      expect(await violations(player.page, "all")).toEqual([]);
      await playOnToEnding(player);
      await expectEnd(player);
    },
  );

  offline(
    `a game of ${evening.ruleset} for ${who} without a network, all by hand`,
    { tag: "@long" },
    async ({ arriveAt }) => {
      test.setTimeout(1_800_000);
      await expectEnd(await arriveAt(evening));
    },
  );
}

offline("a game is analysed without a network", { tag: "@long" }, async ({ arriveAt }) => {
  test.setTimeout(1_800_000);
  const player = await arriveAt(ALONE);
  await playOnToEnding(player);
  const { page } = player;
  expect(isOver(await playOn(player))).toBe(true);
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.getByRole("link", { name: /^The turning point: turn \d/ }).click({ timeout: ANALYSIS_MS });
  await expect(page).toHaveURL(/\/replay\/.*#t\d+\.1$/);
  await expect(page.getByText(/simulations for each decision/)).toBeVisible();
});

for (const evening of [ALONE, PAIR]) {
  offline(
    `neither a reload nor a crash of the worker loses a choice of ${evening.ruleset}`,
    { tag: evening.tag ?? [] },
    async ({ arriveAt }) => {
      test.setTimeout(600_000);
      const player = await arriveAt(evening);
      const { page, person, table } = player;
      const before = await playOn(player, 7);
      await page.reload();
      // What bots do meanwhile comes on top.
      expect((await person.look(table)).current.seq).toBeGreaterThanOrEqual(before.current.seq);
      await playOn(player, 5);

      const seen = await person.look(table);
      const [worker] = page.workers();
      const anew = page.waitForEvent("worker", { timeout: ANEW_MS });
      // It is gone before it could tell that it was told so.
      void worker?.evaluate(() => close()).catch(() => undefined);
      await anew;
      expect((await person.look(table)).current.seq).toBeGreaterThanOrEqual(seen.current.seq);
      expect(isOver(await playOn(player, 8))).toBe(false);
      await page.goto("/");
      await page.getByRole("link", { name: /on this device is not over/ }).click();
      await expect(page).toHaveURL(new RegExp(table));
    },
  );
}

/**
 * In one run of CI the memory held views of the hand before for ten seconds, and the cause is not known: the search is
 * left to the nightly run, which a surprise does not stop.
 */
for (const where of ["page", "memory"] as const) {
  offline(
    `while a device is passed on, nothing hidden is in its ${where}`,
    { tag: where === "memory" ? "@long" : [] },
    async ({ arriveAt }) => {
      test.setTimeout(600_000);
      const player = await arriveAt(PAIR);
      const { page, person, table } = player;
      let passed = 0;
      await playOn(player, 40, async (told) => {
        if (!isCovered(told)) {
          // The search works: a page that is not covered holds its own hand.
          if (where === "memory" && passed === 0) expect(await hiddenObjects(page)).not.toEqual([]);
          return;
        }
        passed++;
        await expect(page.getByRole("button", { name: /: show my cards$/ })).toBeVisible();
        await expect(page.getByRole("region", { name: /^Your hand/ })).toBeHidden();
        // The page tells what it would tell to somebody who opens it only now.
        const other = await person.open(`/table/${table}`);
        await expect(other.getByRole("button", { name: /: show my cards$/ })).toBeVisible();
        await expect(async () => expect(await said(page)).toBe(await said(other))).toPass({
          timeout: PATIENCE_MS,
        });
        await other.close();
        expect(await kept(page)).not.toMatch(/"hands"|"happened"/);
        if (where === "page") return;
        await expect.poll(() => hiddenObjects(page)).toEqual([]);
        await expect.poll(() => hiddenText(page)).toEqual([]);
      });
      expect(passed).toBeGreaterThan(3);
    },
  );
}

/** All that is said in a page, hidden words for screen readers included. */
function said(page: Page): Promise<string> {
  return page.locator("main").ariaSnapshot();
}

/** What the page keeps beyond its own life. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
}

/** The last choices by hand, and all that a game leaves: the result, the record, the replay, the fair shuffle. */
async function expectEnd(player: Player): Promise<void> {
  const { page, hands } = player;
  expect(isOver(await playOn(player))).toBe(true);
  await expect(gameOver(page)).toBeVisible();
  await hands.press(page, page.getByRole("link", { name: "Replay" }));
  await expect(page).toHaveURL(/\/replay\//);
  // A phone has room for it in the replay alone.
  const saving = page.waitForEvent("download");
  await hands.press(page, page.getByRole("button", { name: /^Save/ }));
  const saved = await (await (await saving).createReadStream()).toArray();
  expect(Buffer.concat(saved as Buffer[]).toString()).toMatch(/^Cartagena record 1\n[^]*\nResult: /);
  await hands.press(page, page.getByRole("button", { name: "Check the shuffle" }));
  await expect(page.getByText(/^Every shuffle (is as it was|follows from)/)).toBeVisible();
  await hands.press(page, page.getByRole("button", { name: "One turn forward" }));
  expect(await violations(page, "all")).toEqual([]);
}
