/** Where on a ladder a player stands. Ratings fall from page to page, so not every page has to be read. */

import type { Ladder } from "../messages";

export type ReadPage = (page: number) => Promise<Ladder>;

/** Where a page lies relative to the wanted player. */
type Lie = "here" | "above" | "below" | "level";

const LAST_PAGE = 200;

/** The page on which a player with this rating stands; null if it cannot be found. */
export async function pageOfPlayer(read: ReadPage, player: string, rating: number): Promise<number | null> {
  let [first, last] = [1, LAST_PAGE];
  while (first <= last) {
    const middle = Math.floor((first + last) / 2);
    const lie = lieOf(await read(middle), player, rating);
    if (lie === "here") return middle;
    // Many players share this rating, so the page cannot say in which direction: read all that are left.
    if (lie === "level") return walk(read, player, first, last);
    if (lie === "above") first = middle + 1;
    else last = middle - 1;
  }
  return null;
}

async function walk(read: ReadPage, player: string, first: number, last: number): Promise<number | null> {
  for (let page = first; page <= last; page++) {
    const shown = await read(page);
    if (shown.rungs.some((rung) => rung.player === player)) return page;
    if (shown.next === null) return null;
  }
  return null;
}

function lieOf({ rungs }: Ladder, player: string, rating: number): Lie {
  const [best, worst] = [rungs[0], rungs.at(-1)];
  if (rungs.some((rung) => rung.player === player)) return "here";
  if (best === undefined || worst === undefined || best.rating < rating) return "below";
  return worst.rating > rating ? "above" : "level";
}
