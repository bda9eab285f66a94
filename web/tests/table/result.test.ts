/** How a game ended: the goal has its own name in each game. */

import { expect, test } from "vitest";
import type { Table } from "../../src/api/messages";
import { endingText, resultTitle } from "../../src/table/playing/result";

function over(ending: string | null, winner: number | null, family = "escape"): Table {
  return { stage: "over", ending, winner, ruleset: { family } } as unknown as Table;
}

test("the pirates of a winner are where the goal is", () => {
  expect(endingText(over("won", 0))).toBe("All six pirates are aboard.");
  expect(endingText(over("won", 0, "nest"))).toBe("All six pirates are in the nest.");
  expect(endingText(over("resigned", 0))).toBe("By resignation.");
  expect(endingText(over(null, null))).toBeNull();
});

test("the title says who won, and to the winner that it was him", () => {
  const names = ["Anne", "Bart"];
  expect(resultTitle(over("won", 0), names, 0)).toBe("You won");
  expect(resultTitle(over("won", 0), names, 1)).toBe("Anne won");
  expect(resultTitle(over("quiet", null), names, 1)).toBe("The game is over");
  expect(resultTitle(over("closed", null), names, null)).toBe("This table is closed");
});
