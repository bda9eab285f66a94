/** The games that this device keeps, as its page lists them. */

import type { components } from "../api/schema";
import { ask } from "../api/service";
import { toDevice, type Send } from "../api/transport";
import type { MyTable } from "../home/myGames.svelte";

type GamesPage = components["schemas"]["MyGamesMessage"];

/** A game as the list shows it. */
export type KeptGame = Pick<MyTable, "id" | "ruleset" | "seats"> & { isOver: boolean };

/** The games that this device keeps: those that go on, and all that are over, the last first. */
export async function keptGames(by: Send = toDevice()): Promise<KeptGame[]> {
  const [{ tables }, results] = await Promise.all([gamesPage("", by), finishedGames(by)]);
  return [
    ...tables.map((game) => ({ ...game, isOver: false })),
    ...results.map((game) => ({ ...game, isOver: true })),
  ];
}

/** The games that are over, page by page. */
async function finishedGames(by: Send): Promise<GamesPage["results"]> {
  const games: GamesPage["results"] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: GamesPage = await gamesPage(`?over=true${next && `&before=${next}`}`, by);
    games.push(...page.results);
    next = page.next;
  }
  return games;
}

function gamesPage(query: string, by: Send): Promise<GamesPage> {
  return ask("GET", `/api/me/games${query}`, undefined, { by });
}
