/** News of a table as a sentence. */

import { expect, test } from "vitest";
import { newsText } from "../../src/table/newsText";

test("who is muted on a chair is named, and who only watches is not", () => {
  expect(newsText({ kind: "muted", seat: 1, name: "Bart" }, [])).toBe("Bart may not speak in the chat.");
  expect(newsText({ kind: "muted" }, [])).toBe("A spectator may not speak in the chat.");
  expect(newsText({ kind: "unmuted" }, [])).toBe("A spectator may speak again.");
});
