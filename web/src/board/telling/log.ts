/** A turn's happenings as lines of a log, in pieces that a screen can draw with signs and numbers. */

import type { Happening } from "../../api/messages";
import { decided, type ByHappening, type HappeningOf } from "../happenings";
import type { Place } from "../places";

export type LogLine =
  | { kind: "play"; seat: number; card: string; from: Place; to: Place }
  | { kind: "retreat"; seat: number; from: Place; to: Place; gains: number; cards: (string | null)[] }
  | {
      kind: "push";
      seat: number;
      crew: number;
      from: Place;
      to: Place;
      gains: number;
      cards: (string | null)[];
    }
  | { kind: "sail"; seat: number; dock: number; isFree: boolean }
  | { kind: "trim"; seat: number; card: string | null }
  | { kind: "freebooter"; surplus: number[] }
  | { kind: "row"; cards: string[] }
  | { kind: "renewed"; size: number }
  | { kind: "pass"; seat: number; isForced: boolean }
  | { kind: "won"; seat: number }
  | { kind: "dead"; winner: number | null }
  | { kind: "quiet"; rounds: number };

/** The lines of each kind of happening. The end of a turn has none: the next turn begins with its own heading. */
const LINES: ByHappening<[readonly Happening[]], LogLine[]> = {
  played: () => [],
  moved: (each, all) => [movedLine(each, all)],
  drew: () => [],
  row_laid: ({ cards }) => [{ kind: "row", cards }],
  renewed: ({ size }) => [{ kind: "renewed", size }],
  sailed: ({ seat, dock, free }) => [{ kind: "sail", seat, dock, isFree: free }],
  trim_due: ({ surplus }) => [{ kind: "freebooter", surplus }],
  trimmed: () => [],
  trim_shown: ({ cards }) => cards.map(({ seat, card }) => ({ kind: "trim", seat, card })),
  passed: ({ seat, forced }) => [{ kind: "pass", seat, isForced: forced }],
  turn_ended: () => [],
  won: ({ seat }) => [{ kind: "won", seat }],
  dead: ({ winner }) => [{ kind: "dead", winner }],
  quiet: ({ rounds }) => [{ kind: "quiet", rounds }],
};

/** The lines of one update. */
export function logLinesOf(happened: readonly Happening[]): LogLine[] {
  return happened.flatMap((each) => decided(LINES, each, happened) ?? []);
}

function movedLine(moved: HappeningOf<"moved">, all: readonly Happening[]): LogLine {
  const { seat, crew, start: from, target: to } = moved;
  const played = all.find((each) => each.happening === "played");
  if (played !== undefined) return { kind: "play", seat, card: played.card, from, to };
  const cards = all.flatMap((each) => (each.happening === "drew" && each.seat === seat ? [each.card] : []));
  const drawn = { seat, from, to, gains: cards.length, cards };
  return crew === seat ? { kind: "retreat", ...drawn } : { kind: "push", crew, ...drawn };
}
