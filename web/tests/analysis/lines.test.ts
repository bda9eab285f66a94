import { expect, test } from "vitest";
import { branched, cut, lengthOf, linesIn, MOST_LINES, withLines, type Line } from "../../src/analysis/lines";

const GAME = "Cartagena record 1\nResult: running\n";
const MAIN: Line = { name: "", step: 9, codes: [] };
const OTHERS: Line[] = [
  MAIN,
  { name: "Another retreat", step: 3, codes: [14, 0, 265] },
  { name: "", step: 0, codes: [38] },
];

test("a game without other lines is written as it is", () => {
  expect(withLines(GAME, [MAIN], 9)).toBe(GAME);
  expect(linesIn(GAME, 9)).toEqual([]);
});

test("lines are kept as comments, in their order", () => {
  const text = withLines(GAME, OTHERS, 9);
  expect(text).toBe(`${GAME}# line 9\n# line 3 14 0 265 "Another retreat"\n# line 0 38\n`);
  expect(linesIn(text, 9)).toEqual(OTHERS);
  expect(linesIn(text.replaceAll("\n", "\r\n"), 9)).toEqual(OTHERS);
});

test("lines that do not fit the game, and other comments, are left out", () => {
  const text = `${GAME}# line 10 3\n# lines\n# line x\n# line 2 99999\n# line 2 5\n`;
  expect(linesIn(text, 9)).toEqual([{ name: "", step: 2, codes: [5] }]);
});

test("of thousands of lines the first are read", () => {
  expect(linesIn("# line 1\n".repeat(10_000), 9)).toHaveLength(MOST_LINES);
});

test("a line is cut in the game or in its own actions", () => {
  const line: Line = { name: "a", step: 3, codes: [14, 0, 265] };
  expect(lengthOf(line)).toBe(6);
  expect(cut(line, 2)).toEqual({ name: "a", step: 2, codes: [] });
  expect(cut(line, 4)).toEqual({ name: "a", step: 3, codes: [14] });
  expect(branched(line, 5, 7)).toEqual({ name: "", step: 3, codes: [14, 0, 7] });
  expect(branched(line, 1, 7)).toEqual({ name: "", step: 1, codes: [7] });
});
