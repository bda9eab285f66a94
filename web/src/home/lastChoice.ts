/** What this browser opened last, so that the next table takes one click. */

import type { Level } from "../ui/levels";
import { FIRST_CHOICE, type Choice } from "./terms";

const STORE = "cartagena.last_table";

export function lastChoice(): Partial<Choice> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof kept === "object" && kept !== null && Array.isArray((kept as Choice).others) ? kept : {};
  } catch {
    return {};
  }
}

export function keepChoice(choice: Choice): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(choice));
  } catch {
    // Without storage the form starts empty each time.
  }
}

/** A casual game without a clock against bots of one level. */
export function botChoice(ruleset: string, seats: number, level: Level): Choice {
  const others = FIRST_CHOICE.others.map(() => level);
  // There is no free seat, so it need not be listed in the lobby.
  return { ...FIRST_CHOICE, ruleset, seats, others, listed: false };
}
