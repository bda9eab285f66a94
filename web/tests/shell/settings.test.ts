/** Stored settings, and the reader's language. */

import { afterEach, expect, test, vi } from "vitest";
import { rivalsPace, settings } from "../../src/shell/settings.svelte";
import { completed, firstKnown, USUAL } from "../../src/shell/settingValues";

// The settings query the browser's preferences as soon as they are imported.
vi.hoisted(() => vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined })));

afterEach(() => {
  Object.assign(settings, USUAL);
});

test("nothing kept is as usual", () => {
  expect(completed({})).toEqual(USUAL);
  expect(completed(null)).toEqual(USUAL);
  expect(completed("night")).toEqual(USUAL);
});

test("what was kept is taken, what makes no sense is not", () => {
  const kept = { theme: "night", language: "fr", volume: 7, sound: "yes", letterKeys: false, unknown: 1 };
  expect(completed(kept)).toEqual({ ...USUAL, theme: "night", letterKeys: false });
});

test("each group of sounds is remembered by itself", () => {
  const kept: unknown = JSON.parse(JSON.stringify({ ...USUAL, hear_cards: false }));
  expect(completed(kept)).toEqual({ ...USUAL, hear_cards: false });
  expect(completed({ hear_cards: "no" }).hear_cards).toBe(true);
});

test("the first language of the reader that we speak", () => {
  expect(firstKnown(["fr-FR", "nl-BE", "de"])).toBe("nl");
  expect(firstKnown(["sv"])).toBe("sv");
  expect(firstKnown(["ja", "fr"])).toBeNull();
});

test("the moves of others are shown as fast as the reader chose, and at once with less motion", () => {
  expect(rivalsPace()).toBe("normal");
  settings.motion = "less";
  expect(rivalsPace()).toBe("none");
  settings.rivals = "slow";
  expect(rivalsPace()).toBe("slow");
  expect(completed({ rivals: "hasty" }).rivals).toBe("auto");
});
