/** Which sounds belong to what happened. Each accompanies something visible. */

import type { Happening } from "../api/messages";
import { decided, type ByHappening } from "../board/happenings";

export const CUES = [
  "your_turn",
  "forward",
  "back",
  "card_played",
  "card_taken",
  "boarded",
  "new_row",
  "freebooter",
  "captain",
  "clock_30",
  "clock_10",
  "refused",
  "win",
  "loss",
] as const;
export type Cue = (typeof CUES)[number];

/** Sounds that are switched on and off together. */
export const GROUPS = {
  turn: ["your_turn"],
  pirates: ["forward", "back", "boarded"],
  cards: ["card_played", "card_taken", "new_row"],
  special: ["freebooter", "captain"],
  clock: ["clock_30", "clock_10"],
  refused: ["refused"],
  end: ["win", "loss"],
} as const satisfies Record<string, readonly Cue[]>;
export type Group = keyof typeof GROUPS;
// An object has exactly the keys that it was written with.
export const GROUP_NAMES = Object.keys(GROUPS) as readonly Group[];

/** The sounds of `cued` whose groups are switched on. */
export function heardOf(cued: readonly Cued[], isOn: (group: Group) => boolean): Cued[] {
  const silent: readonly Cue[] = GROUP_NAMES.filter((group) => !isOn(group)).flatMap(
    (group) => GROUPS[group],
  );
  return cued.filter(({ cue }) => !silent.includes(cue));
}

/** A sound and how many milliseconds after the first it begins. */
export interface Cued {
  cue: Cue;
  after: number;
}

const HOME = 37;
const CARD_MS = 110;
/** A footstep is heard when the pirate lands, this much later. */
const LANDING_MS = 260;

/** The sounds of each kind of happening, for a listener at a seat. */
const HEARD: ByHappening<[number | null], Cued[]> = {
  played: ({ card }) => [{ cue: card.startsWith("gold_") ? "freebooter" : "card_played", after: 0 }],
  moved: ({ start, target }) => {
    if (target < start) return [{ cue: "back", after: 0 }];
    return [{ cue: target === HOME ? "boarded" : "forward", after: LANDING_MS }];
  },
  drew: () => [{ cue: "card_taken", after: 0 }],
  row_laid: () => [{ cue: "new_row", after: LANDING_MS }],
  renewed: () => [],
  sailed: ({ free }) => [{ cue: free ? "captain" : "boarded", after: 0 }],
  // The freebooter was heard before, and trimmed cards lie face down.
  trim_due: () => [],
  trimmed: () => [],
  trim_shown: () => [],
  passed: () => [],
  turn_ended: ({ next_seat }, you) => (next_seat === you ? [{ cue: "your_turn", after: LANDING_MS }] : []),
  won: ({ seat }, you) => [{ cue: you === null || seat === you ? "win" : "loss", after: LANDING_MS }],
  // The game ended without a win: neither tune fits.
  dead: () => [],
  quiet: () => [],
};

/** The sounds of an update for a listener at a seat, or for a spectator. */
export function cuesOf(happened: readonly Happening[], you: number | null): Cued[] {
  let taken = 0;
  return happened.flatMap((each) => {
    const cues = decided(HEARD, each, you) ?? [];
    return cues.map(({ cue, after }) => ({
      cue,
      after: cue === "card_taken" ? CARD_MS * taken++ : after,
    }));
  });
}
