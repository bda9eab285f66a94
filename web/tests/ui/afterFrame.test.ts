/** Work that is not the picture comes after it, even on a page that is not drawn. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterFrame } from "../../src/ui/afterFrame";

let frames: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => (frames[frame - 1] = () => undefined));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("work waits for the frame, and is done once", () => {
  const work = vi.fn();
  afterFrame(work);
  frames.forEach((draw) => draw());
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
});

test("without frames it is done all the same", () => {
  const work = vi.fn();
  afterFrame(work);
  vi.advanceTimersByTime(300);
  expect(work).toHaveBeenCalledOnce();
});

test("what is called off is not done", () => {
  const work = vi.fn();
  afterFrame(work)();
  frames.forEach((draw) => draw());
  vi.advanceTimersByTime(1000);
  expect(work).not.toHaveBeenCalled();
});
