/** Whole games: people sit down at one table and play it to its end. */

import { expect, type Locator, type Page } from "@playwright/test";
import type { TableAnswer, Terms } from "../src/api/messages";
import type { Person } from "./person";
import { Player, type Hands } from "./player";

/** No game is this long; one that is must be going in circles. */
const MOST_CHOICES = 1500;
const THINKING_MS = 60_000;

/** Open a table, seat these people, start, and open it in their browsers. */
export async function seated(
  people: readonly Person[],
  terms: Partial<Terms> & Pick<Terms, "ruleset">,
  hands: readonly Hands[],
): Promise<Player[]> {
  const [host, ...guests] = people;
  if (host === undefined) throw new Error("nobody plays");
  const { id, invite } = await host.openTable({ seats: people.length, ...terms });
  for (const guest of guests) await guest.command(id, "sit", { invite });
  await host.command(id, "start");
  const pages = await Promise.all(people.map((person) => person.open(`/table/${id}`)));
  return people.map((person, seat) => {
    const page = pages[seat];
    const hand = hands[seat % hands.length];
    if (page === undefined || hand === undefined) throw new Error("everybody has a page and hands");
    return new Player(person, page, id, hand);
  });
}

/** Play until the end or for `choices` choices, and look at the table; `each` runs before each choice. */
export async function play(
  players: readonly Player[],
  choices = MOST_CHOICES,
  each: (told: TableAnswer) => Promise<void> = () => Promise.resolve(),
): Promise<TableAnswer> {
  const [first] = players;
  if (first === undefined) throw new Error("nobody plays");
  for (let made = 0; made < choices;) {
    const told = await first.look();
    if (isOver(told)) return told;
    const player = toAct(players, told);
    if (player === undefined) {
      // A bot is thinking, or the person to act has no page.
      await first.turnBox.or(gameOver(first.page)).first().waitFor({ timeout: THINKING_MS });
    } else {
      await each(told);
      await player.act();
      made++;
    }
  }
  return first.look();
}

export function isOver(told: TableAnswer): boolean {
  return told.current.table?.stage === "over";
}

/** Whose choice it is; undefined while a bot is thinking. */
export function toAct(players: readonly Player[], told: TableAnswer): Player | undefined {
  const seat = told.current.view?.to_act;
  return typeof seat === "number" ? players[seat] : undefined;
}

/** Everybody's page says that the game is over. */
export async function expectEnd(players: readonly Player[]): Promise<void> {
  for (const { page } of players) await expect(gameOver(page)).toBeVisible();
}

/** How the game ended, which stands above what can be done then. */
export function gameOver(page: Page): Locator {
  return page.locator("#over");
}
