/** Presses on the board: mouse, finger and keys, and a pirate dragged onto a space. */

import type { Place } from "../board/places";

/** By what a place was pressed: fingers are given a look first, keys and mice are precise. */
export type Press = "mouse" | "touch" | "keys";

interface Heard {
  onplace: (place: Place, press: Press) => void;
  /** The rock was pressed, or the right button. */
  onclear: () => void;
  isSelected: (place: Place) => boolean;
}

/** So many pixels make a drag. */
const DRAG_FROM = 6;

/** Listen to presses inside an element whose buttons carry `data-place`. */
export function pressing(heard: Heard): (element: HTMLElement) => () => void {
  return (element) => {
    const hand = new Hand(heard);
    const listening = new AbortController();
    const options = { signal: listening.signal };
    element.addEventListener("pointerdown", (event) => hand.down(event), options);
    element.addEventListener("click", (event) => hand.click(event), options);
    element.addEventListener("contextmenu", (event) => hand.clear(event), options);
    addEventListener("pointermove", (event) => hand.move(event), options);
    addEventListener("pointerup", (event) => hand.up(event), options);
    return () => listening.abort();
  };
}

class Hand {
  #press: Press = "mouse";
  #from: { place: Place; x: number; y: number } | null = null;
  #isDragging = false;

  constructor(readonly heard: Heard) {}

  down(event: PointerEvent): void {
    this.#press = event.pointerType === "mouse" ? "mouse" : "touch";
    this.#isDragging = false;
    const place = placeUnder(event.target);
    const canDrag = this.#press === "mouse" && event.button === 0 && place !== null;
    this.#from = canDrag ? { place, x: event.clientX, y: event.clientY } : null;
  }

  move(event: PointerEvent): void {
    const from = this.#from;
    if (from === null || this.#isDragging) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_FROM) return;
    this.#isDragging = true;
    if (!this.heard.isSelected(from.place)) this.heard.onplace(from.place, "touch");
  }

  up(event: PointerEvent): void {
    const from = this.#from;
    this.#from = null;
    if (from === null || !this.#isDragging) return;
    const place = placeUnder(document.elementFromPoint(event.clientX, event.clientY));
    if (place !== null && place !== from.place) this.heard.onplace(place, "mouse");
  }

  click(event: MouseEvent): void {
    // The end of a drag is also a click, on whatever holds both ends.
    if (this.#isDragging) {
      this.#isDragging = false;
      return;
    }
    const place = placeUnder(event.target);
    if (place === null) this.heard.onclear();
    else this.heard.onplace(place, event.detail === 0 ? "keys" : this.#press);
  }

  clear(event: MouseEvent): void {
    event.preventDefault();
    this.heard.onclear();
  }
}

function placeUnder(target: EventTarget | null): Place | null {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null;
  return button === null ? null : Number(button.dataset["place"]);
}
