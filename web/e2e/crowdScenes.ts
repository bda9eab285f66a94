/** The scenes that are hardest to fit in: five crews, names of 24 letters, a hand of thirty cards. */

import { expect } from "@playwright/test";
import { gameOver } from "./game";
import type { Look, Person } from "./person";
import type { Arrive, Scene, State } from "./scenes";
import { begun, hoarding, homeward, playOverWire } from "./wireGame";

const NAMES = [
  "Bartholomäus Schwarzbart",
  "Mmmmmmmmmmmmmmmmmmmmmmmm",
  "Maximiliane von der Wied",
  "Hieronymus-Christophorus",
  "Wilhelmina Vandersteenis",
] as const;
const MANY_CARDS = 30;
/** After this many actions the pirates stand all over the board. */
const MIDDLE = 60;

export const crowdScenes: readonly Scene[] = [
  { name: "five long names before the start", isGame: false, walk: gathering },
  { name: "five crews and thirty cards", isGame: true, walk: thirtyCards },
  {
    name: "five crews with hidden hands",
    isGame: true,
    walk: (arrive, look) => middle("jamaica", arrive, look),
  },
  { name: "five crews on the islands", isGame: true, walk: (arrive, look) => middle("nest", arrive, look) },
];

async function* gathering(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [host, ...guests] = await crowd(arrive, look);
  if (host === undefined) throw new Error("somebody is the host");
  const { id } = await host.openTable({ ruleset: "jamaica", seats: guests.length + 1 });
  for (const guest of guests) await guest.command(id, "sit");
  const page = await host.open(`/table/${id}`);
  await expect(page.getByRole("button", { name: "Start the game" })).toBeVisible();
  yield { name: "everybody sits", page };
}

async function* thirtyCards(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const people = await crowd(arrive, look);
  const id = await begun(people, { ruleset: "tortuga" });
  await playOverWire(people, id, hoarding, ({ seat, current: { view } }) => {
    return view != null && view.to_act === seat && (view.hand_sizes[0] ?? 0) >= MANY_CARDS;
  });
  const page = await people[0]?.open(`/table/${id}`);
  if (page === undefined) throw new Error("somebody looks");
  await expect(page.getByRole("grid")).toBeVisible();
  yield { name: "your turn", page };
  await playOverWire(people, id, homeward);
  await expect(gameOver(page)).toBeVisible();
  yield { name: "game over", page };
  await page.goto(`/replay/${id}`);
  await page.getByRole("slider").press("End");
  yield { name: "the replay", page };
}

async function* middle(ruleset: string, arrive: Arrive, look: Look): AsyncGenerator<State> {
  const people = await crowd(arrive, look);
  const id = await begun(people, { ruleset });
  await playOverWire(
    people,
    id,
    homeward,
    ({ seat, current }, actions) => actions >= MIDDLE && current.view?.to_act === seat,
  );
  const page = await people[0]?.open(`/table/${id}`);
  if (page === undefined) throw new Error("somebody looks");
  await expect(page.getByRole("grid")).toBeVisible();
  yield { name: "your turn", page };
}

async function crowd(arrive: Arrive, look: Look): Promise<Person[]> {
  const people: Person[] = [];
  for (const name of NAMES) people.push(await arrive(name, look));
  return people;
}
