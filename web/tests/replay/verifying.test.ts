/** The shuffle in the browser: the published vectors, and whole records, give the service's results. */

import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fileOf, rulesetLine, type Seen } from "../../src/connection/shuffle";
import { hexOf } from "../../src/api/service";
import { bytesOf, commitmentOf, sha256, textBytes } from "../../src/replay/verifying/bytes";
import { CLAIMS, FAILURES, type Finding } from "../../src/replay/verifying/findings";
import { readRecord, UnreadableRecord } from "../../src/replay/verifying/record";
import { canonicalText, Shuffle, type Segments } from "../../src/replay/verifying/shuffle";
import { importKey, Stream } from "../../src/replay/verifying/stream";
import { verify, type Verdict } from "../../src/replay/verifying/verifying";

interface Vector {
  name: string;
  game_id: string;
  ruleset: string;
  nonces: (string | null)[];
  secret: string;
  nonce_hashes: (string | null)[];
  commitment: string;
  canonical_text: string;
  key: string;
  numbers: { purpose: string; below: number; first_ten: number[] }[];
  segments: Segments;
  pieces: number[][];
  first_seat: number;
  orders: { purpose: string; cards: number[]; order: number[] }[];
}

/** A record, what was kept from before the deal, and the expected findings. */
interface Found {
  name: string;
  record: string;
  kept: FileOfKept | null;
  failed: Finding[];
  unchecked: string[];
  starts: number;
}

/** The form in which every client writes what it kept. */
interface FileOfKept extends Omit<Seen, "nonceHashes"> {
  nonce_hashes: Seen["nonceHashes"];
}

/** The files that the service itself is tested with. */
const TESTS = new URL("../../../tests/", import.meta.url);
const { vectors } = JSON.parse(readFileSync(new URL("fairness/vectors.json", TESTS), "ascii")) as {
  vectors: Vector[];
};
const found = JSON.parse(readFileSync(new URL("fairness/findings.json", TESTS), "ascii")) as {
  claims: string[];
  failures: string[];
  vectors: Found[];
};
const RECORDS = new URL("records/", TESTS);
/** The records of finished games; the others have no secret yet. */
const records = readdirSync(RECORDS).filter(
  (name) => name.endsWith(".record") && recordText(name).includes("\nSecret:"),
);

function recordText(name: string): string {
  return readFileSync(new URL(name, RECORDS), "utf-8");
}

async function verdictOf(text: string, seen: Seen | null = null): Promise<Verdict> {
  const verdict = await verify(readRecord(text), seen);
  if (!("findings" in verdict)) throw new Error("nothing could be checked");
  return verdict;
}

async function failures(text: string): Promise<string[]> {
  return (await verdictOf(text)).findings.filter(({ failure }) => failure !== null).map(({ claim }) => claim);
}

describe.each(vectors)("the vector $name", (vector) => {
  const ingredients = {
    game: vector.game_id,
    ruleset: vector.ruleset,
    nonces: vector.nonces,
    secret: vector.secret,
  };

  it("has this text, key and hashes", async () => {
    expect(canonicalText(ingredients)).toBe(vector.canonical_text);
    expect(hexOf(await sha256(textBytes(vector.canonical_text)))).toBe(vector.key);
    expect(await commitmentOf(vector.secret)).toBe(vector.commitment);
    for (const [seat, nonce] of vector.nonces.entries()) {
      const hash = nonce === null ? null : await commitmentOf(nonce);
      expect(hash).toBe(vector.nonce_hashes[seat]);
    }
  });

  it("gives these numbers", async () => {
    const key = await importKey(bytesOf(vector.key));
    for (const { purpose, below, first_ten } of vector.numbers) {
      const stream = new Stream(key, purpose);
      const numbers: number[] = [];
      while (numbers.length < first_ten.length) numbers.push(await stream.number(below));
      expect(numbers).toEqual(first_ten);
    }
  });

  it("gives this board, first seat and these orders", async () => {
    const shuffle = await Shuffle.of(ingredients);
    expect(await shuffle.segments()).toEqual(vector.segments);
    expect(await shuffle.pieces()).toEqual(vector.pieces);
    expect(await shuffle.firstSeat()).toBe(vector.first_seat);
    for (const { purpose, cards, order } of vector.orders) {
      expect(await shuffle.stream(purpose).order(cards)).toEqual(order);
    }
  });
});

