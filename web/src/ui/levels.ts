/** The levels of the bots that people play against, the weakest first, and their pictures. */

export const LEVELS = ["deckhand", "sailor", "bosun", "captain"] as const;

export type Level = (typeof LEVELS)[number];

/** What each of them holds in its hand. */
export const TOOLS: Readonly<Record<Level, string>> = {
  deckhand: "bucket",
  sailor: "anchor",
  bosun: "whistle",
  captain: "captain",
};

/** Whether a word is one of these levels; an installed bot has its own name. */
export function isLevel(word: string | null | undefined): word is Level {
  return LEVELS.some((level) => level === word);
}

/** These bots one level up or down, as far as possible; null if none of them changes, or one has no level. */
export function stepped(bots: readonly string[], step: 1 | -1): Level[] | null {
  if (!bots.every(isLevel)) return null;
  const next = bots.map((level) => LEVELS[LEVELS.indexOf(level) + step] ?? level);
  return next.some((level, index) => level !== bots[index]) ? next : null;
}
