/** What the light on the board means: where a pirate stands, may go and last went; nothing else. */

import type { Happening, Legal, View, Wishes } from "../api/messages";
import { previewOf, shown, type Chosen } from "./choosing";
import type { Pirate, Place } from "./places";
import { choicesOf } from "./wishing";

/** How a place is lit; a place has one light, the first of these that applies. */
export type Light = "from" | "destination" | "reachable" | "retreat" | "skipped" | "last" | "was";

export interface Lit {
  lights: ReadonlyMap<Place, Light>;
  /** Cards that a retreat or push to this place would bring. */
  gains: ReadonlyMap<Place, number>;
  routes: readonly { from: Place; to: Place; isBack: boolean }[];
  /** The pirate that is lifted. */
  selected: Pirate | null;
  /** A pirate shown where it would stand. */
  ghost: Pirate | null;
  /** Pirates that can use the chosen card. */
  able: readonly Pirate[];
  /** How many cards at the head of the row the lit retreat would take. */
  taken: number;
}

export const DARK: Lit = {
  lights: new Map(),
  gains: new Map(),
  routes: [],
  selected: null,
  ghost: null,
  able: [],
  taken: 0,
};

/** The last move of a game, or of a step of a replay: where it began and where it ended. */
export interface Move {
  crew: number;
  from: Place;
  to: Place;
}

/** The last move among happenings; null if no pirate moved. */
export function lastMoveOf(happened: readonly Happening[]): Move | null {
  const moved = happened.findLast((each) => each.happening === "moved");
  return moved === undefined ? null : { crew: moved.crew, from: moved.start, to: moved.target };
}

/** The light of a step in a replay: the way that the pirate took. */
export function lightOfMove(move: Move | null): Lit {
  return lightOfMoves(move === null ? [] : [move]);
}

/** The light of several moves, one after the other: the ways that the pirates take. */
export function lightOfMoves(moves: readonly Move[]): Lit {
  return {
    ...DARK,
    lights: new Map<Place, Light>([
      ...moves.map(({ from }): [Place, Light] => [from, "was"]),
      ...moves.map(({ to }): [Place, Light] => [to, "destination"]),
    ]),
    routes: moves.map(({ from, to }) => ({ from, to, isBack: to < from })),
  };
}

/** The light while a seat chooses, or while it watches the last move of another. */
export function lightOf(
  { view, wishes, you }: { view: View; wishes: Wishes | null; you: number | null },
  chosen: Chosen,
  last: Move | null,
): Lit {
  const lights = new Map<Place, Light>(last === null ? [] : [[last.to, "last"]]);
  if (wishes === null || you === null) return { ...DARK, lights };
  const preview = previewOf(wishes, chosen);
  const pirate = chosen.pirate ?? (preview === null ? null : shown(preview, you).pirate);
  if (pirate === null) return { ...DARK, ...lightOfCard(wishes, chosen.card, { you, lights }) };
  const choices = choicesOf(wishes, pirate, you);
  for (const choice of choices) lightUp(lights, choice, preview);
  lights.set(pirate.place, "from");
  // A retreat that declines its cards goes where the other one goes.
  const back = choices.filter(({ kind }) => kind !== "play" && kind !== "decline");
  return {
    lights,
    gains: new Map(back.map(({ target, gains }) => [target ?? 0, gains ?? 0])),
    routes: routesOf(preview, back),
    selected: pirate,
    ghost: ghostOf(preview, you),
    able: [],
    // Only the row lies open; in games without a row the cards to be drawn are unknown.
    taken: view.row.length === 0 ? 0 : Math.max(0, ...back.map(({ cards = [] }) => cards.length)),
  };
}

function lightUp(lights: Map<Place, Light>, choice: Legal, preview: Legal | null): void {
  if (choice.target == null) return;
  const isShown = choice.code === preview?.code;
  if (choice.kind !== "play") lights.set(choice.target, "retreat");
  else if (isShown) lights.set(choice.target, "destination");
  // The chosen card comes first, but what other cards reach stays visible behind it.
  else if (lights.get(choice.target) !== "destination") lights.set(choice.target, "reachable");
  if (!isShown) return;
  for (const place of choice.jumped ?? []) if (lights.get(place) !== "retreat") lights.set(place, "skipped");
}

function routesOf(preview: Legal | null, back: readonly Legal[]): Lit["routes"] {
  const forward = preview?.kind === "play" ? [preview] : [];
  return [...forward, ...back].map(({ start, target, kind }) => ({
    from: start ?? 0,
    to: target ?? 0,
    isBack: kind !== "play",
  }));
}

function ghostOf(preview: Legal | null, you: number): Pirate | null {
  if (preview?.target == null) return null;
  return { crew: preview.crew ?? you, place: preview.target };
}

/** The light of a card alone: the pirates that can use it, and where each of them would go. */
function lightOfCard(
  wishes: Wishes,
  card: string | null,
  { you, lights }: { you: number; lights: ReadonlyMap<Place, Light> },
): Pick<Lit, "lights" | "able"> {
  if (card === null) return { lights, able: [] };
  const plays = wishes.legal.filter((choice) => choice.kind === "play" && choice.card === card);
  const goals = plays.flatMap(({ target }): [Place, Light][] =>
    target == null ? [] : [[target, "destination"]],
  );
  const places = plays.flatMap(({ place }) => (place == null ? [] : [place]));
  return {
    lights: new Map([...lights, ...goals]),
    able: [...new Set(places)].map((place) => ({ crew: you, place })),
  };
}
