/** One table: an update means the same from the stream and from an answer. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Table, Update, View } from "../../src/api/messages";
import { withTold, type Told } from "../../src/connection/history";
import { LiveTable } from "../../src/connection/table.svelte";

const TABLE = { id: "t", stage: "running", ending: null, winner: null, chairs: [] } as unknown as Table;

function told(seq: number): Told {
  return { seq, news: null, happened: [], turn: 1, isPast: false };
}

function view(turn: number, seat: number | null = 0): View {
  return { turn, seat, ending: null, turn_seat: 0, actions_used: 0 } as View;
}

function move(seq: number, more: Partial<Update> = {}): Update {
  return { seq, happened: [{ happening: "played", seat: 0, card: "key" }], view: view(seq), ...more };
}

/** The stream tells an update. */
function tell(live: LiveTable, update: Update): void {
  live.tell({ name: "update", id: `${update.seq}.0`, data: JSON.stringify(update) });
}

const answers: object[] = [];
const asked: string[] = [];
/** What each request preferred. */
const wanted: (string | null)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
  asked.length = 0;
  wanted.length = 0;
  answers.length = 0;
  vi.stubGlobal("fetch", (path: string, { headers }: RequestInit) => {
    asked.push(path);
    wanted.push(new Headers(headers).get("Prefer"));
    const body = answers.shift();
    if (body === undefined) return Promise.reject(new TypeError("gone"));
    const status = "error" in body ? 409 : 200;
    return Promise.resolve(
      new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } }),
    );
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A table that was looked at once, at seq 70. */
async function looked(): Promise<LiveTable> {
  const live = new LiveTable("t", "me");
  answers.push({
    id: "t",
    seat: 0,
    invite: "code",
    current: { seq: 70, table: TABLE, view: view(70), happened: [] },
  });
  await live.look();
  return live;
}

/** An id as a device makes it. */
const ON_DEVICE = "01a1de9f-0000-8000-8000-000000000000";

describe("a table on a device", () => {
  it("empties all that it was told, even if something still holds it", () => {
    const live = new LiveTable(ON_DEVICE, null);
    tell(live, { seq: 1, table: TABLE, view: view(1, null), happened: [] });
    tell(live, move(2, { view: view(2, null) }));
    const [first, last] = [live.story.shown?.view, live.view];
    const happened = live.history.map((told) => told.happened);
    expect([first?.turn, last?.turn, happened.flat().length]).toEqual([2, 2, 1]);
    live.forget();
    expect([first, last, happened]).toEqual([{}, {}, [[]]]);
    expect([live.view, live.history, live.story.shown, live.story.told, live.story.hasPast]).toEqual([
      null,
      [],
      null,
      [],
      false,
    ]);
    // What was under way comes too late.
    tell(live, { seq: 3, table: TABLE, view: view(3, null), happened: [] });
    expect([live.view, live.story.shown]).toEqual([null, null]);
  });
});

