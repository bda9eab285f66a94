/** The headless parts of the pages about people: outcomes, reports, codes in addresses, ladders. */

import { describe, expect, it } from "vitest";
import { ladderAddress, ladderPath, wantedLadder } from "../../src/accounts/ladder/address";
import { pageOfPlayer } from "../../src/accounts/ladder/finding";
import type { Ladder, Rung } from "../../src/accounts/messages";
import { changeText, outcomeOf } from "../../src/accounts/player/outcome";
import { reportText } from "../../src/accounts/player/reasons";
import { broughtCode } from "../../src/accounts/signin/codes";

describe("a game of a player", () => {
  it("was won, lost, or had no winner", () => {
    expect(outcomeOf({ winner: 1, seat: 1 })).toBe("won");
    expect(outcomeOf({ winner: 0, seat: 1 })).toBe("lost");
    expect(outcomeOf({ winner: null, seat: 1 })).toBe("none");
  });

  it("changed the rating by a number with its sign", () => {
    expect(changeText({ before: 1500, after: 1512 })).toBe("+12");
    expect(changeText({ before: 1500, after: 1492 })).toBe("−8");
    expect(changeText({ before: 1500, after: 1500 })).toBe("+0");
  });
});

it("puts the reason before the story of a report", () => {
  expect(reportText("stalling", " He let every clock run out. ")).toBe(
    "[stalling] He let every clock run out.",
  );
});

it("takes a code from an address, and nothing else that stands behind a #", () => {
  expect(broughtCode("#ABCD-EF2H")).toBe("ABCD-EF2H");
  for (const other of ["", "#", "#main", "#by-passkey", "#ABCD", "#ABCD-", "#%E0%A4%A"])
    expect(broughtCode(other)).toBe("");
});

describe("the address of a ladder", () => {
  it("means a ruleset and a page", () => {
    expect(wantedLadder(new URLSearchParams("ruleset=nest&page=3"))).toEqual({
      ruleset: "nest",
      page: 3,
    });
    expect(wantedLadder(new URLSearchParams())).toEqual({ ruleset: "tortuga", page: 1 });
  });

  it("is as usual where it makes no sense", () => {
    for (const page of ["0", "-1", "1.5", "201", "many"])
      expect(wantedLadder(new URLSearchParams({ page })).page).toBe(1);
  });

  it("is read as it was written", () => {
    for (const wanted of [
      { ruleset: "nest", page: 1 },
      { ruleset: "jamaica", page: 12 },
    ])
      expect(wantedLadder(new URL(ladderAddress(wanted), "http://here").searchParams)).toEqual(wanted);
    expect(ladderPath({ ruleset: "a&b", page: 2 })).toBe("/api/ladder?ruleset=a%26b&page=2");
  });
});

describe("finding a rung", () => {
  const SIZE = 5;

  function ladder(ratings: number[]): { read: (page: number) => Promise<Ladder>; asked: number[] } {
    const asked: number[] = [];
    const rungs = ratings.map((rating, place): Rung => ({
      rank: place + 1,
      player: `p${place}`,
      name: `P${place}`,
      rating,
      games: 10,
      wins: 5,
    }));
    const read = (page: number): Promise<Ladder> => {
      asked.push(page);
      const start = (page - 1) * SIZE;
      const next = start + SIZE < rungs.length ? page + 1 : null;
      return Promise.resolve({
        ruleset: "tortuga",
        games: 10,
        rungs: rungs.slice(start, start + SIZE),
        next,
      });
    };
    return { read, asked };
  }

  it("finds every player of a falling ladder in a few questions", async () => {
    const ratings = Array.from({ length: 203 }, (_, place) => 2500 - 3 * place);
    for (const [place, rating] of ratings.entries()) {
      const { read, asked } = ladder(ratings);
      expect(await pageOfPlayer(read, `p${place}`, rating)).toBe(Math.floor(place / SIZE) + 1);
      expect(asked.length).toBeLessThanOrEqual(9);
    }
  });

  it("finds a player among many with the same rating", async () => {
    const ratings = Array.from({ length: 40 }, () => 1500);
    for (const place of [0, 17, 39])
      expect(await pageOfPlayer(ladder(ratings).read, `p${place}`, 1500)).toBe(Math.floor(place / SIZE) + 1);
  });

  it("gives up on a player who is not there", async () => {
    expect(await pageOfPlayer(ladder([1600, 1500]).read, "nobody", 1550)).toBeNull();
    expect(await pageOfPlayer(ladder([]).read, "nobody", 1550)).toBeNull();
  });
});
