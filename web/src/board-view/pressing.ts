/** Presses on the board: mouse, finger, keys, dragging a pirate, drawing an arrow with the right button. */

import type { Place } from "../board/places";
import type { Arrow } from "./planning.svelte";

/** How a place was pressed: fingers get a preview first, keys and mice are precise. */
export type Press = "mouse" | "touch" | "keys";

interface Heard {
  onplace: (place: Place, press: Press) => void;
  /** The rock was pressed, or the right button. */
  onclear: () => void;
  /** An arrow is being drawn with the right button; null where it would lead nowhere. */
  onaim: (arrow: Arrow | null) => void;
  onarrow: (arrow: Arrow) => void;
  isSelected: (place: Place) => boolean;
}

/** How many pixels make a drag. */
const DRAG_FROM = 6;

/** Listen to presses inside an element whose buttons carry `data-place`. */
export function pressing(heard: Heard): (element: HTMLElement) => () => void {
  return (element) => {
    const hand = new Hand(heard);
    const listening = new AbortController();
    const options = { signal: listening.signal };
    element.addEventListener("pointerdown", (event) => hand.down(event), options);
    element.addEventListener("click", (event) => hand.click(event), options);
    element.addEventListener("contextmenu", (event) => hand.menu(event), options);
    addEventListener("pointermove", (event) => hand.move(event), options);
    addEventListener("pointerup", (event) => hand.up(event), options);
    addEventListener("pointercancel", () => hand.letGo(), options);
    return () => listening.abort();
  };
}

/** Where a button went down on the board. */
interface Grip {
  place: Place | null;
  x: number;
  y: number;
}

const RIGHT = 2;

class Hand {
  #press: Press = "mouse";
  #from: (Grip & { place: Place }) | null = null;
  /** Where the right button went down; kept until the next press, for the menu that may follow. */
  #aim: Grip | null = null;
  #isDragging = false;

  constructor(readonly heard: Heard) {}

  down(event: PointerEvent): void {
    this.#press = event.pointerType === "mouse" ? "mouse" : "touch";
    this.#isDragging = false;
    const isMouse = this.#press === "mouse";
    const { clientX: x, clientY: y } = event;
    const place = placeUnder(event.target);
    this.#from = isMouse && event.button === 0 && place !== null ? { place, x, y } : null;
    this.#aim = isMouse && event.button === RIGHT ? { place, x, y } : null;
  }

  move(event: PointerEvent): void {
    const grip = this.#from ?? this.#held(event);
    if (grip === null) return;
    if (!this.#isDragging && isNear(event, grip)) return;
    const isFirst = !this.#isDragging;
    this.#isDragging = true;
    if (this.#from === null) this.heard.onaim(arrowTo(grip, event));
    else if (isFirst && !this.heard.isSelected(this.#from.place))
      this.heard.onplace(this.#from.place, "touch");
  }

  up(event: PointerEvent): void {
    if (event.button === RIGHT && this.#aim !== null) this.#release(this.#aim, event);
    const from = this.#from;
    this.#from = null;
    if (from === null || !this.#isDragging) return;
    const place = placeAt(event);
    if (place !== null && place !== from.place) this.heard.onplace(place, "mouse");
  }

  /** The browser took the pointer away. */
  letGo(): void {
    this.#from = null;
    this.#isDragging = false;
    this.heard.onaim(null);
  }

  click(event: MouseEvent): void {
    // The end of a drag is also a click, on the element around both ends.
    if (this.#isDragging) {
      this.#isDragging = false;
      return;
    }
    const place = placeUnder(event.target);
    if (place === null) this.heard.onclear();
    else this.heard.onplace(place, event.detail === 0 ? "keys" : this.#press);
  }

  /** The menu that the browser would open; the right button is handled before or after it. */
  menu(event: MouseEvent): void {
    event.preventDefault();
    if (this.#aim === null) this.heard.onclear();
  }

  /** The right button, while it is held. */
  #held(event: PointerEvent): Grip | null {
    return (event.buttons & 2) === 0 ? null : this.#aim;
  }

  #release(grip: Grip, event: PointerEvent): void {
    const arrow = this.#isDragging ? arrowTo(grip, event) : null;
    if (arrow !== null) this.heard.onarrow(arrow);
    else if (this.#isDragging) this.heard.onaim(null);
    else this.heard.onclear();
    this.#isDragging = false;
  }
}

function isNear(event: PointerEvent, { x, y }: Grip): boolean {
  return Math.hypot(event.clientX - x, event.clientY - y) < DRAG_FROM;
}

function arrowTo({ place: from }: Grip, event: PointerEvent): Arrow | null {
  const to = placeAt(event);
  return from === null || to === null || from === to ? null : { from, to };
}

function placeAt({ clientX, clientY }: PointerEvent): Place | null {
  return placeUnder(document.elementFromPoint(clientX, clientY));
}

function placeUnder(target: EventTarget | null): Place | null {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null;
  return button === null ? null : Number(button.dataset["place"]);
}
