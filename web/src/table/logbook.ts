/** The log of a game: turns with their actions, undone ones struck out, and notes in between. */

import type { Happening, News } from "../api/messages";
import { logLinesOf, type LogLine } from "../board/telling";
import type { Told } from "../connection/history";

/** What a seat did. */
export type SeatLine = Extract<LogLine, { kind: "play" | "retreat" | "push" | "sail" | "trim" | "pass" }>;
/** What happened without an action: a new row, the end. */
export type NoteLine = Exclude<LogLine, SeatLine>;

export interface LoggedLine {
  line: SeatLine;
  isUndone: boolean;
}

export interface LoggedTurn {
  kind: "turn";
  id: string;
  turn: number;
  seat: number;
  lines: LoggedLine[];
}

export interface LoggedNote {
  kind: "note";
  id: string;
  line: NoteLine;
}

export interface LoggedNews {
  kind: "news";
  id: string;
  news: News;
}

export type LogItem = LoggedTurn | LoggedNote | LoggedNews;

/** Whether each kind of news has a line: the log is about people, not numbers, and strikes undone actions. */
const LOGGED: Readonly<Record<News["kind"], boolean>> = {
  opened: false,
  sat: true,
  left: true,
  kicked: true,
  bot_added: true,
  bot_removed: true,
  settings_changed: false,
  reordered: true,
  promised: false,
  started: true,
  nonce_shown: false,
  called_off: true,
  began: true,
  undone: false,
  resigned: true,
  expired: true,
  taken_back: true,
  abandon_asked: true,
  abandon_withdrawn: true,
  abandoned: true,
  rematch: true,
  muted: true,
  unmuted: true,
  closed: true,
  renamed: false,
  hurried: true,
};

/** Terms are numbers, except for the permission to ask for hints. */
function isLogged({ kind, text }: News): boolean {
  return LOGGED[kind] || (kind === "settings_changed" && text != null);
}

/** The log of everything told, oldest first. */
export function logOf(history: readonly Told[]): LogItem[] {
  const items: LogItem[] = [];
  for (const told of history) {
    if (told.news?.kind === "undone") strikeLast(items);
    else if (told.news !== null && isLogged(told.news)) {
      items.push({ kind: "news", id: `${told.seq}`, news: told.news });
    }
    addHappened(items, told);
  }
  return items;
}

/** Strike out the last action that still counts; only the running turn can lose one. */
function strikeLast(items: LogItem[]): void {
  const turn = items.findLast((item) => item.kind === "turn");
  const line = turn?.lines.findLast(({ isUndone }) => !isUndone);
  if (line !== undefined) line.isUndone = true;
}

function addHappened(items: LogItem[], { seq, turn, happened }: Told): void {
  const turns = byTurn(happened);
  turns.forEach((part, index) => {
    // `turn` is the turn after the update: the last part belongs to it.
    const number = (turn ?? 0) - (turns.length - 1 - index);
    logLinesOf(part).forEach((line, place) => {
      const id = `${seq}.${index}.${place}`;
      if (isSeatLine(line)) turnOf(items, id, number, line.seat).lines.push({ line, isUndone: false });
      else items.push({ kind: "note", id, line });
    });
  });
}

/** Happenings, split after each end of a turn. */
function byTurn(happened: readonly Happening[]): Happening[][] {
  const parts: Happening[][] = [[]];
  for (const each of happened) {
    parts.at(-1)?.push(each);
    if (each.happening === "turn_ended") parts.push([]);
  }
  return parts;
}

function isSeatLine(line: LogLine): line is SeatLine {
  return "seat" in line && line.kind !== "won";
}

function turnOf(items: LogItem[], id: string, turn: number, seat: number): LoggedTurn {
  const last = items.findLast((item) => item.kind === "turn");
  if (last?.turn === turn && last.seat === seat) return last;
  const begun: LoggedTurn = { kind: "turn", id, turn, seat, lines: [] };
  items.push(begun);
  return begun;
}
