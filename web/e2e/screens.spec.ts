/** Pictures of every screen: sizes, themes and languages, into web/screens. */

import { join } from "node:path";
import { play, seated } from "./game";
import { mouse } from "./hands";
import type { Look, Person } from "./person";
import { expect, test, type Page } from "./test";

const FOLDER = join(import.meta.dirname, "../screens");
const SIZES: Record<string, NonNullable<Look["viewport"]>> = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 900, height: 1200 },
  phone: { width: 390, height: 844 },
};
const PAGES: Record<string, string> = {
  home: "/",
  open: "/open",
  learn: "/learn",
  rules: "/rules/escape",
  ladder: "/ladder",
  account: "/account",
  "sign-in": "/sign-in",
  settings: "/settings",
  credits: "/credits",
  nothing: "/nonsense",
};

for (const ruleset of ["tortuga", "jamaica", "nest"]) {
  test(`pictures of ${ruleset}`, async ({ arrive }) => {
    test.setTimeout(900_000);
    const people = [await arrive("Anne"), await arrive("Tobias"), await arrive("Ines")] as const;
    const players = await seated([...people], { ruleset }, [mouse]);
    const [first] = players;
    if (first === undefined) throw new Error("somebody plays");
    await play(players, 24);
    await pictures(first.person, `/table/${first.table}`, ruleset, async (page) => {
      await expect(page.getByRole("grid")).toBeVisible();
    });
    await play(players);
    await pictures(first.person, `/table/${first.table}`, `${ruleset}-over`);
    await pictures(first.person, `/replay/${first.table}#t6.1`, `${ruleset}-replay`);
  });
}

test("pictures of everything else", async ({ arrive }) => {
  test.setTimeout(900_000);
  const person = await arrive("Anne");
  for (const [name, path] of Object.entries(PAGES)) await pictures(person, path, name);
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 3 });
  await pictures(person, `/table/${id}`, "waiting-room");
});

type Wait = (page: Page) => Promise<void>;

/** One picture for each size, theme and language. */
async function pictures(person: Person, path: string, name: string, wait?: Wait): Promise<void> {
  const page = await person.context.newPage();
  for (const language of ["en", "de"]) {
    for (const theme of ["plan", "night"]) {
      await page.addInitScript(
        (chosen) => localStorage.setItem("cartagena.settings", JSON.stringify(chosen)),
        {
          theme,
          language,
        },
      );
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await page.goto("/theme.js");
        await page.goto(path);
        await expect(page.getByRole("main")).toBeVisible();
        await wait?.(page);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: join(FOLDER, `${name}-${size}-${theme}-${language}.png`) });
      }
    }
  }
  await page.close();
}
