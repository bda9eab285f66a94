/**
 * The story of a table: what was told, one deed after another, at a pace that can be followed.
 *
 * Board, turn box, log, announcements and sounds are drawn from here, so that they always agree. It may lag
 * behind the table, which decides what can be chosen; the reader's own deeds never wait.
 */

import type { Update } from "../api/messages";
import type { Mark } from "../board/marking";
import type { Told } from "../board/moving";
import { beatOf, lastTurns, lengthOf, marksOf, type Beat } from "./beats";
import type { Standing, Step } from "./standing";

/** A reader who falls further behind than this sees the end at once. */
const MOST_WAITING = 48;
/** More than the turns of four others, undos included. */
const KEPT = 80;
/** How long the position before a turn is seen when that turn is shown again. */
const AGAIN_MS = 600;

interface Waiting {
  beat: Beat;
  /** Whether it has been shown before. */
  isAgain: boolean;
}

export class Story {
  /** What board and turn box show; null before anything was heard. */
  shown: Standing | null = $state.raw(null);
  /** How far the story has come: log and result stay here while a turn is shown again. */
  latest: Standing | null = $state.raw(null);
  /** The last deeds that were shown, oldest first. */
  told: readonly Told[] = $state.raw([]);

  #truth: Standing | null = $state.raw(null);
  #kept: readonly Beat[] = $state.raw([]);
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeld = false;
  #count = 0;
  /** Where the story began, and how far the events before that are known. */
  #begun: Standing | null = null;
  #recalled: Standing | null = null;

  /** `tempo` says how many times the usual time the deeds of others take; 0 shows them at once. */
  constructor(private readonly tempo: () => number) {}

  /** Whether the shown position differs from the table's. */
  get isTelling(): boolean {
    return this.shown?.seq !== this.#truth?.seq;
  }

  /** Whether something has not been shown yet. */
  get isLate(): boolean {
    return this.latest?.seq !== this.#truth?.seq;
  }

  /** Whether deeds are known that can be marked and shown again. */
  get hasPast(): boolean {
    return this.#kept.length > 0;
  }

  /** The moves of the others since the reader acted, as far as they are shown. */
  readonly marks: readonly Mark[] = $derived.by(() => {
    const seq = this.shown?.seq ?? 0;
    return marksOf(this.#kept.filter(({ after }) => after.seq <= seq));
  });

  /** Take in what was heard. A state without events leading to it is shown at once. */
  hear({ standing, told, passed }: Step): void {
    const truth = this.#truth;
    this.#truth = standing;
    if (truth === null || told[0]?.seq !== truth.seq + 1) {
      if (standing.seq !== truth?.seq || standing.view !== truth.view) this.#jump(standing);
      return;
    }
    [truth, ...passed].forEach((before, index) => {
      const [update, after] = [told[index], passed[index]];
      if (update !== undefined && after !== undefined) this.#take(beatOf(update, before, after));
    });
  }

  /** Take in what happened before the page was opened: it can be shown again, and stays marked. */
  recall(update: Update): void {
    const [begun, before] = [this.#begun, this.#recalled];
    if (begun === null || update.seq > begun.seq || update.seq === before?.seq) return;
    const view = update.view ?? before?.view ?? null;
    const after = { ...begun, seq: update.seq, view, wishes: null };
    this.#recalled = after;
    if (before?.seq === update.seq - 1) this.#keep(beatOf(update, before, after));
  }

  /** Show everything that waits, at once. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { beat, isAgain } of this.#waiting.splice(0)) if (!isAgain) this.#show(beat, isAgain, 0);
    this.shown = this.latest;
  }

  /** Drop everything that was heard: somebody else looks at the page now. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#kept = [];
    this.told = [];
    this.shown = this.latest = this.#truth = null;
    this.#begun = this.#recalled = null;
  }

  /** Show no deed of others until the returned function is called, or the reader wants to see everything. */
  hold(): () => void {
    this.#isHeld = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return () => {
      this.#isHeld = false;
      this.#next();
    };
  }

  /** Show the last turns of the others again; false if none are known. */
  again(): boolean {
    this.finish();
    const beats = lastTurns(this.#kept);
    if (beats[0] === undefined) return false;
    this.shown = beats[0].before;
    this.#waiting = beats.map((beat) => ({ beat, isAgain: true }));
    this.#wait(AGAIN_MS);
    return true;
  }

  #take(beat: Beat): void {
    if (beat.isOwn) this.#showOwn(beat);
    else {
      this.#waiting.push({ beat, isAgain: false });
      if (this.tempo() === 0 || this.#waiting.length > MOST_WAITING) this.finish();
      else if (this.#timer === undefined && !this.#isHeld) this.#next();
    }
  }

  /** The reader's deed waits for nothing, but those of others wait until the reader's pirate has arrived. */
  #showOwn(beat: Beat): void {
    const length = this.tempo() === 0 ? 0 : lengthOf(beat);
    // The end of a turn takes no time and cuts no move short.
    if (length > 0 || this.#waiting.length > 0) this.finish();
    this.#show(beat, false, 1);
    if (length > 0) this.#wait(length);
  }

  #next(): void {
    this.#timer = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.shown = this.latest;
      return;
    }
    // A reader who asks to see a turn again wants to see it move.
    const tempo = this.tempo() || (next.isAgain ? 1 : 0);
    this.#show(next.beat, next.isAgain, tempo);
    this.#wait(tempo === 0 ? 0 : tempo * lengthOf(next.beat));
  }

  #show(beat: Beat, isAgain: boolean, tempo: number): void {
    const { after, happenings } = beat;
    this.shown = after;
    if (!isAgain) {
      this.latest = after;
      this.#keep(beat);
    }
    if (happenings.length === 0 || after.view === null) return;
    const told = { seq: this.#count++, happenings, view: after.view, tempo };
    this.told = [...this.told, told].slice(-KEPT);
  }

  #keep(beat: Beat): void {
    this.#kept = [...this.#kept, beat].sort((one, other) => one.after.seq - other.after.seq).slice(-KEPT);
  }

  #wait(milliseconds: number): void {
    if (this.#isHeld) return;
    if (milliseconds > 0) this.#timer = setTimeout(() => this.#next(), milliseconds);
    else this.#next();
  }

  #jump(standing: Standing): void {
    this.finish();
    this.#kept = [];
    this.#recalled = null;
    this.#begun = standing;
    this.shown = standing;
    this.latest = standing;
  }
}
