/** A sentence that answers a wish which was not carried out, with the rule that says so if there is one. */

import type { Legal } from "../api/messages";
import type { Outcome } from "../board/choosing";
import type { Teller } from "../board/telling";
import type { Refusal } from "../board/wishing";
import { ruleText } from "../shell/problems";
import { say } from "../words/words.svelte";

const NOT_HELD = "card_not_held";

export interface Notice {
  /** In the language of the moment at which it is read. */
  readonly text: string;
  /** A number of the rulebook, such as `R4.7`. */
  rule: string | null;
}

/** What to tell after a wish; null if it needs no answer. */
export function noticeOf({ refusal, elsewhere, isAmbiguous }: Outcome, teller: Teller): Notice | null {
  if (refusal !== null) return refusalNotice(refusal, teller);
  if (isAmbiguous) return told(() => teller.say("told.ambiguous"));
  return elsewhere === null ? null : told(() => elsewhereWords(teller, elsewhere));
}

/** Why the rules refuse a wish; a card that is not held is named. */
export function refusalNotice({ code, rule, card }: Refusal, teller: Teller): Notice {
  if (code === NOT_HELD && card !== undefined) {
    return told(() => say("refusal.card_not_held.sign", { card: teller.noCard(card) }), rule);
  }
  return told(() => ruleText(code), rule);
}

function elsewhereWords(teller: Teller, { card, target }: Legal): string {
  const to = teller.to(target ?? 0);
  if (card == null) return teller.say("told.elsewhere_back", { to });
  return teller.say("told.elsewhere", { card: teller.Card(card), to });
}

function told(words: () => string, rule: string | null = null): Notice {
  return {
    get text() {
      return words();
    },
    rule,
  };
}
