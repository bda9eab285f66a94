/** Why something did not work, in words for the player. */

import { ServiceRefusal } from "../api/service";
import { say } from "../words/words.svelte";
import { toast } from "./announce.svelte";

/** Codes of the service that a player can meet and do something about; the rules' own are `refusal.*`. */
const TOLD: ReadonlySet<string> = new Set([
  "no_answer",
  "unavailable",
  "too_many",
  "unauthenticated",
  "needs_account",
  "needs_proof",
  "blocked",
  "kicked",
  "forbidden",
  "missing_scope",
  "no_such_table",
  "no_such_player",
  "seat_taken",
  "already_seated",
  "not_full",
  "wrong_stage",
  "name_taken",
  "unfit",
  "muted",
]);

/** A sentence for anything that was thrown by `ask`. */
export function problemText(problem: unknown): string {
  const code = problem instanceof ServiceRefusal ? problem.code : "";
  return say(TOLD.has(code) ? `web.problem.${code}` : "web.problem");
}

/** Do something that may be refused, and tell the player if it is; says whether it worked. */
export async function tried(deed: () => Promise<unknown>): Promise<boolean> {
  try {
    await deed();
    return true;
  } catch (problem) {
    toast(problemText(problem), { kind: "problem" });
    return false;
  }
}
