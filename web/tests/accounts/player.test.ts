/** The headless parts of a player's page: which games are looked for, and the course of a rating. */

import { describe, expect, it } from "vitest";
import type { Plot } from "../../src/replay/replaying/plotting";
import { axisOf, heightOf, ratingLine, ratingsOf } from "../../src/accounts/player/course";
import { ALL, filterOf, filterQuery, gamesPath, isAll, levelsNamed } from "../../src/accounts/player/filter";

const RULESETS = ["nest", "tortuga"];

describe("a filter of games", () => {
  it("is read from an address as it was written", () => {
    for (const filter of [
      ALL,
      { ...ALL, ruleset: "nest" },
      { ruleset: "tortuga", outcome: "none", rated: "false", against: "50% & Söhne" },
    ] as const)
      expect(filterOf(new URLSearchParams(filterQuery(filter)), RULESETS)).toEqual(filter);
  });

  it("lets everything through where the address makes no sense", () => {
    const query = new URLSearchParams("ruleset=chess&outcome=drawn&rated=maybe&page=3");
    expect(filterOf(query, RULESETS)).toEqual(ALL);
    expect(filterOf(new URLSearchParams({ against: "x".repeat(99) }), RULESETS).against).toHaveLength(40);
  });

  it("leaves the address alone if all games are shown", () => {
    expect(filterQuery(ALL)).toBe("");
    expect(isAll({ ...ALL, against: "  " })).toBe(true);
    expect(isAll({ ...ALL, rated: "false" })).toBe(false);
  });

  it("is asked of the service", () => {
    const filter = { ruleset: "nest", outcome: "won", rated: "true", against: " a&b " } as const;
    expect(gamesPath("p1", ALL)).toBe("/api/players/p1/games?");
    expect(gamesPath("p1", filter, { levels: ["sailor", "captain"], before: "g9" })).toBe(
      "/api/players/p1/games?ruleset=nest&outcome=won&rated=true&against=a%26b" +
        "&levels=sailor&levels=captain&before=g9",
    );
  });

  it("means bots by the names that the reader reads", () => {
    const names: Record<string, string> = { sailor: "Matroos", captain: "Kapitein" };
    const named = (text: string): string[] =>
      levelsNamed(text, Object.keys(names), (level) => names[level] ?? "");
    expect(named("MATR")).toEqual(["sailor"]);
    expect(named("t")).toEqual(["sailor", "captain"]);
    expect(named("sailor")).toEqual([]);
    expect(named(" ")).toEqual([]);
  });
});

describe("the course of a rating", () => {
  const PLOT: Plot = { width: 200, height: 100, left: 0, right: 0, top: 0, bottom: 0, moments: 3 };

  it("goes up to now, also where the last games are not told", () => {
    expect(ratingsOf([{ rating: 1000 }, { rating: 1100 }], 1100)).toEqual([1000, 1100]);
    expect(ratingsOf([{ rating: 1000 }, { rating: 1100 }], 1150)).toEqual([1000, 1100, 1150]);
    expect(ratingsOf([], 1150)).toEqual([1150]);
  });

  it("has an axis of few round numbers, with room for every rating", () => {
    expect(axisOf([1012, 1088])).toEqual({ low: 1000, high: 1100, levels: [1000, 1050, 1100] });
    expect(axisOf([1200, 1200]).levels).toEqual([1200, 1210]);
    for (const ratings of [[3], [-250, 900], [999, 1001], [0, 12_345]]) {
      const { low, high, levels } = axisOf(ratings);
      expect(low).toBeLessThanOrEqual(Math.min(...ratings));
      expect(high).toBeGreaterThanOrEqual(Math.max(...ratings));
      expect(high).toBeGreaterThan(low);
      expect(levels.length).toBeGreaterThan(1);
    }
  });

  it("is one line, the higher the better", () => {
    const axis = { low: 1000, high: 1100, levels: [] };
    expect(heightOf(PLOT, axis, 1100)).toBe(0);
    expect(ratingLine(PLOT, axis, [1000, 1100, 1050])).toBe("M0.0 100.0L100.0 0.0L200.0 50.0");
  });
});
