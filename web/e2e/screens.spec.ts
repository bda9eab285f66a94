/** Pictures of every screen in every state: sizes, themes and languages, into web/screens. Nothing scrolls sideways. */

import { join } from "node:path";
import { crowdScenes } from "./crowdScenes";
import { dress, type Dress } from "./dressing";
import type { Look } from "./person";
import { SCENES } from "./scenes";
import { expect, test, type Page } from "./test";

const FOLDER = join(import.meta.dirname, "../screens");
/** At most this many window heights of a long page are shown. */
const HEIGHTS = 3;
const WORN: readonly Dress[] = [
  { language: "en", theme: "plan" },
  { language: "en", theme: "night" },
  { language: "de", theme: "plan" },
  { language: "de", theme: "night" },
];

interface Size {
  look: Look & { viewport: { width: number; height: number } };
  worn: readonly Dress[];
}

const SIZES: Record<string, Size> = {
  desktop: { look: { viewport: { width: 1440, height: 900 } }, worn: WORN },
  tablet: { look: { viewport: { width: 900, height: 1200 }, hasTouch: true }, worn: WORN },
  phone: { look: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, worn: WORN },
  // The narrowest phone, with the longest words.
  narrow: {
    look: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    worn: [{ language: "de", theme: "plan" }],
  },
};

for (const [size, { look, worn }] of Object.entries(SIZES)) {
  for (const scene of [...SCENES, ...crowdScenes]) {
    test(`pictures of ${scene.name}, ${size}`, async ({ arrive }) => {
      const tooWide: string[] = [];
      for await (const { name, page } of scene.walk(arrive, look)) {
        for (const dressed of worn) {
          await dress(page, dressed);
          const picture = [scene.name, name, size, dressed.theme, dressed.language].map(plain).join("-");
          await take(page, join(FOLDER, size, `${picture}.png`), look.viewport);
          if (await scrollsSideways(page, look.viewport.width)) tooWide.push(picture);
        }
        await dress(page, { theme: "plan", language: "en" });
      }
      expect(tooWide).toEqual([]);
    });
  }
}

async function take(page: Page, path: string, { width, height }: Size["look"]["viewport"]): Promise<void> {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(Math.max(whole, height), HEIGHTS * height) };
  await page.screenshot({ path, clip, fullPage: true });
}

/** Compared with the given width: a phone would widen the page to fit everything. */
function scrollsSideways(page: Page, width: number): Promise<boolean> {
  return page.evaluate((most) => document.documentElement.scrollWidth > most, width);
}

/** A file name that is the same in every run. */
function plain(name: string): string {
  const known = name.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "somebody").toLowerCase();
  return known.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, "");
}
