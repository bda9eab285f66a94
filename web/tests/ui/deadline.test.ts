/** Time left until a deadline of days. */

import { afterAll, expect, test, vi } from "vitest";
import { longLeft, shortLeft } from "../../src/ui/deadline";
import { LANGUAGES, speak } from "../../src/words/words.svelte";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

afterAll(() => vi.unstubAllGlobals());

test("a short one has one unit, a long one two", () => {
  expect([3 * DAY, 2 * DAY, 2 * DAY - HOUR, 2 * HOUR, 90 * MINUTE, 1].map(shortLeft)).toEqual([
    "3d",
    "2d",
    "47h",
    "2h",
    "90m",
    "1m",
  ]);
  expect(longLeft(2 * DAY + 3 * HOUR + 20 * MINUTE)).toBe("2 days 3 hours");
  expect(longLeft(3 * HOUR + 20 * MINUTE)).toBe("3 hours 20 minutes");
  expect([longLeft(DAY), longLeft(HOUR), longLeft(1), longLeft(0)]).toEqual([
    "1 day",
    "1 hour",
    "1 minute",
    "0 minutes",
  ]);
});

test("every language has its own units", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  const said: string[] = [];
  for (const language of LANGUAGES) {
    await speak(language);
    said.push(longLeft(2 * DAY + 3 * HOUR));
  }
  await speak("en");
  expect(said).toEqual(["2 days 3 hours", "2 dagen 3 uur", "2 Tage 3 Stunden", "2 dygn 3 timmar"]);
});
