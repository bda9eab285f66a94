/** A sentence that says why a wish was not carried out, with its rule if there is one. */

import type { Legal, Wishes } from "../api/messages";
import type { Outcome, Vain } from "../board/choosing";
import { whatIsMissing, type Teller } from "../board/telling";
import { NOT_HELD, type Refusal } from "../board/wishing";
import { ruleText } from "../shell/problems";
import { say } from "../words/words.svelte";

export interface Notice {
  /** In the language at the time it is read. */
  readonly text: string;
  /** A number of the rulebook, such as `R4.7`. */
  rule: string | null;
}

/** What to say after a wish among `wishes`; null if it needs no answer. */
export function noticeOf(outcome: Outcome, teller: Teller, wishes: Wishes): Notice | null {
  const { refusal, elsewhere, vain } = outcome;
  if (refusal !== null) return refusalNotice(refusal, teller);
  if (vain !== null) return told(() => VAIN[vain](teller, wishes, outcome));
  return elsewhere === null ? null : told(() => elsewhereWords(teller, elsewhere));
}

/** A press while others choose gets an answer. */
export function waitingNotice(): Notice {
  return told(() => say("web.table.problem.not_your_turn"));
}

/** What is said about presses that changed nothing. */
const VAIN: Readonly<Record<Vain, (teller: Teller, wishes: Wishes, outcome: Outcome) => string>> = {
  ambiguous: (teller) => teller.say("told.ambiguous"),
  nobody: (teller) => teller.say("told.vain_nobody"),
  others: (teller, _, { whose: [only, ...others] }) =>
    only === undefined || others.length > 0
      ? teller.say("told.vain_others")
      : teller.say("told.vain_other", { name: teller.otherName(only) }),
  card: (teller, _, { chosen: { card } }) => teller.say("told.vain_card", { card: teller.Card(card ?? "") }),
  pirate: (teller) => teller.say("told.vain_pirate"),
  no_pirate: (teller) => teller.say("told.no_pirate_chosen"),
  incomplete: (teller, wishes, { chosen }) => whatIsMissing(teller, wishes, chosen),
};

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
