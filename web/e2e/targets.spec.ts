/** Everything that can be pressed is large enough: 24 px everywhere, 44 px for the game on a phone. */

import { still } from "./dressing";
import { DESKTOP, PHONE } from "./person";
import { SCENES, tagOf } from "./scenes";
import { smallTargets } from "./targets";
import { expect, test } from "./test";

/** Board, hand, turn box, and the ways to act in the Nest. */
const GAME = ".surface";

for (const [size, look] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const scene of SCENES) {
    const { name, walk } = scene;
    const tag = size === "phone" ? tagOf(scene) : "@long";
    test(`${name}: targets are large enough on a ${size}`, { tag }, async ({ arrive }) => {
      const small: string[] = [];
      for await (const state of walk(arrive, look)) {
        await still(state.page);
        const found = await smallTargets(state.page, "body, :modal", 24);
        small.push(...found.map((target) => `${state.name}: ${target}`));
        if (size === "phone") {
          const cramped = await smallTargets(state.page, GAME, 44);
          small.push(...cramped.map((target) => `${state.name}, of the game: ${target}`));
        }
      }
      expect(small).toEqual([]);
    });
  }
}

for (const ruleset of ["tortuga", "jamaica", "nest"]) {
  test(`with five crews of ${ruleset} the game's targets are large enough on a phone`, async ({ arrive }) => {
    const person = await arrive("Anne", PHONE);
    const bots = Array.from({ length: 4 }, () => "deckhand");
    const { id } = await person.openTable({ ruleset, seats: 5 }, bots);
    await person.command(id, "start");
    const page = await person.open(`/table/${id}`);
    await expect(page.getByRole("region", { name: "Your turn" })).toBeVisible({ timeout: 60_000 });
    await still(page);
    expect(await smallTargets(page, GAME, 44)).toEqual([]);
  });
}
