/** What is kept of a game to check its record: the deal as it was shown, and the player's choices. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Table, Update, View } from "../../src/api/messages";
import { keep, keptOf, seenOf, type Seen } from "../../src/connection/shuffle";
import { LiveTable } from "../../src/connection/table.svelte";
import { Promising } from "../../src/table/promising";

const TABLE = {
  id: "t",
  stage: "running",
  game: "t.1",
  commitment: "cc",
  ruleset: { preset: "tortuga", family: "escape", options: {} },
  chairs: [{ seat: 0, kind: "person", nonce_hash: "aa" }],
} as unknown as Table;
const SHOWN = { board: ["hat", "key"], first_seat: 0, hands: [["key", "hat"], null], row: ["skull"] };

function view(turn: number, more: Partial<View> = {}): View {
  const dealt = { board: ["start", "hat", "key", "sloop"], turn_seat: 0, hands: SHOWN.hands, row: SHOWN.row };
  return {
    turn,
    seat: 0,
    actions_used: 0,
    discard: [],
    surplus: [0, 0],
    ending: null,
    ...dealt,
    ...more,
  } as View;
}

function whole(seq: number, at: View | null, table: Table = TABLE): Update {
  return { seq, table, happened: [], ...(at === null ? {} : { view: at }) };
}

function move(seq: number, turn: number, more: Partial<Update> = {}): Update {
  const happened = [{ happening: "played", seat: 0, card: "key" }];
  return { seq, happened, view: view(turn, { actions_used: 1 }), ...more } as Update;
}

function undone(seq: number, turn: number): Update {
  return { seq, news: { kind: "undone", seat: 0 }, view: view(turn) };
}

const answers: object[] = [];

beforeEach(() => {
  const store = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
  });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify(answers.shift()), { headers: { "Content-Type": "application/json" } }),
    ),
  );
  keep("t", { nonce: "01", nonceHash: "aa", commitment: "cc", promise: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page that opens the table in its current state. */
async function looking(current: Update): Promise<LiveTable> {
  const live = new LiveTable("t", "me");
  answers.push({ id: "t", seat: 0, invite: null, current });
  await live.look();
  return live;
}

async function act(live: LiveTable, code: number, answer: Update): Promise<void> {
  answers.push(answer);
  await live.act(code);
}

function tell(live: LiveTable, update: Update): void {
  live.tell({ name: "update", id: `${update.seq}.0`, data: JSON.stringify(update) });
}

function seen(): Seen {
  const kept = keptOf("t");
  if (kept === null) throw new Error("nothing is kept");
  return seenOf(kept);
}

describe("what is kept of a game", () => {
  it("is the deal as it was first shown", async () => {
    const live = await looking(whole(5, null));
    expect([seen().seat, seen().shown, seen().moves]).toEqual([null, null, null]);
    tell(live, { seq: 6, news: { kind: "began" }, view: view(1) });
    tell(live, move(7, 1, { view: view(1, { hands: [["hat"], null], actions_used: 1 }) }));
    expect([seen().seat, seen().shown, seen().moves]).toEqual([0, SHOWN, []]);
    live.close();
  });

  it("is no deal if the page came later", async () => {
    const live = await looking(whole(40, view(9)));
    expect([seen().seat, seen().shown, seen().moves]).toEqual([0, null, null]);
    await act(live, 7, move(41, 9));
    expect(seen().moves).toEqual([[9, 7]]);
    live.close();
  });

  it("is every choice that was granted, and none that was taken back", async () => {
    const live = await looking(whole(6, view(1)));
    await act(live, 7, move(7, 1));
    await act(live, 8, move(8, 1));
    answers.push(undone(9, 1));
    await live.undo();
    tell(live, undone(9, 1));
    expect(seen().moves).toEqual([[1, 7]]);
    await act(live, 0, move(10, 2));
    expect(seen().moves).toEqual([
      [1, 7],
      [1, 0],
    ]);
    live.close();
  });

  it("lets an undo in another tab count once", async () => {
    const [one, other] = [await looking(whole(6, view(1))), await looking(whole(6, view(1)))];
    for (const [seq, code] of [
      [7, 70],
      [8, 80],
    ] as const) {
      await act(one, code, move(seq, 1));
      tell(other, move(seq, 1));
    }
    for (const live of [one, other]) tell(live, undone(9, 1));
    expect(seen().moves).toEqual([[1, 70]]);
    one.close();
    other.close();
  });

  it("keeps no choice that was taken back before it was answered", async () => {
    const live = await looking(whole(6, view(1)));
    const late = act(live, 7, move(7, 1));
    tell(live, move(7, 1));
    tell(live, undone(8, 1));
    await late;
    expect(seen().moves).toEqual([]);
    live.close();
  });

  it("does not count on the running turn after a page was loaded again", async () => {
    const before = await looking(whole(6, view(1)));
    await act(before, 7, move(7, 1));
    await act(before, 0, move(8, 2));
    tell(before, move(9, 3));
    await act(before, 9, move(10, 3));
    before.close();
    for (const seq of [12, 12]) (await looking(whole(seq, view(3)))).close();
    expect([seen().shown, seen().moves]).toEqual([
      SHOWN,
      [
        [1, 7],
        [1, 0],
      ],
    ]);
  });

  it("is not lost when the answer to our number tells the deal", async () => {
    const live = await looking(whole(5, null, { ...TABLE, stage: "starting" }));
    answers.push(whole(6, view(1)));
    await new Promising(live).look();
    expect([keptOf("t")?.isShown, seen().shown]).toEqual([true, SHOWN]);
    live.close();
  });

  it("is nothing for a browser that took no part", async () => {
    localStorage.setItem("cartagena.promises", "{}");
    const live = await looking(whole(6, view(1)));
    await act(live, 7, move(7, 1));
    expect(keptOf("t")).toBeNull();
    live.close();
  });
});
