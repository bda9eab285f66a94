/** Whose lines are hidden, even after a reload of the page. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChatLine, Table } from "../../src/api/messages";
import { keyOf, Silenced } from "../../src/table/playing/silenced.svelte";

const TABLE = { chairs: [{ player: "anne-id" }, { player: "tobias-id" }] } as unknown as Table;
const line = (number: number, seat: number | null, name: string): ChatLine => ({
  number,
  seat,
  name,
  text: "Ahoy",
  at: 0,
});
const CHAT = [line(1, 0, "Anne"), line(2, 1, "Tobias"), line(3, null, "Watcher")];

let store: Map<string, string>;

beforeEach(() => {
  store = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a player is silenced by his id, a spectator by his name, and so they stay", () => {
  const before = new Silenced();
  before.add(keyOf(CHAT[1] as ChatLine, TABLE));
  before.add(keyOf(CHAT[2] as ChatLine, TABLE));
  const reloaded = new Silenced();
  expect(reloaded.heard(CHAT, TABLE).map(({ name }) => name)).toEqual(["Anne"]);
  expect([reloaded.has("tobias-id"), reloaded.has("Watcher")]).toEqual([true, true]);
});

test("a spectator whose line tells his id is silenced by it, whatever his name is then", () => {
  const silenced = new Silenced();
  silenced.add(keyOf({ ...line(4, null, "Watcher"), player: "watcher-id" }, TABLE));
  const renamed = { ...line(5, null, "Other name"), player: "watcher-id" };
  expect(silenced.heard([renamed], TABLE)).toEqual([]);
});

test("everybody is heard again, also later", () => {
  const silenced = new Silenced();
  silenced.add("tobias-id");
  silenced.clear();
  expect([silenced.heard(CHAT, TABLE).length, new Silenced().has("tobias-id")]).toEqual([3, false]);
});

test("what was spoilt in the store silences nobody", () => {
  store.set("cartagena.silenced", "{");
  expect(new Silenced().heard(CHAT, TABLE)).toHaveLength(3);
  store.set("cartagena.silenced", '["anne-id", 7]');
  expect(new Silenced().heard(CHAT, TABLE)).toHaveLength(2);
});

test("without a store it lasts as long as the page", () => {
  vi.stubGlobal("localStorage", undefined);
  const silenced = new Silenced();
  silenced.add("tobias-id");
  expect(silenced.has("tobias-id")).toBe(true);
});

test("only the last two hundred are remembered", () => {
  const silenced = new Silenced();
  for (let number = 0; number < 201; number++) silenced.add(`player ${number}`);
  expect([new Silenced().has("player 0"), new Silenced().has("player 200")]).toEqual([false, true]);
});
