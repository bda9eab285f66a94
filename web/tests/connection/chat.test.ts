/** Lines of chat, and lines that remove others. */

import { expect, test } from "vitest";
import { withLine } from "../../src/connection/chat";

const line = (number: number) => ({ number, seat: 0, name: "Anne", text: `line ${number}`, at: 0 });

test("one more line is the last", () => {
  expect(withLine([line(1)], line(2))).toEqual([line(1), line(2)]);
});

test("a line that was taken away keeps its place and loses its words", () => {
  const chat = withLine([line(1), line(2)], { ...line(3), text: "", removes: 1 });
  expect(chat).toEqual([{ ...line(1), text: "", removed: true }, line(2)]);
});

test("to take away what one never heard changes nothing", () => {
  expect(withLine([line(2)], { ...line(3), text: "", removes: 1 })).toEqual([line(2)]);
});
