/**
 * The contrast of text as it is on the screen, from real pixels.
 *
 * Two pictures are taken, with the letters and without. Where they differ there are letters; what the second
 * one shows there is the background, whatever it is made of. Covered text does not differ and is not judged.
 */

import type { Browser, Page } from "@playwright/test";
import { textRuns, type Run } from "./textRuns";

export interface Judged extends Run {
  /** Null if no letter of the run is visible. */
  ratio: number | null;
}

/** Letters without ink; their shadows and halos stay because they are part of the background. */
const NO_LETTERS = `
  *, *::before, *::after, *::placeholder { -webkit-text-fill-color: transparent !important; caret-color: transparent !important; }
  svg text, svg tspan { fill: transparent !important; }
  * { text-decoration-color: transparent !important; transition: none !important; }
`;

/** No line of text is taller, so consecutive pictures overlap by this many pixels. */
const TALLEST = 100;

/** The contrast of every run of text, from the top of the page to its end. */
export async function contrasts(page: Page, darkroom: Darkroom): Promise<Judged[]> {
  // If two pictures show the same run, the better contrast counts: in the other it may be half covered.
  const best = new Map<string, Judged>();
  const { height, screen } = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    screen: innerHeight,
  }));
  for (let top = 0, bottom = 0; bottom < height; top += screen - TALLEST) {
    const scrolled = await page.evaluate(scrollDown, top);
    bottom = top + screen;
    for (const run of await judgedNow(page, darkroom)) {
      const where = `${run.text} ${Math.round(run.box.x)} ${Math.round(run.box.y + scrolled)}`;
      if ((best.get(where)?.ratio ?? 0) <= (run.ratio ?? 0)) best.set(where, run);
    }
  }
  await page.evaluate(scrollDown, 0);
  return [...best.values()];
}

function scrollDown(top: number): number {
  scrollTo({ top, behavior: "instant" });
  return scrollY;
}

/** The runs on the screen as it is scrolled now. */
async function judgedNow(page: Page, darkroom: Darkroom): Promise<Judged[]> {
  for (;;) {
    const runs = await textRuns(page);
    const inked = await picture(page);
    const style = await page.evaluateHandle(addSheet, NO_LETTERS);
    const blank = await picture(page);
    await page.evaluate(removeSheet, style);
    // News may arrive between the two pictures, as in the lobby; then both are taken again.
    if (boxesOf(await textRuns(page)) !== boxesOf(runs)) continue;
    const ratios = await darkroom.ratios(inked, blank, runs);
    return runs.map((run, index) => ({ ...run, ratio: ratios[index] ?? null }));
  }
}

function boxesOf(runs: readonly Run[]): string {
  return JSON.stringify(runs.map(({ box }) => box));
}

/** The content policy of the pages forbids a style element, but not a sheet made by script. */
function addSheet(rules: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}

function removeSheet(sheet: CSSStyleSheet): void {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
}

async function picture(page: Page): Promise<string> {
  return (await page.screenshot({ animations: "disabled" })).toString("base64");
}

/** A separate page that compares the pictures: a browser can already read PNG. */
export class Darkroom {
  private opened: Promise<Page> | null = null;

  constructor(private readonly browser: Browser) {}

  async ratios(inked: string, blank: string, runs: readonly Run[]): Promise<(number | null)[]> {
    this.opened ??= this.browser.newPage();
    const page = await this.opened;
    return page.evaluate(compare, { inked, blank, boxes: runs.map(({ box }) => box) });
  }
}

/** Runs in the darkroom: the contrast in each box, in the strongest part of the letters. */
async function compare({
  inked,
  blank,
  boxes,
}: {
  inked: string;
  blank: string;
  boxes: Run["box"][];
}): Promise<(number | null)[]> {
  /** Letters are softened at their edges; only their strongest pixels have the colour of the ink. */
  const STRONGEST = 0.03;
  /** A difference that no eye sees; screens round values. */
  const SEEN = 1.04;

  async function pixels(png: string): Promise<ImageData> {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    return context?.getImageData(0, 0, bitmap.width, bitmap.height) as ImageData;
  }

  /** Linear light for each value of a channel: there are 256 values, and millions of pixels. */
  const linear = Float64Array.from({ length: 256 }, (_, value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });

  function light(value: number | undefined): number {
    return linear[value ?? 0] ?? 0;
  }

  /** Relative luminance, WCAG 2. */
  function luminance({ data }: ImageData, at: number): number {
    return 0.2126 * light(data[at]) + 0.7152 * light(data[at + 1]) + 0.0722 * light(data[at + 2]);
  }

  function contrast(at: number): number {
    const [one, other] = [luminance(ink, at), luminance(ground, at)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }

  function judged({ x, y, width, height }: Run["box"]): number | null {
    const seen: number[] = [];
    for (let row = Math.max(0, Math.floor(y)); row < Math.min(ink.height, y + height); row++) {
      for (let column = Math.max(0, Math.floor(x)); column < Math.min(ink.width, x + width); column++) {
        const ratio = contrast((row * ink.width + column) * 4);
        if (ratio >= SEEN) seen.push(ratio);
      }
    }
    seen.sort((one, other) => other - one);
    return seen[Math.floor(seen.length * STRONGEST)] ?? null;
  }

  const [ink, ground] = [await pixels(inked), await pixels(blank)];
  return boxes.map(judged);
}
