/** The three ways to play, as the home page shows them. */

export interface Way {
  ruleset: "tortuga" | "jamaica" | "nest";
  /** In the order in which a hand shows them. */
  signs: readonly string[];
  /** The control icon beside the word on hands. */
  icon: string;
}

const ESCAPE_SIGNS = ["skull", "hat", "dagger", "bottle", "key", "pistol"] as const;

export const WAYS: readonly Way[] = [
  { ruleset: "tortuga", signs: ESCAPE_SIGNS, icon: "eye" },
  { ruleset: "jamaica", signs: ESCAPE_SIGNS, icon: "layers" },
  {
    ruleset: "nest",
    signs: ["parrot", "chest", "telescope", "ducats", "map", "cannon", "compass"],
    icon: "sailboat",
  },
];
