/**
 * No state of any screen breaks a rule of accessibility, in either theme and any language.
 *
 * Words do not change colours, and colours do not change words: with every change what depends on looks is looked at
 * in both themes and everything else in all languages. `@long` looks at everything in each.
 */

import { violations, type Part } from "./axe";
import { dress, LANGUAGES, THEMES, type Dress } from "./dressing";
import { DESKTOP, PHONE, type Look } from "./person";
import { SCENES, tagOf, type Arrive, type Scene } from "./scenes";
import { expect, test } from "./test";

/** What is looked for in which dress. */
type Round = Dress & { part: Part };

const BRIEF: readonly Round[] = [
  { language: "en", theme: "plan", part: "all" },
  { language: "en", theme: "night", part: "looks" },
  ...(["nl", "de", "sv"] as const).map((language) => ({ language, theme: "night", part: "rest" }) as const),
];
const FULL: readonly Round[] = LANGUAGES.flatMap((language) =>
  THEMES.map((theme) => ({ language, theme, part: "all" }) as const),
);

for (const scene of SCENES) {
  test(`${scene.name}: axe finds nothing`, { tag: tagOf(scene) }, async ({ arrive }) => {
    expect(await foundIn(scene, arrive, DESKTOP, BRIEF)).toEqual([]);
  });
  for (const [size, look] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`${scene.name}: axe finds nothing in any dress on a ${size} @long`, async ({ arrive }) => {
      test.setTimeout(900_000);
      expect(await foundIn(scene, arrive, look, FULL)).toEqual([]);
    });
  }
}

for (const scene of SCENES.filter(({ isGame }) => isGame)) {
  test(`${scene.name}: axe finds nothing on a phone`, { tag: tagOf(scene) }, async ({ arrive }) => {
    const rounds = BRIEF.filter(({ language }) => language === "en");
    expect(await foundIn(scene, arrive, PHONE, rounds)).toEqual([]);
  });
}

async function foundIn(
  { walk }: Scene,
  arrive: Arrive,
  look: Look,
  rounds: readonly Round[],
): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, page } of walk(arrive, look)) {
    for (const { part, ...worn } of rounds) {
      await dress(page, worn);
      const faults = await violations(page, part);
      found.push(...faults.map((fault) => `${name}, ${worn.theme}, ${worn.language}: ${fault}`));
    }
    await dress(page, { language: "en", theme: "plan" });
  }
  return found;
}
