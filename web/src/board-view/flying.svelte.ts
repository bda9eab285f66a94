/** Cards in flight over the page: from where they lie on the screen to where they go. */

import { namesOfSpot, type Flight } from "../board/flying";

/** Where a card is drawn, as a transform: the middle of what it lies on, and roughly its size. */
export interface Flown {
  id: number;
  card: string | null;
  from: string;
  to: string;
  after: number;
  /** Whether it fades out in one place and in at the other instead of flying. */
  isStill: boolean;
}

/** The size of a card in the air, in pixels. */
export const CARD = { width: 44, height: 60 };
/** How long a card is in flight, even if the browser does not move it; a little more than `--t-card`. */
const DOWN_MS = 300;
const SMALLEST = 0.45;
const LARGEST = 1.5;

export class Flying {
  cards: readonly Flown[] = $state.raw([]);
  #count = 0;

  /** `box` finds the element with a name on the screen; null if there is none, or if it is hidden. */
  constructor(private readonly box: (name: string) => DOMRect | null = boxNamed) {}

  /** Launch cards; those without a start or an end on the screen are left out. */
  launch(flights: readonly Flight[], isStill: boolean): void {
    const flown = flights.flatMap((flight): Flown[] => {
      const [from, to] = [this.#spot(flight, "from"), this.#spot(flight, "to")];
      if (from === null || to === null) return [];
      return [{ id: this.#count++, card: flight.card, from, to, after: flight.after, isStill }];
    });
    this.cards = [...this.cards, ...flown];
    for (const { id, after } of flown) setTimeout(() => this.#land(id), after + DOWN_MS);
  }

  #land(id: number): void {
    this.cards = this.cards.filter((each) => each.id !== id);
  }

  #spot(flight: Flight, end: "from" | "to"): string | null {
    for (const name of namesOfSpot(flight[end], flight)) {
      const box = this.box(name);
      if (box !== null) return over(box);
    }
    return null;
  }
}

function over({ left, top, width, height }: DOMRect): string {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, Math.min(width / CARD.width, height / CARD.height)));
  const [x, y] = [left + (width - CARD.width) / 2, top + (height - CARD.height) / 2];
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(2)})`;
}

/** The largest visible one: the list of players has the player's own hand too, but small. */
function boxNamed(name: string): DOMRect | null {
  const boxes = [...document.querySelectorAll(`[data-cards="${name}"]`)]
    .map((each) => each.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
  const area = ({ width, height }: DOMRect): number => width * height;
  return boxes.toSorted((one, other) => area(other) - area(one))[0] ?? null;
}
