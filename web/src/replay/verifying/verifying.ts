/** Checking a finished game: everything that chance decided is drawn again and compared with the record. */

import type { Seen } from "../../connection/shuffle";
import { commitmentOf } from "./bytes";
import { compare, OF_KEPT, startOf } from "./comparing";
import { either, finding, type Claim, type Failure, type Finding } from "./findings";
import type { ShuffleRecord } from "./record";
import { Shuffle, type Segments } from "./shuffle";

export interface Verdict {
  findings: Finding[];
  /** What was not checked: nothing was kept of it, or, for `play`, the browser has no rules. */
  unchecked: Claim[];
  /** How many seats took part in the shuffle: with 0, the operator alone did. */
  nonces: number;
  /** The number of starts up to this one: all earlier ones were called off. */
  starts: number;
  holds: boolean;
}

/** A record that proves nothing: cards are unknown, or headers are missing. */
export interface Unproved {
  hidden: boolean;
  missing: string[];
}

/** The six printed segments, by the numbers of their signs; each may be laid either way round. */
const PRINTED: readonly (readonly number[])[] = [
  [0, 4, 2, 5, 1, 3],
  [5, 2, 4, 3, 0, 1],
  [4, 3, 1, 2, 5, 0],
  [1, 5, 0, 4, 3, 2],
  [3, 0, 5, 1, 2, 4],
  [2, 1, 3, 0, 4, 5],
];

/** What has to be in a record before anything can be checked. */
interface Proof extends ShuffleRecord {
  deal: number[];
  game: string;
  commitment: string;
  nonceHashes: (string | null)[];
  nonces: (string | null)[];
  secret: string;
}

/** Check a record against itself, and against what this browser saw before the deal if it took part. */
export async function verify(record: ShuffleRecord, seen: Seen | null): Promise<Verdict | Unproved> {
  const missing = missingIn(record);
  if (record.hidden || missing.length > 0) return { hidden: record.hidden, missing };
  // Nothing is missing.
  const proof = record as Proof;
  const kept = seen === null ? [] : compare(proof, seen);
  const findings = [...kept, ...(await ofProof(proof))];
  const compared = new Set(kept.map(({ claim }) => claim));
  return {
    findings,
    unchecked: [...OF_KEPT.filter((claim) => !compared.has(claim)), "play"],
    nonces: proof.nonces.filter((nonce) => nonce !== null).length,
    starts: Math.max(seen?.starts ?? 1, startOf(proof.game)),
    holds: findings.every(({ failure }) => failure === null),
  };
}

async function ofProof(proof: Proof): Promise<Finding[]> {
  const shuffle = await Shuffle.of(proof);
  const isPromised = (await commitmentOf(proof.secret)) === proof.commitment;
  const isFirst = (await shuffle.firstSeat()) === proof.firstSeat;
  return [
    either("secret", isPromised, "commitment_broken"),
    ...(await ofNonces(proof)),
    either("board", await isDrawnBoard(proof, shuffle), "board_differs"),
    either("first_seat", isFirst, "first_seat_differs"),
    either("deal", same(await shuffle.deal(proof.deal), proof.deal), "deal_differs"),
    ...(await ofRenewals(proof, shuffle)),
  ];
}

function missingIn(record: ShuffleRecord): string[] {
  const needed: [string, unknown][] = [
    // No shuffle proves a position that somebody set up.
    ["Deal", record.deal],
    ["Game", record.game],
    ["Commitment", record.commitment],
    ["Nonce hashes", record.nonceHashes],
    ["Nonces", record.nonces],
    ["Secret", record.secret],
  ];
  return needed.filter(([, value]) => value === null).map(([name]) => name);
}

async function ofNonces({ nonces, nonceHashes }: Proof): Promise<Finding[]> {
  if (nonces.length !== nonceHashes.length) return [finding("seats", "seats_differ")];
  const findings = [finding("seats", null)];
  for (const [seat, nonce] of nonces.entries()) {
    const promised = nonceHashes[seat] ?? null;
    if (nonce !== null || promised !== null)
      findings.push(finding("nonce", await failureOfNonce(promised, nonce), seat));
  }
  return findings;
}

async function failureOfNonce(promised: string | null, nonce: string | null): Promise<Failure | null> {
  if (promised === null) return "nonce_not_promised";
  if (nonce === null) return "nonce_missing";
  return (await commitmentOf(nonce)) === promised ? null : "nonce_differs";
}

async function ofRenewals({ renewals }: Proof, shuffle: Shuffle): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, order] of renewals.entries()) {
    const drawn = await shuffle.renewal(index + 1, order);
    findings.push(either("renewal", same(drawn, order), "renewal_differs", index + 1));
  }
  return findings;
}

async function isDrawnBoard({ family, board }: Proof, shuffle: Shuffle): Promise<boolean> {
  const drawn = family === "nest" ? await shuffle.pieces() : laid(await shuffle.segments());
  return same(drawn.flat(), board.flat());
}

function laid({ order, turned }: Segments): number[][] {
  return order.map((segment, place) => {
    const signs = PRINTED[segment] ?? [];
    return turned[place] === true ? [...signs].reverse() : [...signs];
  });
}

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
