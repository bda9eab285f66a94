/** Waits of a person, measured in the page itself, and how they are told. */

import type { BrowserContext, Page } from "@playwright/test";

interface Watched {
  paints: number[];
}

/** The figures of a measurement, in milliseconds. */
export interface Figures {
  p50: number;
  p95: number;
  most: number;
}

/** Print the figures of a measurement, and hand them on. */
export function measured(what: string, milliseconds: readonly number[]): Figures {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.ceil(part * sorted.length) - 1] ?? NaN;
  const figures = { p50: at(0.5), p95: at(0.95), most: at(1) };
  const told = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  console.log(`${what}: ${told.join(", ")} ms (${sorted.length} times)`);
  return figures;
}

/** Measure in every page of a context from now on. */
export async function watchPaints(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/** The waits so far, each from a click or key to the frame after which the turn box and the board show it done. */
export async function paintsOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as Watched).paints);
}

/**
 * Runs in the page, before its own scripts. A wait begins when the browser took the input (its time stamp), and
 * ends after the frame with the new state was drawn: a message that is posted inside the frame comes after it.
 */
function watch(): void {
  const paints: number[] = [];
  (window as unknown as Watched).paints = paints;
  let since: number | null = null;
  let before = "";

  for (const kind of ["click", "keydown"])
    addEventListener(
      kind,
      (event) => {
        if (event.isTrusted) since = event.timeStamp;
      },
      { capture: true },
    );

  /** Whose turn it is and how many actions are left: each choice of Tortuga changes one of them. */
  function state(): string {
    const box = document.querySelector('[aria-labelledby="turn-title"]');
    const left = box?.querySelector("[role=img]")?.getAttribute("aria-label");
    return `${box?.querySelector("h2")?.textContent ?? ""} ${left ?? ""}`;
  }

  function afterFrame(done: () => void): void {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null);
    });
  }

  new MutationObserver(() => {
    const now = state();
    if (now === before) return;
    before = now;
    if (since === null) return;
    const begun = since;
    since = null;
    afterFrame(() => paints.push(performance.now() - begun));
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}
