/** The levels of the bots: one up, one down, as far as they go. */

import { expect, test } from "vitest";
import { isLevel, LEVELS, stepped } from "../../src/ui/levels";

test("bots step up and down together, each as far as it goes", () => {
  expect(stepped(["deckhand"], 1)).toEqual(["sailor"]);
  expect(stepped(["sailor", "captain"], 1)).toEqual(["bosun", "captain"]);
  expect(stepped(["sailor", "deckhand"], -1)).toEqual(["deckhand", "deckhand"]);
});

test("there is nothing below the gentlest, above the strongest, or beside them", () => {
  expect(stepped(["deckhand"], -1)).toBeNull();
  expect(stepped(["captain", "captain"], 1)).toBeNull();
  expect(stepped(["module:Own"], 1)).toBeNull();
  expect(LEVELS.every(isLevel)).toBe(true);
  expect(isLevel("random")).toBe(false);
});
