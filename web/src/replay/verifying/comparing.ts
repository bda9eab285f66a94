/** Comparing a record with what this browser saw and did at the table. */

import type { Seen } from "../../connection/shuffle";
import { either, finding, type Claim, type Failure, type Finding } from "./findings";
import { areMade, differenceOf, isOnAnotherSeat, type RecordedGame } from "./playing";

/** What a record says about the game and everything that enters the key. */
export interface Recorded extends RecordedGame {
  game: string;
  commitment: string;
  nonceHashes: readonly (string | null)[];
}

/** What is found for each thing that was seen; null for what was not. */
const COMPARED: Record<string, (record: Recorded, seen: Seen) => Finding | null> = {
  game: (record, { game }) => (game === null ? null : finding("game", failureOfGame(record.game, game))),
  ruleset: (record, { ruleset }) =>
    ruleset === null ? null : either("ruleset", record.ruleset === ruleset, "ruleset_differs"),
  commitment: (record, { commitment }) =>
    commitment === null ? null : either("commitment", record.commitment === commitment, "commitment_differs"),
  nonce_hashes: (record, { nonceHashes }) =>
    nonceHashes === null ? null : finding("nonce_hashes", failureOfHashes(record.nonceHashes, nonceHashes)),
  own_nonce: (record, { nonce }) =>
    nonce === null ? null : either("own_nonce", record.nonces.includes(nonce), "nonce_left_out"),
  shown_deal: (record, { nonce, seat, shown }) => {
    if (shown === null) return null;
    const isMoved = isOnAnotherSeat(record, nonce, seat);
    return finding("shown_deal", isMoved ? "shown_seat_differs" : differenceOf(record, shown));
  },
  own_moves: (record, { seat, moves }) =>
    seat === null || moves === null
      ? null
      : either("own_moves", areMade(record, seat, moves), "own_moves_differ"),
};

/** The claims that only a browser can check that kept something. */
export const OF_KEPT = Object.keys(COMPARED) as Claim[];

/** A finding for everything that was seen, in the order of the list. */
export function compare(record: Recorded, seen: Seen): Finding[] {
  const findings = Object.values(COMPARED).map((answer) => answer(record, seen));
  return findings.filter((one) => one !== null);
}

/** Which start of its table the name of a game means; 1 if it names none. */
export function startOf(game: string): number {
  return Number(/\.(\d{1,9})$/.exec(game)?.[1] ?? 1);
}

function failureOfGame(recorded: string, seen: string): Failure | null {
  if (recorded === seen) return null;
  return tableOf(seen) !== "" && tableOf(seen) === tableOf(recorded) ? "start_differs" : "game_differs";
}

function tableOf(game: string): string {
  return game.slice(0, Math.max(0, game.lastIndexOf(".")));
}

function failureOfHashes(
  recorded: readonly (string | null)[],
  seen: readonly (string | null)[],
): Failure | null {
  if (recorded.length !== seen.length) return "seats_differ";
  if (textOf(recorded) === textOf(seen)) return null;
  const sorted = [recorded, seen].map((hashes) => textOf(hashes.map(String).sort()));
  return sorted[0] === sorted[1] ? "seats_reordered" : "nonce_hash_differs";
}

function textOf(hashes: readonly (string | null)[]): string {
  return hashes.map((hash) => hash ?? "-").join(" ");
}
