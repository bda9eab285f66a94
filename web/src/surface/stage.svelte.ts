/** What the board shows while pirates are on their way; the view is the truth, and the stage follows it. */

import type { Happening, View } from "../api/messages";
import { BETWEEN_ACTIONS, travelsOf, walked, without, type Travel, type Walk } from "../board/moving";

/** What an update told, with its number, so that nothing is shown twice. */
export interface Told {
  seq: number;
  happenings: readonly Happening[];
}

/** Who falls further behind than this sees the end at once. */
const MOST_WAITING = 8;

type Pirates = readonly (readonly number[])[];

export class Stage {
  /** The pirates that stand; the one that travels is not among them. */
  pirates: Pirates = $state.raw([]);
  dock: number | null = $state.raw(null);
  walk: Walk | null = $state.raw(null);

  #waiting: Travel[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #truth: View;
  /** Where everybody stands once all that waits has been shown. */
  #ahead: Pirates;

  constructor(view: View) {
    this.#truth = view;
    this.#ahead = view.pirates;
    this.#settle();
  }

  /** Take a new view; what happened on the way to it travels, unless stillness is wanted. */
  show(view: View, told: readonly Told[], isStill: boolean): void {
    this.#truth = view;
    const travels = isStill ? [] : told.flatMap(({ happenings }) => this.#plan(view, happenings));
    this.#waiting.push(...travels);
    const isBusy = this.walk !== null || this.#timer !== undefined;
    if (travels.length === 0 ? !isBusy || told.length === 0 : this.#waiting.length > MOST_WAITING)
      this.finish();
    else if (!isBusy) this.#next();
  }

  /** The traveller has arrived. */
  arrived(): void {
    const { walk } = this;
    if (walk === null) return;
    this.pirates = this.pirates.map((places, crew) => (crew === walk.crew ? [...places, walk.to] : places));
    this.walk = null;
    if (this.#waiting.length === 0) this.#settle();
    else this.#pause(BETWEEN_ACTIONS);
  }

  /** Show how things stand, at once. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#settle();
  }

  #plan(view: View, happenings: readonly Happening[]): Travel[] {
    const travels = travelsOf(happenings, { pirates: this.#ahead, board: view.board });
    for (const travel of travels) if (travel.kind === "walk") this.#ahead = walked(this.#ahead, travel);
    return travels;
  }

  #next(): void {
    this.#timer = undefined;
    const travel = this.#waiting.shift();
    if (travel === undefined) this.#settle();
    else if (travel.kind === "crossing") {
      this.dock = travel.dock;
      this.#pause(travel.milliseconds);
    } else {
      this.pirates = without(this.pirates, travel);
      this.walk = travel;
    }
  }

  #pause(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#next(), milliseconds);
  }

  #settle(): void {
    this.walk = null;
    this.pirates = this.#truth.pirates;
    this.#ahead = this.#truth.pirates;
    this.dock = this.#truth.dock;
  }
}
