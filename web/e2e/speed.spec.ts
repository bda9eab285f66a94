/** How fast it feels: from a click to the picture of its result, and from step to step of a replay. */

import { setTo } from "./dressing";
import { measured, paintsOf, watchPaints, type Paints } from "./measuring";
import { bareMouse } from "./hands";
import { DESKTOP, Person, type Look } from "./person";
import { Player } from "./player";
import { expect, test } from "./test";
import { stepCosts } from "./tracing";
import { anything, begun, playAgainst, playOverWire } from "./wireGame";

/** The number of actions in the replayed game. */
const LONG = 300;
/** Whole games, so that there are enough actions for a p95. */
const GAMES = 2;
/** The usual setting: pirates walk. */
const MOVING: Look = { ...DESKTOP, reducedMotion: "no-preference" };
const STILL: Look = { ...DESKTOP, reducedMotion: "reduce" };

test("what one does is on the screen within a tenth of a second", async ({ browser, harbour }) => {
  const anne = await Person.arrive(browser, harbour.node(0), "Anne", MOVING);
  const bart = await Person.arrive(browser, harbour.node(1), "Bart", MOVING);
  await watchPaints(anne.context);
  const waits: Paints = { own: [], amidst: [] };
  for (let game = 0; game < GAMES; game++) {
    const id = await begun([anne, bart], { ruleset: "tortuga" });
    const page = await anne.open(`/table/${id}`);
    // Anne never waits until everything has been shown.
    await setTo(page, { rivals: "slow" });
    await playAgainst([bart], new Player(anne, page, id, bareMouse));
    const { own, amidst } = await paintsOf(page);
    waits.own.push(...own);
    waits.amidst.push(...amidst);
    await page.close();
  }
  const figures = {
    own: measured("click to paint", waits.own),
    amidst: measured("click to paint, while moves of others are shown", waits.amidst),
  };
  expect(waits.own.length).toBeGreaterThanOrEqual(60);
  expect(waits.amidst.length).toBeGreaterThanOrEqual(20);
  expect(figures.own.p95).toBeLessThanOrEqual(100);
  expect(figures.amidst.p95).toBeLessThanOrEqual(100);
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
