/** What the board shows while pirates are on their way; the view is the truth, and the stage follows it. */

import type { Happening, View } from "../api/messages";
import { rowAfter, type Flight } from "../board/flying";
import {
  beforeOf,
  BETWEEN_ACTIONS,
  paced,
  stilled,
  travelsOf,
  walked,
  without,
  type Before,
  type Told,
  type Travel,
  type Walk,
} from "../board/moving";

/** A reader who falls further behind than this sees the end at once. */
const MOST_WAITING = 16;
/** How long the route is shown instead of the walk, with reduced motion. */
const TRACE_MS = 1500;

type Pirates = readonly (readonly number[])[];

export class Stage {
  /** The standing pirates; the one that travels is not among them. */
  pirates: Pirates = $state.raw([]);
  dock: number | null = $state.raw(null);
  walk: Walk | null = $state.raw(null);
  /** The route of the last pirate, shown for a while when its walk is not. */
  trace: { from: number; to: number; isBack: boolean } | null = $state.raw(null);
  /** Whether the sloop has left with the winner. It stays away until the final position is shown. */
  isAway: boolean = $state(false);
  /** Whether things fade out in one place and in at the other instead of travelling. */
  isStill: boolean = $state(false);

  #waiting: Travel[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tracing: ReturnType<typeof setTimeout> | undefined;
  #truth: View;
  /** The table once everything that waits has been shown. */
  #ahead: Before;

  /** `fly` is called with cards when they start. */
  constructor(
    view: View,
    private readonly fly: (flights: readonly Flight[], isStill: boolean) => void = () => undefined,
  ) {
    this.#truth = view;
    this.#ahead = beforeOf(view);
    this.#settle();
  }

  /** Take a new view; what happened on the way to it travels, or fades with reduced motion. */
  show(view: View, told: readonly Told[], isStill: boolean): void {
    this.#truth = view;
    this.isStill = isStill;
    const jump = told.findLastIndex(({ tempo }) => tempo === 0);
    if (jump >= 0) this.#finishAt(told[jump]?.view ?? view);
    const travels = told
      .slice(jump + 1)
      .flatMap(({ happenings, tempo = 1 }) => this.#plan(happenings).map((each) => paced(each, tempo)));
    this.#waiting.push(...(isStill ? travels.map(stilled) : travels));
    if (travels.length === 0) this.#stay(told.length === 0);
    else if (this.#waiting.length > MOST_WAITING) this.finish();
    else if (!this.#isBusy) this.#next();
  }

  /** The traveller has arrived. */
  arrived(): void {
    const { walk } = this;
    if (walk === null) return;
    this.pirates = this.pirates.map((places, crew) => (crew === walk.crew ? [...places, walk.to] : places));
    this.walk = null;
    if (this.#waiting.length === 0) this.#settle();
    else this.#pause(this.#waiting[0]?.kind === "leaving" ? 0 : BETWEEN_ACTIONS);
  }

  /** Show the current position at once. */
  finish(): void {
    this.#finishAt(this.#truth);
  }

  #finishAt(view: View): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#tracing);
    this.#timer = undefined;
    this.#waiting = [];
    this.trace = null;
    this.isAway = false;
    this.#settle(view);
  }

  get #isBusy(): boolean {
    return this.walk !== null || this.#timer !== undefined;
  }

  /** Nothing new travels. A view without events is another position; otherwise what is moving goes on. */
  #stay(isUntold: boolean): void {
    if (this.isAway && this.#truth.ending !== null) return;
    if (isUntold || !this.#isBusy) this.finish();
  }

  #plan(happenings: readonly Happening[]): Travel[] {
    const travels = travelsOf(happenings, this.#ahead);
    const { row } = this.#ahead;
    const pirates = travels.reduce(
      (now, travel) => (travel.kind === "walk" ? walked(now, travel) : now),
      this.#ahead.pirates,
    );
    this.#ahead = { ...this.#ahead, pirates, row: { ...row, left: rowAfter(happenings, row.left) } };
    return travels;
  }

  #next(): void {
    this.#timer = undefined;
    const travel = this.#waiting.shift();
    if (travel === undefined) this.#settle();
    else if (travel.kind === "walk") this.#begin(travel);
    else {
      this.#start(travel);
      // Cards that start together with a pirate take no time of their own.
      if (travel.milliseconds === 0) this.#next();
      else this.#pause(travel.milliseconds);
    }
  }

  /** Start something that is not a pirate. */
  #start(travel: Exclude<Travel, Walk>): void {
    switch (travel.kind) {
      case "cards":
        this.fly(travel.flights, this.isStill);
        return;
      case "crossing":
        this.dock = travel.dock;
        return;
      case "leaving":
        this.isAway = true;
    }
  }

  #begin(walk: Walk): void {
    this.pirates = without(this.pirates, walk);
    this.walk = walk;
    if (!this.isStill) return;
    clearTimeout(this.#tracing);
    this.trace = { from: walk.from, to: walk.to, isBack: walk.to < walk.from };
    this.#tracing = setTimeout(() => (this.trace = null), TRACE_MS);
  }

  #pause(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#next(), milliseconds);
  }

  #settle(view: View = this.#truth): void {
    this.walk = null;
    this.pirates = view.pirates;
    this.#ahead = beforeOf(view);
    this.dock = view.dock;
  }
}
