/** Every run of text on every screen stands out from what is really behind it, in both themes. */

import { contrasts, Darkroom, type Judged } from "./contrast";
import { dress, THEMES } from "./dressing";
import { DESKTOP, PHONE } from "./person";
import { SCENES, tagOf } from "./scenes";
import { expect, test } from "./test";

/** Fewer runs than any screen has, the smallest dialog too: a look that finds nothing has looked at nothing. */
const FEWEST = 2;

for (const [size, look] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const scene of SCENES) {
    const { name, isGame, walk } = scene;
    if (size === "phone" && !isGame) continue;
    const tag = size === "phone" || !isGame ? "@long" : tagOf(scene);
    test(`${name}: all text can be read on a ${size}`, { tag }, async ({ arrive, browser }) => {
      const darkroom = await Darkroom.open(await browser.newContext());
      const faint: string[] = [];
      for await (const state of walk(arrive, look)) {
        for (const theme of THEMES) {
          await dress(state.page, { theme, language: "en" });
          const judged = (await contrasts(state.page, darkroom)).filter(({ ratio }) => ratio !== null);
          expect(judged.length, state.name).toBeGreaterThan(FEWEST);
          faint.push(...judged.filter(isFaint).map((run) => `${state.name}, ${theme}: ${told(run)}`));
        }
      }
      expect(faint).toEqual([]);
    });
  }
}

function isFaint({ ratio, needs }: Judged): boolean {
  return (ratio ?? 0) < needs;
}

function told({ text, ratio, needs }: Judged): string {
  return `${ratio?.toFixed(2) ?? ""} of ${needs} in "${text}"`;
}
