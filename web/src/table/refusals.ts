/** Why something at a table was refused, in words for the player. */

import { codeAtTable, ServiceRefusal } from "../api/service";
import { toast } from "../shell/announce.svelte";
import { problemText } from "../shell/problems";
import { say } from "../words/words.svelte";

/** Codes that only a table knows. */
const AT_TABLES: ReadonlySet<string> = new Set([
  "stale",
  "too_late",
  "not_your_turn",
  "seat_minded",
  "not_seated",
  "not_host",
  "not_while_rated",
  "revoked",
]);

/** A sentence for anything thrown by a request at a table; a rule that refuses it speaks for itself. */
export function refusalText(problem: unknown): string {
  if (!(problem instanceof ServiceRefusal)) return problemText(problem);
  if (problem.rule !== null) return say(`refusal.${problem.code}`);
  return AT_TABLES.has(problem.code) ? say(`web.table.problem.${problem.code}`) : problemText(problem);
}

/** A sentence for the code with which a table was closed to us. */
export function closedText(code: string): string {
  const known = codeAtTable(code);
  return refusalText(new ServiceRefusal(0, known, known));
}

/** Do something at a table; true if it was done, else the reader has been told why not. */
export async function attempt(deed: () => Promise<unknown>): Promise<boolean> {
  try {
    await deed();
    return true;
  } catch (problem) {
    // Whoever leaves the page stops what is under way; that is no news to him.
    const hasLeft = problem instanceof DOMException && problem.name === "AbortError";
    if (!hasLeft) toast(refusalText(problem), { kind: "problem" });
    return false;
  }
}
