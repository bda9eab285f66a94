/** Why a player is reported. No browser here. */

export const REASONS = ["chat", "name", "stalling", "cheating", "other"] as const;
export type Reason = (typeof REASONS)[number];

/** A report as the operators read it: the reason in one word, whatever the reporter's language. */
export function reportText(reason: Reason, story: string): string {
  return `[${reason}] ${story.trim()}`;
}
