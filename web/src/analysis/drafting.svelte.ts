/** A position that is being laid out by hand; whether it can be, and what the stock still holds, the engine says. */

import type { Arranged, Draft, FaultMessage, View } from "../api/messages";
import { countAt, type Pirate, type Place } from "../board/places";
import { asked } from "./study.svelte";

/** Where cards lie: the hand of a seat by its number, or a pile. */
export type Zone = number | "row" | "stock" | "discard";

export class Drafting {
  draft: Draft;
  /** The position as text; null while it cannot be, or has not been looked at. */
  text: string | null = $state.raw(null);
  fault: FaultMessage | null = $state.raw(null);
  /** The pirate that is in the hand of the reader. */
  lifted: Pirate | null = $state.raw(null);
  private changes = 0;

  constructor(
    draft: Draft,
    private readonly before: View,
  ) {
    this.draft = $state.raw(draft);
  }

  /** The draft as a board draws it. */
  get view(): View {
    const { draft, before } = this;
    return {
      ...before,
      pirates: draft.pirates,
      hands: draft.hands,
      hand_sizes: draft.hands.map(({ length }) => length),
      row: draft.row,
      stock_size: draft.stock.length,
      discard: draft.discard,
      dock: before.dock === null ? null : draft.dock,
      turn: draft.turn,
      turn_seat: draft.seat,
      to_act: draft.seat,
      actions_used: draft.actions_used,
    };
  }

  /** Change something, and ask the engine what it says of it; of several answers the last counts. */
  async change(part: Partial<Draft>): Promise<void> {
    // Who may cross for free follows from the rest.
    this.draft = { ...this.draft, crossing_open: null, ...part };
    await this.check();
  }

  async check(): Promise<void> {
    const change = ++this.changes;
    this.text = null;
    const { draft, text, fault } = await asked<Arranged>("arrange", this.draft);
    if (change !== this.changes) return;
    this.draft = draft;
    this.text = text;
    this.fault = fault;
  }

  /** Press a place: a pirate of the crew is lifted there, or the lifted one is put down. */
  press(place: Place, crew: number): Promise<void> | null {
    const { lifted, draft } = this;
    if (lifted === null) {
      if (countAt(draft.pirates, crew, place) > 0) this.lifted = { crew, place };
      return null;
    }
    this.lifted = null;
    if (lifted.place === place) return null;
    const pirates = draft.pirates.map((places, seat) =>
      seat === lifted.crew ? moved(places, lifted.place, place) : places,
    );
    return this.change({ pirates });
  }

  cards(zone: Zone): readonly string[] {
    return typeof zone === "number" ? (this.draft.hands[zone] ?? []) : this.draft[zone];
  }

  /** Put a card there; it comes from the stock. */
  add(zone: Zone, card: string): Promise<void> {
    return this.lay(zone, [...this.cards(zone), card]);
  }

  /** Take a card away from there; it goes to the stock. */
  take(zone: Zone, card: string): Promise<void> {
    const cards = [...this.cards(zone)];
    const at = cards.lastIndexOf(card);
    if (at >= 0) cards.splice(at, 1);
    return this.lay(zone, cards);
  }

  /** Let the card at a position of a pile be its first. */
  first(zone: Zone, at: number): Promise<void> {
    const cards = this.cards(zone);
    return this.lay(zone, [...cards.slice(at, at + 1), ...cards.slice(0, at), ...cards.slice(at + 1)]);
  }

  private lay(zone: Zone, cards: readonly string[]): Promise<void> {
    if (typeof zone !== "number") return this.change({ [zone]: cards });
    return this.change({ hands: this.draft.hands.map((hand, seat) => (seat === zone ? [...cards] : hand)) });
  }
}

function moved(places: readonly Place[], from: Place, to: Place): Place[] {
  const left = [...places];
  left.splice(left.indexOf(from), 1, to);
  return left.sort((one, other) => one - other);
}
