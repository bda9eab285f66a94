/** What networks, tabs and operators do to a game in the middle of it: nothing is lost, nobody has to reload. */

import { toAct } from "./game";
import { expectBothSee, middle } from "./middle";
import { momentOf } from "./player";
import { expect, test } from "./test";

test("a page that is loaded again goes on where it was", async ({ arrive }) => {
  const players = await middle(arrive);
  for (const { page } of players) await page.reload();
  await expectBothSee(players);
});

test("a page that was offline comes back by itself and has missed nothing", async ({ arrive }) => {
  const players = await middle(arrive);
  const [mover, sleeper] = players;
  await sleeper.person.context.setOffline(true);
  while (toAct(players, await mover.look()) === mover) await mover.act();
  await sleeper.person.context.setOffline(false);
  await expect(sleeper.turnBox).toBeVisible({ timeout: 60_000 });
  await expectBothSee(players);
});

test("eight tabs of one person all follow, and several of them play", async ({ arrive }) => {
  const [first, other] = await middle(arrive);
  const tabs = [first.page];
  while (tabs.length < 8) tabs.push(await first.person.open(`/table/${first.table}`));
  for (const tab of tabs) await expect(tab.getByRole("grid")).toBeVisible();
  await first.page.close();
  const others = tabs.slice(1).map((page) => first.at(page));
  for (const tab of others.filter((_, number) => number % 3 === 0)) {
    await expectBothSee([tab, other], 2);
    for (const each of others)
      await expect(each.turnBox).toBeVisible({ visible: await tab.turnBox.isVisible() });
  }
});

test.describe("a node stops", () => {
  // These run one at a time in one worker: they share the node that they stop.
  test.describe.configure({ mode: "default" });
  test.use({ isRestarted: true });
  test.afterEach(async ({ harbour }) => {
    await harbour.startNode();
  });

  test("a restart in the middle of a game costs no move", async ({ arrive, harbour }) => {
    const players = await middle(arrive);
    await harbour.stopNode();
    await harbour.startNode();
    await expectBothSee(players);
  });

  test("a move made while the node is away arrives when it is back, once", async ({ arrive, harbour }) => {
    const [mover] = await middle(arrive);
    const before = await mover.look();
    const moment = momentOf(before);
    const choice = moment?.legal.find(({ kind }) => kind === "play" || kind === "retreat");
    if (moment === null || choice === undefined) throw new Error("a pirate can move");
    await harbour.stopNode();
    // The answer may come later than a click waits for it; the service knows whether the move arrived.
    const moving = mover.choose(choice, moment).catch(() => undefined);
    await expect(mover.page.getByText("Your move will be sent as soon as possible.")).toBeVisible();
    await harbour.startNode();
    await moving;
    await expect
      .poll(async () => (await mover.look()).current.seq, { timeout: 60_000 })
      .toBe(before.current.seq + 1);
  });
});
