/** A seat's part in the shuffle: when to promise, when to show, and when not to. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chair, Table, TableAnswer } from "../../src/api/messages";
import {
  drawPledge,
  forget,
  isAsPromised,
  isUsedElsewhere,
  keep,
  keepPledge,
  keptOf,
  promiseOf,
  seenOf,
  withPledge,
  type Kept,
} from "../../src/connection/shuffle";
import type { LiveTable } from "../../src/connection/table.svelte";
import { dutyOf, Promising } from "../../src/table/promising";

const KEPT: Kept = { nonce: "01", nonceHash: "aa", commitment: "cc", promise: null };

function table(stage: Table["stage"], hash: string | null, more: Partial<Table> = {}): Table {
  const chairs = [{ seat: 0, kind: "person", nonce_hash: hash } as Chair];
  const ruleset = { preset: "jamaica", family: "escape", options: { row_length: 0, hands_open: false } };
  return { stage, chairs, ruleset, game: "t.1", commitment: "cc", starts: 0, ...more } as Table;
}

function duty(at: Table, kept: Kept | null = KEPT, promised = false): string {
  const [chair] = at.chairs;
  if (chair === undefined) throw new Error("no chair");
  return dutyOf(at, chair, kept, promised);
}

beforeEach(() => {
  const store = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("taking part in the shuffle", () => {
  it("promises while the table is open, once", () => {
    expect(duty(table("open", null), null)).toBe("promise");
    expect(duty(table("open", "aa"))).toBe("none");
  });

  it("promises anew after a start that was called off", () => {
    expect(duty(table("open", null), KEPT, true)).toBe("promise");
  });

  it("takes the place of another device once, without a quarrel", () => {
    expect(duty(table("open", "bb"))).toBe("promise");
    expect(duty(table("open", "bb"), KEPT, true)).toBe("none");
  });

  it("shows its number at the start, once", () => {
    const at = table("starting", "aa");
    expect(duty(at)).toBe("show");
    expect(duty(at, { ...KEPT, promise: promiseOf(at, 0), isShown: true })).toBe("none");
  });

  it("shows it again if nobody knows whether that arrived", () => {
    const at = table("starting", "aa");
    expect(duty(at, { ...KEPT, promise: promiseOf(at, 0) })).toBe("show");
  });

  it("does not show it under another commitment", () => {
    expect(duty(table("starting", "aa", { commitment: "dd" }))).toBe("broken");
  });

  it("shows it for one promise only, whatever became of the answer", () => {
    const at = table("starting", "aa");
    const kept = { ...KEPT, promise: promiseOf(at, 0) };
    const ruleset = { ...at.ruleset, options: { ...at.ruleset.options, row_length: 1 } };
    const chairs = [...at.chairs, { seat: 1, kind: "person", nonce_hash: "ee" } as Chair];
    for (const changed of [{ ruleset }, { game: "t.2" }, { chairs }]) {
      expect(duty({ ...at, ...changed }, kept)).toBe("broken");
      expect(duty({ ...at, ...changed }, { ...kept, isShown: true })).toBe(
        "game" in changed ? "broken" : "none",
      );
    }
  });

  it("does not show another number for a start that was called off", () => {
    const earlier = [{ game: "t.1", commitment: "bb" }];
    expect(duty(table("starting", "aa"), { ...KEPT, earlier })).toBe("broken");
    const again = table("starting", "aa", { game: "t.2", commitment: "bb" });
    expect(duty(again, { ...KEPT, commitment: "bb", earlier })).toBe("broken");
    expect(duty(table("starting", "aa", { game: "t.2" }), { ...KEPT, earlier })).toBe("show");
  });

  it("has nothing to show for what another device promised", () => {
    expect(duty(table("starting", "bb"))).toBe("none");
    expect(duty(table("starting", null), null)).toBe("none");
  });

  it("has nothing to do in a running game", () => {
    expect(duty(table("running", "aa"))).toBe("none");
  });

  it("knows a changed hash at its seat", () => {
    expect(isAsPromised(KEPT, promiseOf(table("starting", "aa"), 0))).toBe(true);
    expect(isAsPromised(KEPT, promiseOf(table("starting", "bb"), 0))).toBe(false);
  });

  it("keeps everything that enters the key", () => {
    const promise = promiseOf(table("starting", "aa"), 0);
    expect(seenOf({ ...KEPT, promise })).toEqual({
      game: "t.1",
      ruleset: "jamaica row_length=0 hands_open=false",
      commitment: "cc",
      nonceHashes: ["aa"],
      nonce: "01",
      starts: 1,
      seat: null,
      shown: null,
      moves: null,
    });
  });

  it("keeps its number even if it is never asked to show it", () => {
    const seen = {
      game: null,
      ruleset: null,
      commitment: "cc",
      nonceHashes: null,
      nonce: "01",
      starts: 1,
      seat: null,
      shown: null,
      moves: null,
    };
    expect(seenOf(KEPT)).toEqual(seen);
  });

  it("counts the starts for which it showed a number", () => {
    const promise = promiseOf(table("starting", "aa"), 0);
    keep("t", { ...KEPT, promise });
    keepPledge("t", { nonce: "02", nonceHash: "bb" }, "dd");
    const kept = keptOf("t");
    expect(kept).toEqual({
      nonce: "02",
      nonceHash: "bb",
      commitment: "dd",
      promise: null,
      earlier: [{ game: "t.1", commitment: "cc" }],
    });
    expect(kept === null ? 0 : seenOf({ ...kept, promise }).starts).toBe(2);
    forget("t");
    expect(keptOf("t")).toBeNull();
  });

  it("leaves alone what another tab promised meanwhile, and what was forgotten", async () => {
    const shown = { ...table("starting", "aa"), id: "t" };
    const answered = (meanwhile: () => void): Promising =>
      new Promising({
        table: shown,
        seat: 0,
        command: () => {
          meanwhile();
          return Promise.resolve();
        },
      } as unknown as LiveTable);

    keep("t", KEPT);
    await answered(() => {
      keepPledge("t", { nonce: "02", nonceHash: "bb" }, "dd");
    }).look();
    const kept = keptOf("t");
    expect([kept?.nonceHash, kept?.promise, kept?.isShown]).toEqual(["bb", null, undefined]);
    const again = { ...table("starting", "bb", { commitment: "dd", game: "t.2" }), id: "t" };
    expect(duty(again, kept)).toBe("show");

    keep("t", KEPT);
    await answered(() => {
      forget("t");
    }).look();
    expect(keptOf("t")).toBeNull();

    keep("t", KEPT);
    await answered(() => undefined).look();
    expect(keptOf("t")).toEqual({ ...KEPT, promise: promiseOf(shown, 0), isShown: true });
  });

  it("knows a commitment that another table had", () => {
    keep("t", { ...KEPT, promise: promiseOf(table("starting", "aa"), 0) });
    expect(isUsedElsewhere("t", "cc")).toBe(false);
    expect(isUsedElsewhere("u", "cc")).toBe(true);
    expect(isUsedElsewhere("u", "dd")).toBe(false);
  });

  it("keeps the number that the seat has when two requests to join were answered", async () => {
    const hashes: string[] = [];
    const join = ({ nonce_hash = "" }): Promise<TableAnswer> => {
      hashes.push(nonce_hash);
      const current = { table: table("open", hashes[0] ?? null) };
      return Promise.resolve({ id: "t", current } as TableAnswer);
    };
    await withPledge(join);
    await withPledge(join);
    expect(keptOf("t")?.nonceHash).toBe(hashes[0]);
    expect(hashes).toHaveLength(2);
  });

  it("draws numbers of 32 bytes whose hash is SHA-256", async () => {
    const { nonce, nonceHash } = await drawPledge();
    const bytes = Uint8Array.from(nonce.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(bytes).toHaveLength(32);
    expect(nonceHash).toBe(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  });
});
