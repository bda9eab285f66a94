/** A hint as a sentence. */

import type { Legal } from "../../api/messages";
import type { Teller } from "../../board/telling";

/** The sentence for each kind of choice that may be advised. */
const SENTENCES: Readonly<Record<Legal["kind"], string>> = {
  play: "web.table.hint.play",
  retreat: "web.table.hint.retreat",
  decline: "web.table.hint.decline",
  push: "web.table.hint.push",
  sail: "web.table.hint.sail",
  captain_sail: "web.table.hint.captain_sail",
  trim: "web.table.hint.trim",
  end_turn: "web.table.hint.end_turn",
};

/** What the engine would do, and the resulting chance to win in per cent. */
export function hintText(teller: Teller, choice: Legal, chance: number): string {
  return teller.words.say(SENTENCES[choice.kind], {
    card: choice.card == null ? "" : teller.cardWithArticle(choice.card),
    from: teller.from(choice.start ?? 0),
    to: teller.to(choice.target ?? 0),
    chance,
  });
}
