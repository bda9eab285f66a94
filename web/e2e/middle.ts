/** Two people in the middle of a game, for tests of what happens to it from outside. */

import { isOver, seated, toAct } from "./game";
import { mouse } from "./hands";
import type { Person } from "./person";
import type { Player } from "./player";
import { expect } from "./test";
import { homeward, playOverWire } from "./wireGame";

type Arrive = (name: string) => Promise<Person>;

/** Two people in the middle of a game, at the beginning of a turn of the first, as both pages show it. */
export async function middle(arrive: Arrive): Promise<[Player, Player]> {
  const people = [await arrive("Anne"), await arrive("Bart")];
  const [anne, bart] = await seated(people, { ruleset: "tortuga" }, [mouse]);
  if (anne === undefined || bart === undefined) throw new Error("two people play");
  await playOverWire(people, anne.table, homeward, ({ seat, current }, actions) => {
    return actions >= 8 && current.view?.to_act === seat && current.view.actions_used === 0;
  });
  // Moves made without pages reach the pages a little later, and a test may stop the node that brings them.
  const last = `turn ${((await anne.look()).current.view?.turn ?? 0) - 1}`;
  for (const { page } of [anne, bart]) {
    await expect(page.getByRole("log").getByText(last, { exact: true })).toBeVisible();
  }
  await expect(anne.turnBox).toBeVisible();
  return [anne, bart];
}

/** The other page shows what this one does without reloading; four choices are more than a turn. */
export async function expectBothSee(players: readonly Player[], choices = 4): Promise<void> {
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