describe("a table", () => {
  it("asks for the past once more as another seat sees it", async () => {
    const live = await looked();
    for (const seq of [68, 69, 70]) tell(live, move(seq));
    const current = { seq: 70, table: TABLE, view: view(70, 1), happened: [] };
    answers.push({ id: "t", seat: 1, invite: "code", current });
    await live.uncover();
    expect([live.seat, live.place()]).toEqual([1, { seq: 10, chat: 0 }]);
    for (const seq of [68, 69, 70]) tell(live, move(seq, { view: view(seq, 1) }));
    expect([live.story.hasPast, live.place()]).toEqual([true, { seq: 70, chat: 0 }]);
    live.close();
  });

  it("asks the stream for a little of what was before", async () => {
    const live = await looked();
    expect([live.seat, live.code, live.place()]).toEqual([0, "code", { seq: 10, chat: 0 }]);
    tell(live, move(69));
    tell(live, move(70));
    expect([live.seq, live.place()]).toEqual([70, { seq: 70, chat: 0 }]);
    expect(live.history.map(({ seq, isPast }) => [seq, isPast])).toEqual([
      [69, true],
      [70, true],
    ]);
    live.close();
  });

  it("takes a move once, from the answer and from the stream", async () => {
    const live = await looked();
    answers.push(move(71));
    await live.act(5);
    tell(live, move(71));
    expect([live.seq, live.history.length, live.isSending]).toEqual([71, 1, false]);
    live.close();
  });

  it("sends one choice at a time, until the stream or the answer tells what it did", async () => {
    const live = await looked();
    answers.push(move(71));
    const first = live.act(5);
    await live.act(6);
    expect([live.isSending, asked.length]).toEqual([true, 2]);
    tell(live, move(71));
    expect(live.isSending).toBe(false);
    const second = live.act(7);
    await first;
    expect([live.isSending, asked.length]).toEqual([true, 3]);
    answers.push(move(72));
    await vi.advanceTimersByTimeAsync(1000);
    await second;
    expect([live.seq, live.isSending]).toEqual([72, false]);
    live.close();
  });

  it("waits for the stream where an answer leaves everything to it", async () => {
    const live = await looked();
    answers.push({ seq: 71 });
    const acting = live.act(5);
    await vi.advanceTimersByTimeAsync(100);
    expect([live.seq, live.isSending]).toEqual([70, true]);
    tell(live, move(71));
    await acting;
    expect([live.seq, live.isSending, asked.length, vi.getTimerCount()]).toEqual([71, false, 2, 0]);
    live.close();
  });

  it("looks for itself where the stream does not tell in time", async () => {
    const live = await looked();
    const current = { seq: 71, table: TABLE, view: view(71), happened: [] };
    answers.push({ seq: 71 }, { id: "t", seat: 0, invite: null, current });
    const acting = live.act(5);
    await vi.advanceTimersByTimeAsync(3000);
    await acting;
    expect([live.seq, live.isSending, asked.at(-1)]).toEqual([71, false, "/api/tables/t?invite=code"]);
    live.close();
  });

  it("wants whole answers while no stream of its own tells it the rest", async () => {
    const live = await looked();
    answers.push(move(71));
    await live.act(5);
    expect(wanted).toEqual([null, null]);
    live.close();
  });

  it("shows where the table really is when a move is stale", async () => {
    const live = await looked();
    answers.push({
      error: { code: "stale", message: "" },
      current: { seq: 72, table: TABLE, view: view(72), happened: [] },
    });
    await expect(live.act(5)).rejects.toMatchObject({ code: "stale" });
    expect([live.seq, live.view?.turn, live.isSending]).toEqual([72, 72, false]);
    live.close();
  });

  it("takes a whole turn back, as far as it may", async () => {
    const live = await looked();
    answers.push(move(71, { undo: true }), move(72, { undo: true }), move(73));
    await live.undoTurn();
    expect([live.seq, asked.slice(1)]).toEqual([73, Array(3).fill("/api/tables/t/undo")]);
    live.close();
  });

  it("lets the service say why nothing can be taken back", async () => {
    const live = await looked();
    answers.push({ error: { code: "nothing_to_undo", message: "" } });
    await expect(live.undoTurn()).rejects.toMatchObject({ code: "nothing_to_undo" });
    expect([live.mayUndo, asked.length]).toEqual([false, 2]);
    live.close();
  });

  it("asks for the whole when something stays away", async () => {
    const live = await looked();
    tell(live, move(73));
    expect(live.seq).toBe(70);
    answers.push({
      id: "t",
      seat: 0,
      invite: null,
      current: { seq: 73, table: TABLE, view: view(73), happened: [] },
    });
    await vi.advanceTimersByTimeAsync(3000);
    expect([live.seq, asked.length]).toEqual([73, 2]);
    live.close();
  });

  it("never shows what was meant for another audience", async () => {
    const live = await looked();
    tell(live, move(71, { view: view(71, null) }));
    expect([live.seq, live.view?.seat]).toEqual([70, 0]);
    live.close();
  });

  it("knows who is there only while it is live", async () => {
    const live = await looked();
    const presence = { here: [0], away: [], watching: 2 };
    live.tell({ name: "presence", id: null, data: JSON.stringify(presence) });
    expect([live.presence, live.place()]).toEqual([null, { seq: 10, chat: 0 }]);
    live.connection("live");
    expect(live.presence).toEqual(presence);
    live.connection("waiting");
    expect(live.presence).toBeNull();
    live.close();
  });

  it("keeps each line of chat once", async () => {
    const live = await looked();
    const line = { number: 1, seat: 0, name: "Anne", text: "Hello", at: 0 };
    for (let times = 0; times < 2; times++)
      live.tell({ name: "chat", id: "70.1", data: JSON.stringify(line) });
    expect([live.chat.length, live.place()?.chat]).toEqual([1, 1]);
    live.close();
  });

  it("forgets the words of a line that was taken away, and counts the one that tells so", async () => {
    const live = await looked();
    const line = { number: 1, seat: 0, name: "Anne", text: "Hello", at: 0 };
    live.tell({ name: "chat", id: "70.1", data: JSON.stringify(line) });
    live.tell({
      name: "chat",
      id: "70.2",
      data: JSON.stringify({ ...line, number: 2, text: "", removes: 1 }),
    });
    expect([live.chat, live.place()?.chat]).toEqual([[{ ...line, text: "", removed: true }], 2]);
    live.close();
  });

  it("ignores events that it does not know", async () => {
    const live = await looked();
    live.tell({ name: "odd", id: null, data: "{}" });
    expect(live.seq).toBe(70);
    live.close();
  });
});

describe("history", () => {
  it("is in order and has nothing twice", () => {
    let history: readonly Told[] = [];
    for (const seq of [5, 3, 4, 5, 3]) history = withTold(history, told(seq));
    expect(history.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  });
});
