import { expect, test } from "vitest";
import type { Send } from "../../src/api/transport";
import { keptGames } from "../../src/device/gameList";

const SEATS = [{ player: null, name: "Anne", level: null }];
const PAGES: Record<string, object> = {
  "/api/me/games": { tables: [game("running")], results: [], next: null },
  "/api/me/games?over=true": { tables: [], results: [game("c"), game("b")], next: "b" },
  "/api/me/games?over=true&before=b": { tables: [], results: [game("a")], next: null },
};

function game(id: string): object {
  return { id, ruleset: "jamaica", seats: SEATS };
}

test("every page of the games that are over is listed", async () => {
  const device: Send = (path) => Promise.resolve(Response.json(PAGES[path]));
  const listed = (await keptGames(device)).map(({ id, isOver }) => [id, isOver]);
  expect(listed).toEqual([
    ["running", false],
    ["c", true],
    ["b", true],
    ["a", true],
  ]);
});
