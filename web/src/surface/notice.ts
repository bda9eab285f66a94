/** A sentence that answers a wish which was not carried out, with the rule that says so if there is one. */

import type { Outcome } from "../board/choosing";
import type { Teller } from "../board/telling";
import { say } from "../words/words.svelte";

export interface Notice {
  text: string;
  /** A number of the rulebook, such as `R4.7`. */
  rule: string | null;
}

/** What to tell after a wish; null if it needs no answer. */
export function noticeOf(outcome: Outcome, teller: Teller): Notice | null {
  const { refusal, elsewhere, isAmbiguous } = outcome;
  if (refusal !== null) return { text: say(`refusal.${refusal.code}`), rule: refusal.rule };
  if (isAmbiguous) return { text: teller.say("told.ambiguous"), rule: null };
  if (elsewhere === null) return null;
  const to = teller.spot(elsewhere.target ?? 0);
  const text =
    elsewhere.card == null
      ? teller.say("told.elsewhere_back", { to })
      : teller.say("told.elsewhere", { card: teller.card(elsewhere.card), to });
  return { text, rule: null };
}
