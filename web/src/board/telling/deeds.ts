/** What the others do, as the turn box says it while it is shown. */

import type { Happening } from "../../api/messages";
import { logLinesOf, type LogLine } from "./log";
import type { Teller } from "./words";

/** The sentences for the deeds of others in an update; null if there are none. */
export function tellDeeds(teller: Teller, happened: readonly Happening[]): string | null {
  const told = logLinesOf(happened).flatMap((line) => deedOf(teller, line) ?? []);
  return told.length === 0 ? null : told.join(" ");
}

type SeatLine = Extract<LogLine, { seat: number }>;

function deedOf(teller: Teller, line: LogLine): string | null {
  return "seat" in line && line.seat !== teller.people.you ? sentenceOf(teller, line) : null;
}

function sentenceOf(teller: Teller, line: SeatLine): string | null {
  const name = teller.otherName(line.seat);
  switch (line.kind) {
    case "play":
      return teller.say("deed.play", {
        name,
        card: teller.cardWithArticle(line.card),
        ...endsOf(teller, line),
      });
    case "retreat":
      return teller.count("deed.retreat", line.gains, { name, ...endsOf(teller, line) });
    case "push": {
      const crew = teller.otherName(line.crew);
      return teller.count("deed.push", line.gains, { name, crew, ...endsOf(teller, line) });
    }
    case "sail":
      return teller.say("deed.sail", { name, where: teller.atDock(line.dock) });
    case "trim":
      if (line.card === null) return teller.say("deed.trim_hidden", { name });
      return teller.say("deed.trim", { name, card: teller.card(line.card) });
    case "pass":
      return teller.say("deed.pass", { name });
    // The end of the game has words of its own.
    case "won":
      return null;
  }
}

function endsOf(teller: Teller, { from, to }: { from: number; to: number }): { from: string; to: string } {
  return { from: teller.from(from), to: teller.to(to) };
}
