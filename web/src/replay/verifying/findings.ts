/** The only list of checks and failures; `tests/fairness/findings.json` holds it to the service's. */

/** What is checked; first the claims that need something kept from the game. */
export const CLAIMS = [
  "game",
  "ruleset",
  "commitment",
  "nonce_hashes",
  "own_nonce",
  "shown_deal",
  "own_moves",
  "play",
  "secret",
  "seats",
  "nonce",
  "board",
  "first_seat",
  "deal",
  "renewal",
] as const;
export type Claim = (typeof CLAIMS)[number];

/** How a claim is false. */
export const FAILURES = [
  "game_differs",
  "start_differs",
  "ruleset_differs",
  "commitment_differs",
  "seats_differ",
  "seats_reordered",
  "nonce_hash_differs",
  "nonce_left_out",
  "shown_seat_differs",
  "shown_board_differs",
  "shown_first_seat_differs",
  "shown_hand_differs",
  "shown_row_differs",
  "own_moves_differ",
  "play_broken",
  "commitment_broken",
  "nonce_missing",
  "nonce_differs",
  "nonce_not_promised",
  "board_differs",
  "first_seat_differs",
  "deal_differs",
  "renewal_differs",
] as const;
export type Failure = (typeof FAILURES)[number];

/** One claim, and how it is false; null if it is true. */
export interface Finding {
  claim: Claim;
  /** The seat of a nonce, or the number of a renewal. */
  number: number | null;
  failure: Failure | null;
}

/** What was found of a claim. */
export function finding(claim: Claim, failure: Failure | null, number: number | null = null): Finding {
  return { claim, number, failure };
}

/** What was found of a claim that is either true or false in one way. */
export function either(
  claim: Claim,
  holds: boolean,
  failure: Failure,
  number: number | null = null,
): Finding {
  return finding(claim, holds ? null : failure, number);
}
