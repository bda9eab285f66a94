/** Where in the game the reader is, and automatic playback. */

import type { Told } from "../../board/moving";
import { turnsOf, type Moment, type Moments } from "./moments";

/** How long a moment is shown at the usual speed. */
const MOMENT_MS = 1100;
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** What the six buttons and their keys do. */
export type Move = "first" | "turnBack" | "back" | "forward" | "turnForward" | "last";

export class Player {
  index = $state(0);
  /** What travels on the board: only a step forward that leaves enough time for it. */
  told: readonly Told[] = $state.raw([]);
  isPlaying = $state(false);
  speed: Speed = $state(1);
  moments: Readonly<Moments>;
  readonly #turns = $derived.by(() => turnsOf(this.moments));
  #steps = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(moments: Readonly<Moments>, start: number) {
    this.moments = $state.raw(moments);
    this.index = this.#inside(start);
  }

  /** Go on in another line of the same game. */
  follow(moments: Readonly<Moments>, index: number): void {
    this.pause();
    this.moments = moments;
    this.#go(index);
  }

  /** The moment that is shown. */
  get moment(): Moment {
    return this.moments[this.index] ?? this.moments[0];
  }

  get isAtEnd(): boolean {
    return this.index === this.moments.length - 1;
  }

  /** How many turns there are. */
  get turns(): number {
    return this.moments.at(-1)?.turn ?? 0;
  }

  /** Where the turn of the shown moment begins and ends. */
  get turn(): { first: number; last: number } {
    return this.#turns.get(this.moment.turn) ?? { first: 0, last: 0 };
  }

  /** Show a moment and pause: a reader who picks a moment wants to stay there. */
  show(index: number): void {
    this.pause();
    this.#go(index);
  }

  move(move: Move): void {
    this.show(this.goalOf(move));
  }

  /** Which moment a button leads to. */
  goalOf(move: Move): number {
    switch (move) {
      case "first":
        return 0;
      case "turnBack":
        return this.#turnBack();
      case "back":
        return this.#inside(this.index - 1);
      case "forward":
        return this.#inside(this.index + 1);
      case "turnForward":
        return this.#inside(this.turn.last + 1);
      case "last":
        return this.moments.length - 1;
    }
  }

  /** Start playback, from the beginning if the game is at its end; or stop it. */
  toggle(): void {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.isAtEnd) this.#go(0);
    this.isPlaying = true;
    this.#wait();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  /** First to the beginning of the shown turn, then to the turns before it. */
  #turnBack(): number {
    const { first } = this.turn;
    if (this.index > first) return first;
    const before = this.moments[first - 1];
    return before === undefined ? 0 : (this.#turns.get(before.turn)?.first ?? 0);
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#go(this.index + 1);
      if (this.isAtEnd) this.pause();
      else this.#wait();
    }, MOMENT_MS / this.speed);
  }

  #go(index: number): void {
    const goal = this.#inside(index);
    const isStep = goal === this.index + 1 && this.speed <= 1;
    this.told = isStep ? [{ seq: ++this.#steps, happenings: this.moments[goal]?.happened ?? [] }] : [];
    this.index = goal;
  }

  #inside(index: number): number {
    return Math.min(Math.max(0, index), this.moments.length - 1);
  }
}
