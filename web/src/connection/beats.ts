/** The deeds of a game as pieces of a story: who did what, and the table before and after. */

import type { Happening, Update } from "../api/messages";
import type { Mark } from "../board/marking";
import { beforeOf, travelTime } from "../board/moving";
import { isPlayedByBot } from "./names";
import type { Standing } from "./standing";

export interface Beat {
  readonly before: Standing;
  readonly after: Standing;
  readonly happenings: readonly Happening[];
  /** The seat that acted; null for news of the table. */
  readonly seat: number | null;
  /** Whether the reader did it, and not a bot in their place. */
  readonly isOwn: boolean;
  readonly isUndo: boolean;
}

/** How long a deed stays before the next one, once everything has arrived. */
const READING_MS = 500;

/** An update as a beat, given the standings around it. */
export function beatOf({ happened = [], news }: Update, before: Standing, after: Standing): Beat {
  const isUndo = news?.kind === "undone";
  const seat = isUndo ? (news.seat ?? null) : actorOf(happened);
  return { before, after, happenings: happened, seat, isOwn: isOwn(seat, after), isUndo };
}

/** How many milliseconds a beat takes at the usual tempo; the end of a turn takes none. */
export function lengthOf({ before, happenings }: Beat): number {
  const isSeen = happenings.some(({ happening }) => happening !== "turn_ended");
  if (before.view === null || !isSeen) return 0;
  return travelTime(happenings, beforeOf(before.view)) + READING_MS;
}

/** What the others did since the reader acted, at most one round. */
export function sinceOwn(beats: readonly Beat[]): readonly Beat[] {
  const others = beats.slice(beats.findLastIndex((beat) => beat.isOwn) + 1);
  const view = others.at(-1)?.before.view;
  if (view == null) return [];
  const first = view.turn - (view.pirates.length - 2);
  return others.filter(({ before }) => (before.view?.turn ?? 0) >= first);
}

/** The last turns of the others, also after the reader has acted again. */
export function lastTurns(beats: readonly Beat[]): readonly Beat[] {
  const last = beats.findLastIndex(
    ({ seat, isOwn, happenings }) => seat !== null && !isOwn && happenings.length > 0,
  );
  return sinceOwn(beats.slice(0, last + 1));
}

/** The marks of the others' moves since the reader acted, numbered as the actions of each turn. */
export function marksOf(beats: readonly Beat[]): Mark[] {
  const marks: Mark[] = [];
  for (const { before, after, happenings, seat, isUndo } of sinceOwn(beats)) {
    if (isUndo) takeBack(marks, seat, after.view?.actions_used ?? 0);
    for (const each of happenings) {
      if (each.happening !== "moved") continue;
      const number = (before.view?.actions_used ?? 0) + 1;
      marks.push({ seat: each.seat, number, from: each.start, to: each.target });
    }
  }
  return marks;
}

/** An undo leaves the first `left` actions of the running turn. */
function takeBack(marks: Mark[], seat: number | null, left: number): void {
  for (let last = marks.at(-1); last?.seat === seat && last.number > left; last = marks.at(-1)) marks.pop();
}

function actorOf(happened: readonly Happening[]): number | null {
  const deed = happened.find((each) => "seat" in each);
  return deed === undefined ? null : deed.seat;
}

function isOwn(seat: number | null, { view, table }: Standing): boolean {
  if (seat === null || view?.seat !== seat) return false;
  const chair = table.chairs[seat];
  return chair === undefined || !isPlayedByBot(chair);
}
