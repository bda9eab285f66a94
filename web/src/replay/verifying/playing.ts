/** The game of a record: the table after its deal, and who chose what; compared with what a seat saw and did. */

import { CAPTAIN_SAIL, END_TURN, playCode, pushCode, retreatCode, SAIL, trimCode } from "../../board/codes";
import { HOME, placeOf, sloopOf, START, type Place } from "../../board/places";
import type { Shown } from "../../connection/witness";
import type { Failure } from "./findings";
import { COLOURS, wordOf, type Family, type ShuffleRecord } from "./record";

/** What a record says of its game. */
export interface RecordedGame extends Pick<
  ShuffleRecord,
  "family" | "ruleset" | "board" | "firstSeat" | "turns"
> {
  deal: readonly number[];
  nonces: readonly (string | null)[];
}

/** Whether a number is recorded at another seat than its player's: then the hands were chosen, not dealt. */
export function isOnAnotherSeat(
  { nonces }: RecordedGame,
  nonce: string | null,
  seat: number | null,
): boolean {
  return nonce !== null && seat !== null && nonces.includes(nonce) && nonces[seat] !== nonce;
}

/** The first part of what was shown that differs in the record; null if nothing does. */
export function differenceOf(record: RecordedGame, shown: Shown): Failure | null {
  const dealt = dealOf(record);
  if (!isSame(shown.board, dealt.board)) return "shown_board_differs";
  if (shown.first_seat !== dealt.first_seat) return "shown_first_seat_differs";
  const isDealt = (hand: string[] | null, seat: number): boolean =>
    hand === null || isSame([...hand].sort(), [...(dealt.hands[seat] ?? [])].sort());
  if (!shown.hands.every(isDealt)) return "shown_hand_differs";
  return isSame(shown.row, dealt.row) ? null : "shown_row_differs";
}

/** Whether a seat made these choices in this order; others may have chosen for it in between. */
export function areMade(
  { family, turns }: RecordedGame,
  seat: number,
  moves: readonly (readonly [number, number])[],
): boolean {
  const made = turns.flatMap((line) => choicesOf(family, line, seat));
  let next = 0;
  for (const [turn, code] of made) if (moves[next]?.[0] === turn && moves[next]?.[1] === code) next += 1;
  return next === moves.length;
}

/** Hands are dealt whole, from seat 0 on; then the row is laid. */
function dealOf({ family, ruleset, board, firstSeat, deal, nonces }: RecordedGame): Shown {
  const words = deal.map((card) => wordOf(family, card));
  const size = optionOf(ruleset, "hand_size");
  const dealt = size * nonces.length;
  return {
    board: board.flat().map((sign) => wordOf(family, sign)),
    first_seat: firstSeat,
    hands: nonces.map((_, seat) => words.slice(seat * size, (seat + 1) * size)),
    row: words.slice(dealt, dealt + optionOf(ruleset, "row_length")),
  };
}

function optionOf(ruleset: string, name: string): number {
  return Number(new RegExp(` ${name}=(\\d+)`).exec(ruleset)?.[1] ?? 0);
}

/** The turn and the code of what a seat chose in a line such as `3 red: play hat 4 [order: key hat]; end_turn`. */
function choicesOf(family: Family, line: string, seat: number): [turn: number, code: number | null][] {
  const [, turn = "", colour = "", actions = ""] = /^(\d+) (\w+): (.*)$/.exec(line) ?? [];
  if (COLOURS.indexOf(colour) !== seat) return [];
  const texts = actions.replace(/\[[^\]]*\]/g, "").split(";");
  return texts.map((text) => [Number(turn), codeOf(family, text.trim().split(/\s+/))]);
}

function codeOf(family: Family, [kind, one = "", other = ""]: string[]): number | null {
  if (kind === "play") return playCode(family, one, placeNamed(family, other));
  if (kind === "retreat") return retreatCode(placeNamed(family, one));
  if (kind === "push") return pushCode(COLOURS.indexOf(one), placeNamed(family, other));
  if (kind === "trim") return trimCode(one);
  return { sail: SAIL, captain_sail: CAPTAIN_SAIL, end_turn: END_TURN }[kind ?? ""] ?? null;
}

function placeNamed(family: Family, word: string): Place {
  const named: Record<string, Place> = { start: START, sloop: sloopOf(family), nest: HOME };
  return named[word] ?? placeOf(family, Number(word));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
