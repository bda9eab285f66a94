import { expect, test } from "vitest";
import { faultText, troubleText } from "../../src/analysis/troubles";
import type { TextTrouble } from "../../src/api/messages";
import "../../src/device/words";

function trouble(code: TextTrouble["code"], rest: Partial<TextTrouble> = {}): TextTrouble {
  return { code, message: "in English", ...rest };
}

test("a text that cannot be read is pointed at", () => {
  const skull = trouble("unreadable", {
    line: 4,
    column: 10,
    expected: "a card",
    found: "skulk",
    meant: "skull",
  });
  expect(troubleText(skull)).toBe(
    "Line 4, column 10: “skulk” makes no sense here. Expected: a card. Did you mean “skull”?",
  );
  expect(troubleText(trouble("unreadable", { line: 1, column: 1, expected: "a place" }))).toBe(
    "Line 1, column 1: Something is missing here. Expected: a place.",
  );
});

test("a game that cannot be says why in the words of the rules, or else in English", () => {
  const refusal = { code: "no_pirate_there", rule: "R3.1" };
  const refused = troubleText(trouble("refused", { line: 14, column: 8, refusal }));
  expect(refused).toMatch(/^Line 14, column 8: /);
  expect(refused).not.toContain("in English");
  expect(troubleText(trouble("of_view"))).toContain("hides cards");
  expect(troubleText(trouble("impossible"))).toContain("in English");
  expect(troubleText("cut")).toContain("incomplete");
});

test("a table that cannot be says what is wrong with it", () => {
  const crowded = { code: "crowded", values: { pirates: 4, most: 3 }, place: "9" };
  expect(faultText(crowded)).toBe("4 pirates stand on space 9, where there is room for 3.");
  const deck = { code: "deck", values: { lying: 18, cards: 17 }, card: "hat" };
  expect(faultText(deck)).toContain("hat");
  expect(troubleText(trouble("arrangement", { line: 12, column: 8, fault: crowded }))).toMatch(
    /^Line 12, column 8: 4 pirates/,
  );
  expect(faultText({ code: "of a newer engine" })).not.toBe("");
});
