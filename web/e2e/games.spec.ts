/**
 * Games through the pages: each ruleset, two to five people, with mouse, touch and keys.
 *
 * Whole games are long: CI leaves them out (`--grep-invert @long`), and plays the beginning and the end of some.
 */

import { expectEnd, isOver, play, seated } from "./game";
import { keys, mouse, touch } from "./hands";
import { DESKTOP, PHONE, type Person } from "./person";
import type { Hands, Player } from "./player";
import type { Arrive } from "./scenes";
import { expect, test, type Page } from "./test";
import { OPENING, playToEnding } from "./wireGame";

const NAMES = ["Anne", "Bart", "Cora", "Dora", "Emil"] as const;
const WAYS: Record<string, readonly Hands[]> = {
  "two people with the mouse": [mouse, mouse],
  "two people with the keyboard alone": [keys, keys],
  "two people, one with keys and one with fingers": [keys, touch],
  "three people on phones, with their fingers": [touch, touch, touch],
  "five people, each in another way": [mouse, touch, keys, touch, mouse],
};
/** Each ruleset and each way to play once, in short games; `secrets.spec.ts` plays the Nest. */
const BRIEF = new Set([
  "tortuga: two people, one with keys and one with fingers",
  "jamaica: two people with the mouse",
]);

for (const ruleset of ["tortuga", "jamaica", "nest"]) {
  for (const [way, hands] of Object.entries(WAYS)) {
    const name = `${ruleset}: ${way}`;
    if (BRIEF.has(name)) {
      test(`the beginning and the end of ${name}`, async ({ arrive }) => {
        const players = await gathered(arrive, ruleset, hands);
        await play(players, OPENING);
        // A page that is elsewhere does not draw what happens in between.
        await Promise.all(players.map(({ page }) => page.goto("about:blank")));
        await playToEnding(players);
        await Promise.all(players.map(({ page, table }) => page.goto(`/table/${table}`)));
        expect(isOver(await play(players))).toBe(true);
        await expectEnd(players);
      });
    }
    test(`a whole game of ${name}`, { tag: "@long" }, async ({ arrive }) => {
      test.setTimeout(900_000);
      const players = await gathered(arrive, ruleset, hands);
      expect(isOver(await play(players))).toBe(true);
      await expectEnd(players);
    });
  }
}

async function gathered(arrive: Arrive, ruleset: string, hands: readonly Hands[]): Promise<Player[]> {
  const people: Person[] = [];
  for (const [seat, hand] of hands.entries())
    people.push(await arrive(NAMES[seat] ?? "", hand === touch ? PHONE : DESKTOP));
  return seated(people, { ruleset }, hands);
}

test("the second press of a double click resigns nothing, and who means it resigns", async ({ arrive }) => {
  const players = await seated([await arrive("Anne"), await arrive("Bart")], { ruleset: "tortuga" }, [mouse]);
  const page = players[0]?.page as Page;
  await page.getByRole("button", { name: "Game menu" }).click();
  const resign = page.getByRole("button", { name: /^Resign/ });
  await resign.click();
  await page.getByRole("button", { name: "Yes, resign now" }).dispatchEvent("click", { detail: 2 });
  await page.getByRole("button", { name: "Play on" }).click();
  await expect(resign).toBeFocused();
  await resign.click();
  await expect(page.getByRole("button", { name: "Play on" })).toBeFocused();
  await page.getByRole("button", { name: "Yes, resign now" }).click();
  await expectEnd(players);
});
