/** What is said to the reader beside the page. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce, answer, closeToast, hush, said, toast } from "../../src/shell/announce.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("events of one moment are said together", () => {
  announce("Tobias: key, 13 to 24.");
  announce("Your turn.");
  expect(said.live).toBe("");
  vi.advanceTimersByTime(400);
  expect(said.live).toBe("Tobias: key, 13 to 24. Your turn.");
});

test("what is said after a silence stays, and nothing from before it is said", () => {
  announce("Tobias: key, 13 to 24.");
  vi.advanceTimersByTime(300);
  hush();
  announce("Pass the device to Anne");
  vi.advanceTimersByTime(100);
  expect(said.live).toBe("");
  vi.advanceTimersByTime(5000);
  expect(said.live).toBe("Pass the device to Anne");
});

test("the same answer twice is a change, so that it is spoken twice", () => {
  answer("Not possible.");
  const first = said.self;
  answer("Not possible.");
  expect(said.self).not.toBe(first);
  expect(said.self.trim()).toBe("Not possible.");
});

test("a toast goes by itself, one with a button stays until it is closed", () => {
  toast("Copied.");
  const id = toast("A new version is ready.", { action: { label: "Load again", run: () => undefined } });
  vi.advanceTimersByTime(60_000);
  expect(said.toasts.map((each) => each.id)).toEqual([id]);
  closeToast(id);
  expect(said.toasts).toEqual([]);
});
