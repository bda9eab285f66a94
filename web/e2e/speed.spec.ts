/** How fast it feels: from one's own click to the picture of what was done, and from one step of a replay to the next. */

import { measured, paintsOf, watchPaints } from "./measuring";
import { bareMouse } from "./hands";
import { DESKTOP, Person, type Look } from "./person";
import { Player } from "./player";
import { expect, test } from "./test";
import { stepCosts } from "./tracing";
import { anything, begun, playAgainst, playOverWire } from "./wireGame";

/** So many actions has the game that is looked at again. */
const LONG = 300;
/** Whole games, so that there are enough actions for a p95. */
const GAMES = 2;
/** As most people have it: pirates walk. */
const MOVING: Look = { ...DESKTOP, reducedMotion: "no-preference" };
const STILL: Look = { ...DESKTOP, reducedMotion: "reduce" };

test("what one does is on the screen within a tenth of a second", async ({ browser, harbour }) => {
  const anne = await Person.arrive(browser, harbour.node(0), "Anne", MOVING);
  const bart = await Person.arrive(browser, harbour.node(1), "Bart", MOVING);
  await watchPaints(anne.context);
  const waits: number[] = [];
  for (let game = 0; game < GAMES; game++) {
    const id = await begun([anne, bart], { ruleset: "tortuga" });
    const page = await anne.open(`/table/${id}`);
    await playAgainst([bart], new Player(anne, page, id, bareMouse));
    waits.push(...(await paintsOf(page)));
    await page.close();
  }
  const { p95 } = measured("click to paint", waits);
  expect(waits.length).toBeGreaterThanOrEqual(60);
  expect(p95).toBeLessThanOrEqual(100);
  for (const person of [anne, bart]) await person.leave();
});

for (const [name, look] of Object.entries({ walking: MOVING, still: STILL })) {
  test(`a step of a long replay costs little, ${name}`, async ({ arrive, browser }) => {
    const people = [await arrive("Anne", look)];
    while (people.length < 5) people.push(await arrive("Bart"));
    const id = await begun(people, { ruleset: "tortuga" });
    await playOverWire(people, id, anything(LONG));
    const page = await people[0]?.open(`/replay/${id}`);
    if (page === undefined) throw new Error("somebody looks");
    const costs = await stepCosts(browser, page);
    expect(costs.length).toBeGreaterThanOrEqual(LONG);
    const { p50 } = measured(`step of a replay, ${name}: script, style and layout`, costs);
    expect(p50).toBeLessThanOrEqual(8);
  });
}
