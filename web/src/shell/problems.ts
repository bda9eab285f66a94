/** Why something did not work, in words for the player. */

import { ServiceRefusal } from "../api/service";
import { isSaid, say } from "../words/words.svelte";
import { toast } from "./announce.svelte";

/** What is said for the codes that a player can meet and act on; the rules' own codes are `refusal.*`. */
const SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    no_answer: "web.problem.no_answer",
    unavailable: "web.problem.unavailable",
    too_many: "web.problem.too_many",
    unauthenticated: "web.problem.unauthenticated",
    needs_account: "web.problem.needs_account",
    needs_proof: "web.problem.needs_proof",
    blocked: "web.problem.blocked",
    kicked: "web.problem.kicked",
    forbidden: "web.problem.forbidden",
    missing_scope: "web.problem.missing_scope",
    no_such_table: "web.problem.no_such_table",
    no_such_player: "web.problem.no_such_player",
    seat_taken: "web.problem.seat_taken",
    already_seated: "web.problem.already_seated",
    not_full: "web.problem.not_full",
    wrong_stage: "web.problem.wrong_stage",
    name_taken: "web.problem.name_taken",
    unfit: "web.problem.unfit",
    muted: "web.problem.muted",
    wrong_origin: "web.problem.wrong_origin",
  }),
);

const THIS_MACHINE: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address means the machine of its reader, who has opened the page of another one. */
function isWrongHere(home: string): boolean {
  return THIS_MACHINE.has(new URL(home).hostname) && !THIS_MACHINE.has(location.hostname);
}

/** A sentence for anything thrown by `ask`. */
export function problemText(problem: unknown): string {
  const { code, home } = problem instanceof ServiceRefusal ? problem : { code: "", home: null };
  // An operator who has set no address told the service that it is at home.
  if (code === "wrong_origin" && home !== null && isWrongHere(home)) {
    return say("web.problem.no_url", { address: location.origin });
  }
  return say(SENTENCES.get(code) ?? "web.problem", { address: home ?? location.origin });
}

/** Why the rules refuse something; a newer service may have reasons that this page has no words for. */
export function ruleText(code: string): string {
  const key = `refusal.${code}`;
  return say(isSaid(key) ? key : "web.problem");
}

/** Do something that may be refused, and tell the player if it is; returns whether it worked. */
export async function tried(deed: () => Promise<unknown>): Promise<boolean> {
  try {
    await deed();
    return true;
  } catch (problem) {
    toast(problemText(problem), { kind: "problem" });
    return false;
  }
}
