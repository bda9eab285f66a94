/** A turn's happenings as lines of a log, in pieces that a screen can draw with signs and numbers. */

import type { Happening } from "../../api/messages";
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

/** The lines of one update. The end of a turn has no line: the next turn begins with its own heading. */
export function logLinesOf(happened: readonly Happening[]): LogLine[] {
  return happened.flatMap((each) => lineOf(each, happened));
}

function lineOf(each: Happening, all: readonly Happening[]): LogLine[] {
  switch (each.happening) {
    case "moved":
      return [movedLine(each, all)];
    case "sailed":
      return [{ kind: "sail", seat: each.seat, dock: each.dock, isFree: each.free }];
    case "trim_due":
      return [{ kind: "freebooter", surplus: each.surplus }];
    case "trim_shown":
      return each.cards.map(({ seat, card }) => ({ kind: "trim", seat, card }));
    case "row_laid":
      return [{ kind: "row", cards: each.cards }];
    case "renewed":
      return [{ kind: "renewed", size: each.size }];
    case "passed":
      return [{ kind: "pass", seat: each.seat, isForced: each.forced }];
    default:
      return endLine(each);
  }
}

function endLine(each: Happening): LogLine[] {
  switch (each.happening) {
    case "won":
      return [{ kind: "won", seat: each.seat }];
    case "dead":
      return [{ kind: "dead", winner: each.winner }];
    case "quiet":
      return [{ kind: "quiet", rounds: each.rounds }];
    default:
      return [];
  }
}

function movedLine(moved: Extract<Happening, { happening: "moved" }>, all: readonly Happening[]): LogLine {
  const { seat, crew, start: from, target: to } = moved;
  const played = all.find((each) => each.happening === "played");
  if (played !== undefined) return { kind: "play", seat, card: played.card, from, to };
  const cards = all.flatMap((each) => (each.happening === "drew" && each.seat === seat ? [each.card] : []));
  const drawn = { seat, from, to, gains: cards.length, cards };
  return crew === seat ? { kind: "retreat", ...drawn } : { kind: "push", crew, ...drawn };
}
