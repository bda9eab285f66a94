/** Why something at a table was refused, in words for the player. */

import { codeAtTable, ServiceRefusal } from "../api/service";
import { toast } from "../shell/announce.svelte";
import { problemText, ruleText } from "../shell/problems";
import { say } from "../words/words.svelte";

/** What is said for the codes that only a table has. */
const AT_TABLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stale: "web.table.problem.stale",
    too_late: "web.table.problem.too_late",
    not_your_turn: "web.table.problem.not_your_turn",
    seat_minded: "web.table.problem.seat_minded",
    not_seated: "web.table.problem.not_seated",
    not_host: "web.table.problem.not_host",
    not_while_rated: "web.table.problem.not_while_rated",
    no_hints: "web.table.problem.no_hints",
    revoked: "web.table.problem.revoked",
  }),
);

/** A sentence for anything thrown by a request at a table; a rule that refuses it speaks for itself. */
export function refusalText(problem: unknown): string {
  if (!(problem instanceof ServiceRefusal)) return problemText(problem);
  if (problem.rule !== null) return ruleText(problem.code);
  const sentence = AT_TABLES.get(problem.code);
  return sentence === undefined ? problemText(problem) : say(sentence);
}

/** A sentence for the code with which a table was closed to us. */
export function closedText(code: string): string {
  const known = codeAtTable(code);
  return refusalText(new ServiceRefusal(0, known, known));
}

/** Do something at a table; true if it was done, otherwise the reader has been told why not. */
export async function attempt(deed: () => Promise<unknown>): Promise<boolean> {
  try {
    await deed();
    return true;
  } catch (problem) {
    // Leaving the page aborts what is under way; that needs no message.
    const hasLeft = problem instanceof DOMException && problem.name === "AbortError";
    if (!hasLeft) toast(refusalText(problem), { kind: "problem" });
    return false;
  }
}
