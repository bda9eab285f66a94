/** What networks, tabs and operators do to a game in the middle of it: nothing is lost, nobody has to reload. */

import { isOver, seated, toAct } from "./game";
import { mouse } from "./hands";
import type { Person } from "./person";
import { momentOf, type Player } from "./player";
import { expect, test } from "./test";
import { homeward, playOverWire } from "./wireGame";

type Arrive = (name: string) => Promise<Person>;

/** Two people in the middle of a game, at the turn of the first; how it came there is no matter. */
async function middle(arrive: Arrive): Promise<[Player, Player]> {
  const people = [await arrive("Anne"), await arrive("Bart")];
  const [anne, bart] = await seated(people, { ruleset: "tortuga" }, [mouse]);
  if (anne === undefined || bart === undefined) throw new Error("two people play");
  await playOverWire(people, anne.table, homeward, ({ seat, current }, actions) => {
    return actions >= 8 && current.view?.to_act === seat;
  });
  return [anne, bart];
}

/** The other page shows what this one does, by itself; four choices are more than a turn. */
async function expectBothSee(players: readonly Player[], choices = 4): Promise<void> {
  const [first] = players;
  if (first === undefined) throw new Error("somebody plays");
  for (let made = 0; made < choices; made++) {
    const told = await first.look();
    if (isOver(told)) return;
    const player = toAct(players, told);
    if (player === undefined) throw new Error("somebody is to act");
    await player.act();
  }
  const told = await first.look();
  const mover = toAct(players, told);
  for (const player of players) {
    const isMover = player === mover;
    await expect(player.turnBox).toBeVisible({ visible: isMover });
  }
}

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
  // One after the other, in one worker: they share the node that they stop.
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
    // The answer may come later than a click waits for one; the service knows whether the move arrived.
    const moving = mover.choose(choice, moment).catch(() => undefined);
    await expect(mover.page.getByText("Your move is sent as soon as it can be.")).toBeVisible();
    await harbour.startNode();
    await moving;
    await expect
      .poll(async () => (await mover.look()).current.seq, { timeout: 60_000 })
      .toBe(before.current.seq + 1);
  });
});
