/** No page receives, shows or keeps a card that its seat may not know. */

import type { TableAnswer } from "../src/api/messages";
import { expectEnd, isOver, play, seated } from "./game";
import { mouse } from "./hands";
import type { PageTraces } from "./harbour";
import type { Player } from "./player";
import { expect, test, type Page } from "./test";
import { playEnds } from "./wireGame";

const SIGNS =
  /\b(skull|hat|dagger|bottle|key|pistol|parrot|chest|telescope|ducats|map|cannon|compass|freebooter)\b/i;

test.use({ isTapped: true });

// The Nest hides all that Jamaica hides, and more. Pages receive the whole game, however it is played.
for (const { ruleset, how, played, tag } of [
  { ruleset: "nest", how: "begun and ended with hands", played: playEnds, tag: [] },
  ...["nest", "jamaica"].map((ruleset) => ({
    ruleset,
    how: "played with hands",
    played: byHand,
    tag: "@long",
  })),
]) {
  test(
    `a whole game of ${ruleset}, ${how}, tells no seat what it may not know`,
    { tag },
    async ({ arrive, harbour }) => {
      test.setTimeout(900_000);
      const people = [await arrive("Anne"), await arrive("Bart")] as const;
      const watcher = await arrive("Wim");
      const players = await seated([...people], { ruleset }, [mouse]);
      const [first] = players;
      if (first === undefined) throw new Error("somebody plays");
      const watching = await watcher.open(`/table/${first.table}`);
      const kept = new Kept([...players.map(({ page }) => page), watching]);
      const told = await played(players, async () => {
        await kept.look();
        await expectHiddenHands(players, watching);
      });
      expect(isOver(told)).toBe(true);
      await expectEnd(players);
      const traces: PageTraces[] = players.map(({ person, page }, seat) => ({
        name: person.name,
        seat,
        received: person.wire.received(),
        kept: kept.of(page),
      }));
      traces.push({ name: "Wim", seat: null, received: watcher.wire.received(), kept: kept.of(watching) });
      expect(await harbour.leaks(first.table, traces)).toEqual([]);
      // The search works: what one seat was told would be a leak at the other.
      const exchanged = traces.map((page) => ({
        ...page,
        seat: page.seat === null ? null : 1 - page.seat,
      }));
      expect(await harbour.leaks(first.table, exchanged)).not.toEqual([]);
    },
  );
}

function byHand(players: readonly Player[], each: () => Promise<void>): Promise<TableAnswer> {
  return play(players, undefined, each);
}

/** What pages keep beyond their own life: storage, title, address; each value once. */
class Kept {
  private readonly values: Map<Page, Set<string>>;

  constructor(pages: readonly Page[]) {
    this.values = new Map(pages.map((page) => [page, new Set()]));
  }

  async look(): Promise<void> {
    for (const [page, known] of this.values) {
      const values = await page.evaluate(() => [
        ...[localStorage, sessionStorage].flatMap((storage) =>
          Object.keys(storage).map((name) => storage.getItem(name) ?? ""),
        ),
        document.title,
        location.href,
      ]);
      for (const value of values) known.add(value);
    }
  }

  of(page: Page): string[] {
    return [...(this.values.get(page) ?? [])];
  }
}

/** The cards of others are backs and numbers: their part of a page shows no sign. */
async function expectHiddenHands(players: readonly Player[], watching: Page): Promise<void> {
  const lookers = [
    ...players.map(({ page, person }) => ({ page, own: person.name })),
    { page: watching, own: "" },
  ];
  for (const { page, own } of lookers) {
    const others = players.map(({ person }) => person.name).filter((name) => name !== own);
    for (const name of others) {
      const part = page.getByRole("article").filter({ has: page.getByRole("heading", { name }) });
      await expect(part).toBeVisible();
      expect(await part.evaluate((element) => element.outerHTML)).not.toMatch(SIGNS);
    }
  }
}
