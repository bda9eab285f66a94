/** Small pictures for chapters of the rulebook: stretches of the printed boards, with captions in words. */

/** How a spot of a picture is marked; as on the board. */
export type Mark = "from" | "destination" | "retreat" | "full";

export interface Spot {
  /** The printed number of a space; none for a card. */
  number?: number;
  /** A sign, or `landing` for the start of the Nest. */
  sign: string;
  /** The pirates that stand there, by crew. */
  crews?: readonly number[];
  /** The crew of the pirate that would stand there. */
  ghost?: number;
  mark?: Mark;
  /** Cards that the move brings. */
  gains?: number;
  /** Spaces before this one are left out. */
  afterGap?: boolean;
}

const [RED, BLUE, YELLOW, GREEN] = [0, 1, 2, 3] as const;

function row(signs: string, from?: number): Spot[] {
  return signs
    .split(" ")
    .map((sign, index) => (from === undefined ? { sign } : { sign, number: from + index }));
}

const JUMP: readonly Spot[] = [
  { number: 9, sign: "key", crews: [BLUE, YELLOW], mark: "from" },
  { number: 12, sign: "skull", crews: [GREEN], afterGap: true },
  { number: 17, sign: "skull", crews: [RED, RED, BLUE], afterGap: true },
  { number: 23, sign: "skull", ghost: YELLOW, mark: "destination", afterGap: true },
];

const RETREAT: readonly Spot[] = [
  { number: 12, sign: "skull", crews: [GREEN], ghost: BLUE, mark: "retreat", gains: 1 },
  { number: 16, sign: "hat", afterGap: true },
  { number: 17, sign: "skull", crews: [RED, RED, BLUE], mark: "full" },
  { number: 18, sign: "bottle", crews: [BLUE], mark: "from" },
];

const PUSH: readonly Spot[] = [
  { sign: "palm", crews: [RED], mark: "from" },
  { number: 1, sign: "parrot" },
  { number: 2, sign: "map" },
  { number: 3, sign: "cannon", crews: [YELLOW, YELLOW, GREEN], mark: "full" },
  { number: 4, sign: "chest" },
  { number: 5, sign: "compass", crews: [BLUE, GREEN], ghost: RED, mark: "retreat", gains: 2 },
];

const DRAW: readonly Spot[] = row("bottle dagger dagger hat pistol bottle dagger").map((spot, index) =>
  index < 2 ? { ...spot, mark: "retreat" } : spot,
);

/** The pictures of chapters that show the tunnel; the rulebook of the islands goes without them. */
export const OF_TUNNEL: ReadonlySet<string> = new Set(["R1", "R3", "R4", "R5"]);

/** The picture of a chapter, if it has one. */
export const PICTURES: Readonly<Record<string, readonly Spot[]>> = {
  R1: row("bottle pistol hat skull dagger key", 1),
  R3: JUMP,
  R4: RETREAT,
  R5: DRAW,
  R9: row("parrot chest telescope ducats map cannon compass"),
  R11: PUSH,
};
