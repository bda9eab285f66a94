/** What the main thread of a page does, read from the browser's own trace. */

import { expect, type Browser, type Page } from "@playwright/test";

const STEP = "cartagena-step";
const CATEGORIES = ["devtools.timeline", "v8", "blink.user_timing", "disabled-by-default-v8.gc"];
/** Script, style and layout; painting runs on another thread. */
const COUNTED = new Set([
  "EventDispatch",
  "EvaluateScript",
  "FunctionCall",
  "TimerFire",
  "FireAnimationFrame",
  "RunMicrotasks",
  "UpdateLayoutTree",
  "Layout",
  "MinorGC",
  "MajorGC",
]);

/** An entry of Chromium's trace; microseconds of wall time, and of processor time (`tdur`). */
interface Entry {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

/**
 * Step through a whole replay with the arrow key, and return what each step cost: milliseconds of processor
 * time, so that other load on the machine does not matter.
 */
export async function stepCosts(browser: Browser, page: Page): Promise<number[]> {
  const slider = page.getByRole("slider");
  await expect(slider).toHaveValue("0");
  const steps = Number(await slider.getAttribute("max"));
  await page.evaluate(markKeys, STEP);
  await slider.focus();
  await browser.startTracing(page, { categories: CATEGORIES });
  for (let step = 1; step <= steps; step++) {
    await page.keyboard.press("ArrowRight");
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  }
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Entry[] };
  await expect(slider).toHaveValue(String(steps));
  return costsOf(trace.traceEvents);
}

/** Runs in the page: mark in the trace when a step begins. */
function markKeys(mark: string): void {
  addEventListener("keydown", () => performance.mark(mark), { capture: true });
}

/** A step begins with the task in which its key was pressed, and ends where the next one begins. */
function costsOf(entries: readonly Entry[]): number[] {
  const marks = entries.filter(({ name }) => name === STEP).toSorted(byTime);
  const [first] = marks;
  if (first === undefined) throw new Error("no step is in the trace");
  const costs: number[] = [];
  for (const entry of outermost(entries, first)) {
    const next = marks[costs.length];
    if (next !== undefined && end(entry) >= next.ts) costs.push(0);
    if (costs.length > 0) costs[costs.length - 1] = (costs.at(-1) ?? 0) + (entry.tdur ?? 0) / 1000;
  }
  return costs;
}

/** The counted entries on the thread of a mark, without those nested in another counted entry. */
function outermost(entries: readonly Entry[], { pid, tid }: Entry): Entry[] {
  const counted = entries
    .filter((entry) => entry.ph === "X" && entry.pid === pid && entry.tid === tid && COUNTED.has(entry.name))
    .toSorted(byTime);
  let reached = 0;
  return counted.filter((entry) => {
    const isInside = entry.ts < reached;
    reached = Math.max(reached, end(entry));
    return !isInside;
  });
}

function byTime(one: Entry, other: Entry): number {
  return one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0);
}

function end({ ts, dur = 0 }: Entry): number {
  return ts + dur;
}
