/** Planning ahead: private arrows that a reader draws on the board. They never leave this page. */

import type { Place } from "../board/places";

export interface Arrow {
  from: Place;
  to: Place;
}

export class Planning {
  arrows: readonly Arrow[] = $state.raw([]);
  /** The arrow being drawn with the right mouse button. */
  aimed: Arrow | null = $state.raw(null);
  /** Whether presses draw arrows: for fingers and keys, which have no right button. */
  isOn: boolean = $state(false);
  /** Where an arrow begins that is drawn by presses, not by dragging. */
  from: Place | null = $state(null);

  /** Everything to draw. */
  get drawn(): readonly Arrow[] {
    return this.aimed === null ? this.arrows : [...this.arrows, this.aimed];
  }

  /** Draw an arrow; drawing it again removes it. */
  draw(arrow: Arrow): void {
    this.aimed = null;
    const others = this.arrows.filter(({ from, to }) => from !== arrow.from || to !== arrow.to);
    this.arrows = others.length < this.arrows.length ? others : [...this.arrows, arrow];
  }

  /** Press a place while planning: the first begins an arrow, the next ends it. Returns the arrow that was drawn. */
  press(place: Place): Arrow | null {
    const { from } = this;
    this.from = from === null ? place : null;
    if (from === null || from === place) return null;
    this.draw({ from, to: place });
    return { from, to: place };
  }

  has({ from, to }: Arrow): boolean {
    return this.arrows.some((each) => each.from === from && each.to === to);
  }

  /** Switch drawing by presses on or off; arrows stay. */
  turn(isOn: boolean): void {
    this.isOn = isOn;
    this.from = null;
  }

  /** Remove all arrows; true if there were any. */
  clear(): boolean {
    const had = this.drawn.length > 0 || this.from !== null;
    this.arrows = [];
    this.aimed = null;
    this.from = null;
    return had;
  }
}
