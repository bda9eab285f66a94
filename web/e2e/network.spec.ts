/** What networks, tabs and operators do to a game in the middle of it: nothing is lost, nobody has to reload. */

import { isOver, play, seated, toAct } from "./game";
import { mouse } from "./hands";
import type { Person } from "./person";
import { momentOf, type Player } from "./player";
import { expect, test } from "./test";

type Arrive = (name: string) => Promise<Person>;

/** Two people in the middle of a game. */
async function middle(arrive: Arrive): Promise<Player[]> {
  const players = await seated([await arrive("Anne"), await arrive("Bart")], { ruleset: "tortuga" }, [mouse]);
  await play(players, 8);
  return players;
}

async function whoMoves(players: readonly Player[]): Promise<Player> {
  const told = await players[0]?.look();
  const mover = told && toAct(players, told);
  if (mover === undefined) throw new Error("somebody is to act");
  return mover;
}

/** The other page shows what this one does, by itself. */
async function expectBothSee(players: readonly Player[]): Promise<void> {
  const [first] = players;
  if (first === undefined) throw new Error("somebody plays");
  for (let choices = 0; choices < 4; choices++) {
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
  const mover = await whoMoves(players);
  const sleeper = players.find((player) => player !== mover);
  if (sleeper === undefined) throw new Error("one moves, one sleeps");
  await sleeper.person.context.setOffline(true);
  while (toAct(players, await mover.look()) === mover) await mover.act();
  await sleeper.person.context.setOffline(false);
  await expect(sleeper.turnBox).toBeVisible({ timeout: 60_000 });
  await expectBothSee(players);
});

test("eight tabs of one person all follow, and any of them plays", async ({ arrive }) => {
  const players = await middle(arrive);
  const [first] = players;
  if (first === undefined) throw new Error("somebody plays");
  const tabs = [first.page];
  while (tabs.length < 8) tabs.push(await first.person.open(`/table/${first.table}`));
  for (const tab of tabs) await expect(tab.getByRole("grid")).toBeVisible();
  await first.page.close();
  const others = tabs.slice(1).map((page) => first.at(page));
  for (const tab of others) {
    await expectBothSee([tab, ...players.slice(1)]);
    for (const each of others)
      await expect(each.turnBox).toBeVisible({ visible: await tab.turnBox.isVisible() });
  }
});

test("a node that is restarted in the middle of a game costs nobody a move", async ({ arrive, harbour }) => {
  const players = await middle(arrive);
  for (const node of [0, 1]) {
    await harbour.restart(node);
    await expectBothSee(players);
  }
});

test("a move made while the node is away arrives when it is back, once", async ({ arrive, harbour }) => {
  const players = await middle(arrive);
  const mover = await whoMoves(players);
  const before = await mover.look();
  const node = harbour.nodes.indexOf(mover.person.url);
  await harbour.stopNode(node);
  const back = mover.page.waitForTimeout(3000).then(() => harbour.startNode(node));
  const moment = momentOf(before);
  const choice = moment?.legal.find(({ kind }) => kind === "play" || kind === "retreat");
  if (moment === null || choice === undefined) throw new Error("a pirate can move");
  const moving = mover.choose(choice, moment).catch(() => undefined);
  await Promise.all([back, moving]);
  await expect
    .poll(async () => (await mover.look()).current.seq, { timeout: 60_000 })
    .toBe(before.current.seq + 1);
});
