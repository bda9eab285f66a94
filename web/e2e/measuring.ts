/** How long a person waits, measured in the page itself, and how that is reported. */

import type { BrowserContext, Page } from "@playwright/test";

/** Waits from a click or key to the frame in which the turn box and the board show the result. */
export interface Paints {
  /** Begun on the player's own turn. */
  own: number[];
  /** Begun while moves of others were still being shown. */
  amidst: number[];
}

interface Watched {
  paints: Paints;
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

/** The waits so far. */
export async function paintsOf(page: Page): Promise<Paints> {
  return page.evaluate(() => (window as unknown as Watched).paints);
}

/**
 * Runs in the page, before its own scripts. A wait begins when the browser received the input (its time
 * stamp) and ends once the new state is drawn: a message posted inside a frame arrives after it.
 */
function watch(): void {
  const paints: Paints = { own: [], amidst: [] };
  (window as unknown as Watched).paints = paints;
  let since: number | null = null;
  let isAmidst = false;
  let before = "";

  /** Pressing a button skips the moves of others; releasing it acts. */
  function begin(event: Event): void {
    if (!event.isTrusted) return;
    if (event.type === "click") {
      if (!isAmidst) since = event.timeStamp;
      return;
    }
    isAmidst = !isOwnTurn();
    since = isAmidst || event.type === "keydown" ? event.timeStamp : null;
  }
  for (const kind of ["pointerdown", "click", "keydown"]) addEventListener(kind, begin, { capture: true });

  /** Whose turn it is and how many actions are left: each choice of Tortuga changes one of them. */
  function state(): string {
    const box = document.querySelector('[aria-labelledby="turn-title"]');
    const left = box?.querySelector("[role=img]")?.getAttribute("aria-label");
    return `${box?.querySelector("h2")?.textContent ?? ""} ${left ?? ""}`;
  }

  function isOwnTurn(): boolean {
    return document.querySelector("#turn-title")?.textContent === "Your turn";
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
    // The others' next move is not the result of the click.
    if (since === null || (isAmidst && !isOwnTurn())) return;
    const [begun, waits] = [since, isAmidst ? paints.amidst : paints.own];
    since = null;
    afterFrame(() => waits.push(performance.now() - begun));
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}
