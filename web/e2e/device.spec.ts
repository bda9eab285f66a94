/**
 * Games on this device: the engine in a worker of the browser, without any service once it has been fetched.
 *
 * Games played by hand from the first choice to the last are long: CI leaves them out, and plays the middle of
 * each game over the wire.
 */

import { violations } from "./axe";
import { onTurn, playOn, playOnToEnding } from "./deviceSide";
import { gameOver, isOver } from "./game";
import { keys, mouse, touch } from "./hands";
import { ALONE, NAMES, PAIR, test, TRIO, type Evening } from "./offline";
import type { Player } from "./player";
import { expect, type Page } from "./test";

/** A few choices of everybody. */
const OPENING = 14;
/** A worker that is gone is replaced, and Python starts once more. */
const ANEW_MS = 60_000;
const ANALYSIS_MS = 600_000;

/** Each ruleset against bots, and with two, three and five people. */
const EVENINGS: readonly Evening[] = [
  ALONE,
  { ruleset: "tortuga", people: NAMES.slice(0, 2), bots: [], hands: touch, tag: "@long", language: "sv" },
  { ruleset: "tortuga", people: NAMES.slice(0, 3), bots: [], hands: keys, tag: "@long", language: "nl" },
  { ruleset: "tortuga", people: NAMES, bots: [], hands: mouse, tag: "@long" },
  { ruleset: "jamaica", people: NAMES.slice(0, 1), bots: ["captain"], hands: touch, tag: "@long" },
  PAIR,
  { ruleset: "jamaica", people: NAMES.slice(0, 3), bots: [], hands: mouse, tag: "@long", language: "de" },
  { ruleset: "jamaica", people: NAMES, bots: [], hands: keys, tag: "@long" },
  { ruleset: "nest", people: NAMES.slice(0, 1), bots: ["deckhand", "bosun"], hands: keys, tag: "@long" },
  { ruleset: "nest", people: NAMES.slice(0, 2), bots: [], hands: keys, tag: "@long" },
  TRIO,
  { ruleset: "nest", people: NAMES, bots: [], hands: mouse, tag: "@long" },
];

for (const evening of EVENINGS) {
  const who = `${evening.people.length} people and ${evening.bots.length} bots`;
  test(
    `a game of ${evening.ruleset} for ${who} without a network`,
    { tag: evening.tag ?? [] },
    async ({ arriveAt }) => {
      test.setTimeout(1_800_000);
      const player = await arriveAt(evening);
      expect(isOver(await playOn(player, OPENING))).toBe(false);
      expect(await violations(player.page, "all")).toEqual([]);
      await playOnToEnding(player);
      await expectEnd(player);
      if (evening.tag === undefined) return;
      await player.page.goto(`/table/${player.table}`);
      await expectAnalysis(player);
    },
  );

  test(
    `a game of ${evening.ruleset} for ${who} without a network, all by hand`,
    { tag: "@long" },
    async ({ arriveAt }) => {
      test.setTimeout(1_800_000);
      await expectEnd(await arriveAt(evening));
    },
  );
}

for (const evening of [ALONE, TRIO])
  test(
    `a game of ${evening.ruleset} is analysed without a network`,
    { tag: "@long" },
    async ({ arriveAt }) => {
      test.setTimeout(1_800_000);
      const player = await arriveAt(evening);
      await playOnToEnding(player);
      expect(isOver(await playOn(player))).toBe(true);
      await expectAnalysis(player);
    },
  );

for (const { tag, ...evening } of [ALONE, PAIR, { ...TRIO, tag: "@long" }]) {
  test(
    `neither a reload nor a crash of the worker loses a choice of ${evening.ruleset}`,
    { tag: tag ?? [] },
    async ({ arriveAt }) => {
      test.setTimeout(600_000);
      const player = await arriveAt(evening);
      const { page, table } = player;
      await playOn(player, 7);
      let before = await onTurn(player);
      await page.reload();
      expect(await onTurn(player)).toEqual(before);
      await playOn(player, 5);

      before = await onTurn(player);
      await endWorker(page);
      expect(await onTurn(player)).toEqual(before);
      expect(isOver(await playOn(player, 8))).toBe(false);
      await page.goto("/");
      await page.getByRole("link", { name: /on this device is not over/ }).click();
      await expect(page).toHaveURL(new RegExp(table));
    },
  );
}

test(
  "a bot whose worker is gone while it thinks thinks once more",
  { tag: "@long" },
  async ({ arriveAt }) => {
    test.setTimeout(600_000);
    const player = await arriveAt({ ...ALONE, ruleset: "nest", bots: ["captain"] });
    const { page, person, table } = player;
    for (let ended = 0; ended < 2;) {
      const told = await player.look();
      expect(isOver(told)).toBe(false);
      if (told.current.view?.to_act === told.seat) {
        await player.act();
        continue;
      }
      const before = await person.record(table);
      await endWorker(page);
      ended++;
      await expect.poll(async () => (await player.look()).current.seq).toBeGreaterThan(told.current.seq);
      // Nothing that was done has gone or changed.
      expect(await person.record(table)).toContain(before.slice(0, before.lastIndexOf("\nResult:")));
      await onTurn(player);
    }
    expect(isOver(await playOn(player, 8))).toBe(false);
  },
);

/** The worker ends as if it had been killed, and the next one has begun. */
async function endWorker(page: Page): Promise<void> {
  const [worker] = page.workers();
  const anew = page.waitForEvent("worker", { timeout: ANEW_MS });
  // It is gone before it could tell that it was told so.
  void worker?.evaluate(() => close()).catch(() => undefined);
  await anew;
}

/** After the end: the analysis, which leads to the turning point in the replay. */
async function expectAnalysis({ page, hands, wording }: Player): Promise<void> {
  await hands.press(page, page.getByRole("button", { name: wording.like("web.table.over.analyse") }));
  const point = page.getByRole("link", { name: wording.like("web.table.over.turning") });
  await expect(point).toBeVisible({ timeout: ANALYSIS_MS });
  await hands.press(page, point);
  await expect(page).toHaveURL(/\/replay\/.*#t\d+\.1$/);
  await expect(page.getByText(wording.like("web.replay.chances.effort"))).toBeVisible();
}

/** The last choices by hand, and all that a game leaves: the result, the record, the replay, the fair shuffle. */
async function expectEnd(player: Player): Promise<void> {
  const { page, hands, wording } = player;
  const button = (key: string) => page.getByRole("button", { name: wording.like(key) });
  expect(isOver(await playOn(player))).toBe(true);
  await expect(gameOver(page)).toBeVisible();
  await hands.press(page, page.getByRole("link", { name: wording.like("web.table.over.replay") }));
  await expect(page).toHaveURL(/\/replay\//);
  // A phone has room for it in the replay alone.
  const saving = page.waitForEvent("download");
  await hands.press(page, button("web.replay.save"));
  const saved = await (await (await saving).createReadStream()).toArray();
  expect(Buffer.concat(saved as Buffer[]).toString()).toMatch(/^Cartagena record 1\n[^]*\nResult: /);
  await hands.press(page, button("web.verify.check"));
  const found = wording.like(["web.verify.alone", "web.verify.holds", "web.verify.itself"]);
  await expect(page.getByText(found)).toBeVisible();
  await hands.press(page, button("web.replay.turn_forward"));
  expect(await violations(page, "all")).toEqual([]);
}
