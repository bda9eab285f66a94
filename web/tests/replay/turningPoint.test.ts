/** The turning point of a game: the decision that cost the most. */

import { expect, it } from "vitest";
import type { AnalysisFound } from "../../src/api/messages";
import { courseOf, turningPointOf } from "../../src/replay/replaying/turningPoint";

type Mark = "" | "?" | "??" | "!";

/** An analysis with one action per cost; null for an action that continues a decision. */
function analysed(...costs: (readonly [Mark, number] | null)[]): AnalysisFound {
  const prospect = { codes: [7, 8], actions: [], chances: [0.5, 0.5] };
  const steps = costs.map((cost, index) => ({
    turn: index + 1,
    seat: index % 2,
    code: 7,
    action: "",
    chances: [index / 10, 1 - index / 10],
    decision: cost && { mark: cost[0], cost: cost[1], played: prospect, alternatives: [] },
  }));
  return { simulations: 300, seed: "1", before: [0.5, 0.5], steps };
}

it("is the costliest decision, where its last action was played", () => {
  const found = analysed(["?", 0.1], null, ["??", 0.3], null, ["?", 0.2]);
  expect(turningPointOf(found)).toEqual({ step: 3, turn: 3, seat: 0, cost: 0.3 });
});

it("is the latest of equal ones", () => {
  expect(turningPointOf(analysed(["??", 0.3], null, null, ["??", 0.3]))?.turn).toBe(4);
});

it("is none where nobody lost much", () => {
  expect(turningPointOf(analysed(["", 0.04], null, ["!", 0]))).toBeNull();
  expect(turningPointOf(analysed())).toBeNull();
});

it("is drawn in the course of the chances", () => {
  expect(courseOf(analysed(null, null))).toEqual([
    [0.5, 0.5],
    [0, 1],
    [0.1, 0.9],
  ]);
});