describe("what is found", () => {
  it("is said in the symbols of every client", () => {
    expect([...CLAIMS]).toEqual(found.claims);
    expect([...FAILURES]).toEqual(found.failures);
  });

  it.each(found.vectors)("in a record: $name", async ({ record, kept, failed, unchecked, starts }) => {
    const seen = kept === null ? null : seenIn(kept);
    const verdict = await verdictOf(record, seen);
    expect(verdict.findings.filter(({ failure }) => failure !== null)).toEqual(failed);
    expect(verdict.unchecked).toEqual([...unchecked, "play"]);
    expect(verdict.starts).toBe(starts);
    expect(verdict.holds).toBe(failed.length === 0);
    // The other clients read what this browser writes.
    if (kept !== null && seen !== null) expect(JSON.parse(fileOf(seen))).toEqual(kept);
  });

  it("compares the line of the ruleset that the table showed", () => {
    const [{ record, kept } = { record: "", kept: null }] = found.vectors;
    const [preset = "", ...words] = readRecord(record).ruleset.split(" ");
    const options = Object.fromEntries(words.map((word) => word.split("=") as [string, string]));
    expect(rulesetLine({ preset, family: "escape", options })).toBe(kept?.ruleset);
  });
});

function seenIn({ nonce_hashes, ...others }: FileOfKept): Seen {
  return { ...others, nonceHashes: nonce_hashes };
}

describe("a record", () => {
  it.each(records)("%s holds", async (name) => {
    const verdict = await verdictOf(recordText(name));
    expect(verdict.findings.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(verdict.holds).toBe(true);
  });

  const text = recordText("tortuga-2.record");

  it("with another first seat, board or deal does not hold", async () => {
    const other = /^First: red$/m.test(text) ? "blue" : "red";
    expect(await failures(text.replace(/^First: .*$/m, `First: ${other}`))).toEqual(["first_seat"]);
    const board = (_: string, first: string, rest: string): string => `Board:${rest} |${first}`;
    expect(await failures(text.replace(/^Board:([^|]*)\|(.*)$/m, board))).toEqual(["board"]);
    const turned = (_: string, cards: string): string => `Deal: ${cards.split(" ").reverse().join(" ")}`;
    expect(await failures(text.replace(/^Deal: (.*)$/m, turned))).toEqual(["deal"]);
  });

  it("with another secret breaks its promise and every draw", async () => {
    const broken = await failures(text.replace(/^Secret: .*$/m, `Secret: ${"0".repeat(64)}`));
    expect(broken).toContain("secret");
    expect(broken).toContain("deal");
  });

  it("that begins with a position has no deal to prove", async () => {
    const begun = text.replace(/^First: .*$/m, "Turn: 5 blue").replace(/^Deal: .*$/m, "Stock: none");
    expect(readRecord(begun)).toMatchObject({ firstSeat: 1, deal: null });
    expect(await verify(readRecord(begun), null)).toEqual({ hidden: false, missing: ["Deal"] });
  });

  it("of a view proves nothing", async () => {
    const view = text.replace(/^Deal: .*$/m, "Deal: ?*102").replace(/^(Secret|Nonces): .*\n/gm, "");
    expect(await verify(readRecord(view), null)).toEqual({ hidden: true, missing: ["Nonces", "Secret"] });
  });

  it("that is none is refused", () => {
    expect(() => readRecord("")).toThrow(UnreadableRecord);
    expect(() => readRecord(text.replace(/^First: .*$/m, "First: pink"))).toThrow("pink");
    expect(() => readRecord(text.replace(/^Deal: \w+/m, "Deal: parrot"))).toThrow("parrot");
  });
});
