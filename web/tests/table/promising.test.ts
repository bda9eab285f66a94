/** The part of a seat in the shuffle: when to promise, when to show, and when not. */

import { describe, expect, it } from "vitest";
import type { Chair, Table } from "../../src/api/messages";
import { drawPledge, isAsPromised, promiseOf, type Kept } from "../../src/live/shuffle";
import { dutyOf } from "../../src/table/promising";

const KEPT: Kept = { nonce: "01", nonceHash: "aa", commitment: "cc", promise: null };

function table(stage: Table["stage"], hash: string | null, more: Partial<Table> = {}): Table {
  const chairs = [{ seat: 0, kind: "person", nonce_hash: hash } as Chair];
  return { stage, chairs, game: "t.1", commitment: "cc", starts: 0, ...more } as Table;
}

function duty(at: Table, kept: Kept | null = KEPT, promised = false): string {
  const [chair] = at.chairs;
  if (chair === undefined) throw new Error("no chair");
  return dutyOf(at, chair, kept, promised);
}

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

  it("draws numbers of 32 bytes whose hash is SHA-256", async () => {
    const { nonce, nonceHash } = await drawPledge();
    const bytes = Uint8Array.from(nonce.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(bytes).toHaveLength(32);
    expect(nonceHash).toBe(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  });
});
