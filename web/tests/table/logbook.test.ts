/** The log: turns, notes, undone actions. */

import { describe, expect, it } from "vitest";
import type { Happening, News } from "../../src/api/messages";
import type { Told } from "../../src/connection/history";
import { logOf, type LogItem } from "../../src/table/logbook";

function told(seq: number, turn: number, happened: Happening[], news: News | null = null): Told {
  return { seq, turn, happened, news, isPast: false };
}

const PLAYED: Happening[] = [
  { happening: "played", seat: 0, card: "key" },
  { happening: "moved", seat: 0, crew: 0, start: 0, target: 3 },
];
const RETREATED: Happening[] = [
  { happening: "moved", seat: 0, crew: 0, start: 9, target: 7 },
  { happening: "drew", seat: 0, card: "hat", from_row: true, turned_over: false },
];
const ENDED: Happening[] = [{ happening: "turn_ended", seat: 0, next_seat: 1 }];

/** The log in short: `3:0 play retreat~` for turn 3 of seat 0, `~` for an undone action. */
function short(items: LogItem[]): string[] {
  return items.map((item) => {
    if (item.kind === "news") return item.news.kind;
    if (item.kind === "note") return item.line.kind;
    const lines = item.lines.map(({ line, isUndone }) => line.kind + (isUndone ? "~" : ""));
    return `${item.turn}:${item.seat} ${lines.join(" ")}`;
  });
}

describe("the log", () => {
  it("puts the actions of a turn together", () => {
    expect(short(logOf([told(1, 3, PLAYED), told(2, 3, RETREATED)]))).toEqual(["3:0 play retreat"]);
  });

  it("begins anew with each turn, also inside one update", () => {
    const passed: Happening[] = [
      { happening: "passed", seat: 1, forced: true },
      { happening: "turn_ended", seat: 1, next_seat: 0 },
    ];
    const items = logOf([told(1, 3, PLAYED), told(2, 5, [...ENDED, ...passed]), told(3, 5, PLAYED)]);
    expect(short(items)).toEqual(["3:0 play", "4:1 pass", "5:0 play"]);
  });

  it("strikes what was undone, the last first, and goes on after it", () => {
    const undone = told(3, 3, [], { kind: "undone", seat: 0 });
    const items = logOf([
      told(1, 3, PLAYED),
      told(2, 3, RETREATED),
      undone,
      { ...undone, seq: 4 },
      told(5, 3, PLAYED),
    ]);
    expect(short(items)).toEqual(["3:0 play~ retreat~ play"]);
  });

  it("notes a new row after the retreat that took the last card", () => {
    const row: Happening = { happening: "row_laid", cards: ["key", "hat"] };
    expect(short(logOf([told(1, 3, [...RETREATED, row]), told(2, 3, PLAYED)]))).toEqual([
      "3:0 retreat play",
      "row",
    ]);
  });

  it("tells news of people, and leaves out those about numbers", () => {
    const news = (["sat", "promised", "nonce_shown", "began"] as const).map((kind, seq) =>
      told(seq, 0, [], { kind }),
    );
    expect(short(logOf(news))).toEqual(["sat", "began"]);
  });

  it("survives an undo of something it was never told", () => {
    expect(logOf([told(1, 3, [], { kind: "undone", seat: 0 })])).toEqual([]);
  });
});
