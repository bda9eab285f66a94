/** Which legal choice to take to end a game soon. It knows no rules: it compares what choices say they do. */

import type { Legal, View } from "../src/api/messages";

/** The number of cards a seat wants before it runs. */
const ENOUGH = 4;

/** A choice for the seat to act; deterministic for a view, so that a failing game can be repeated. */
export function chosenFrom(legal: readonly Legal[], view: View, seat: number): Legal {
  const [best] = legal.toSorted((one, other) => worth(other, view, seat) - worth(one, view, seat));
  if (best === undefined) throw new Error("the seat to act has no choice");
  return best;
}

/** What a choice is worth by its kind alone. */
const KINDS: Record<Legal["kind"], number> = {
  play: 100,
  retreat: 50,
  decline: 5,
  push: 50,
  sail: 60,
  captain_sail: 60,
  trim: 10,
  end_turn: 0,
};

function worth(choice: Legal, view: View, seat: number): number {
  if (choice.wins === true) return 1000;
  const walked = (choice.target ?? 0) - (choice.start ?? 0);
  if (choice.kind === "play") return KINDS.play + walked;
  if (choice.kind !== "retreat" && choice.kind !== "push") return KINDS[choice.kind];
  const isNeeded = (view.hand_sizes[seat] ?? 0) < ENOUGH;
  return (isNeeded ? 200 : KINDS[choice.kind]) + 20 * (choice.gains ?? 0) - Math.abs(walked);
}
