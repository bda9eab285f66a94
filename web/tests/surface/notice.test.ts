/** Why a wish was not carried out, in the language that the reader speaks when he reads it. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusalNotice } from "../../src/surface/notice";
import { speak } from "../../src/words/words.svelte";

beforeEach(() => vi.stubGlobal("document", { documentElement: { lang: "en" } }));
afterEach(async () => {
  await speak("en");
  vi.unstubAllGlobals();
});

test("a notice follows the language", async () => {
  const notice = refusalNotice({ code: "sloop_away", rule: "R10.4" });
  const english = notice.text;
  await speak("de");
  expect(notice.text).not.toBe(english);
  expect(notice.text).toContain("Insel");
  expect(notice.rule).toBe("R10.4");
});
