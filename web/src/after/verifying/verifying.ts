/** Checking a finished game: everything chance decided is drawn again and compared with its record. */

import type { Promised } from "../../live/shuffle";
import { commitmentOf } from "./bytes";
import type { ShuffleRecord } from "./record";
import { Shuffle, type Segments } from "./shuffle";

/** What is checked; a nonce has its seat, a renewal its number. */
export type Claim = "kept" | "secret" | "seats" | "nonce" | "board" | "first_seat" | "deal" | "renewal";

/** One claim and whether it is true. */
export interface Finding {
  claim: Claim;
  /** The seat of a nonce, or the number of a renewal. */
  number: number | null;
  holds: boolean;
}

export interface Verdict {
  findings: Finding[];
  /** How many seats took part in the shuffle: with none, the operator alone did. */
  nonces: number;
  holds: boolean;
}

/** A record of which nothing can be proved: cards are unknown, or headers are missing. */
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
  game: string;
  commitment: string;
  nonceHashes: (string | null)[];
  nonces: (string | null)[];
  secret: string;
}

/** Check a record against itself, and against the promise that this browser kept if it took part. */
export async function verify(record: ShuffleRecord, kept: Promised | null): Promise<Verdict | Unproved> {
  const missing = missingIn(record);
  if (record.hidden || missing.length > 0) return { hidden: record.hidden, missing };
  // Nothing is missing.
  const proof = record as Proof;
  const shuffle = await Shuffle.of(proof);
  const findings = [
    ...(kept === null ? [] : [finding("kept", isAsKept(proof, kept))]),
    finding("secret", (await commitmentOf(proof.secret)) === proof.commitment),
    ...(await ofNonces(proof)),
    finding("board", await isDrawnBoard(proof, shuffle)),
    finding("first_seat", (await shuffle.firstSeat()) === proof.firstSeat),
    finding("deal", same(await shuffle.deal(proof.deal), proof.deal)),
    ...(await ofRenewals(proof, shuffle)),
  ];
  return {
    findings,
    nonces: proof.nonces.filter((nonce) => nonce !== null).length,
    holds: findings.every(({ holds }) => holds),
  };
}

function finding(claim: Claim, holds: boolean, number: number | null = null): Finding {
  return { claim, number, holds };
}

function isAsKept(proof: Proof, { game, commitment, nonceHashes }: Promised): boolean {
  const hashes = proof.nonceHashes.join(" ") === nonceHashes.join(" ");
  return game === proof.game && commitment === proof.commitment && hashes;
}

function missingIn(record: ShuffleRecord): string[] {
  const needed: [string, unknown][] = [
    ["Game", record.game],
    ["Commitment", record.commitment],
    ["Nonce hashes", record.nonceHashes],
    ["Nonces", record.nonces],
    ["Secret", record.secret],
  ];
  return needed.filter(([, value]) => value === null).map(([name]) => name);
}

async function ofNonces({ nonces, nonceHashes }: Proof): Promise<Finding[]> {
  if (nonces.length !== nonceHashes.length) return [finding("seats", false)];
  const findings = [finding("seats", true)];
  for (const [seat, nonce] of nonces.entries()) {
    const promised = nonceHashes[seat] ?? null;
    if (nonce === null && promised === null) continue;
    const shown = nonce === null ? null : await commitmentOf(nonce);
    findings.push(finding("nonce", shown === promised, seat));
  }
  return findings;
}

async function ofRenewals({ renewals }: Proof, shuffle: Shuffle): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, order] of renewals.entries()) {
    const drawn = await shuffle.renewal(index + 1, order);
    findings.push(finding("renewal", same(drawn, order), index + 1));
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
