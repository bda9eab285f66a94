/** Whole games through the pages: each ruleset, two to five people, with mouse, touch and keys. */

import { expectEnd, isOver, play, seated } from "./game";
import { keys, mouse, touch } from "./hands";
import { DESKTOP, PHONE } from "./person";
import { expect, test } from "./test";

for (const ruleset of ["tortuga", "jamaica", "nest"]) {
  test(`two people play a whole game of ${ruleset} with the mouse`, async ({ arrive }) => {
    const people = [await arrive("Anne"), await arrive("Bart")] as const;
    const players = await seated([...people], { ruleset }, [mouse]);
    expect(isOver(await play(players))).toBe(true);
    await expectEnd(players);
  });
}

test("three people play a whole game on phones, with their fingers", async ({ arrive }) => {
  const people = [
    await arrive("Anne", PHONE),
    await arrive("Bart", PHONE),
    await arrive("Cora", PHONE),
  ] as const;
  const players = await seated([...people], { ruleset: "tortuga" }, [touch]);
  expect(isOver(await play(players))).toBe(true);
  await expectEnd(players);
});

test("two people play a whole game with the keyboard alone", async ({ arrive }) => {
  const people = [await arrive("Anne"), await arrive("Bart")] as const;
  const players = await seated([...people], { ruleset: "tortuga" }, [keys]);
  expect(isOver(await play(players))).toBe(true);
  await expectEnd(players);
});

test("five people play, each in another way", async ({ arrive }) => {
  test.setTimeout(600_000);
  const people = [
    await arrive("Anne", DESKTOP),
    await arrive("Bart", PHONE),
    await arrive("Cora"),
    await arrive("Dora", PHONE),
    await arrive("Emil"),
  ] as const;
  const players = await seated([...people], { ruleset: "jamaica" }, [mouse, touch, keys, touch, mouse]);
  expect(isOver(await play(players))).toBe(true);
  await expectEnd(players);
});
