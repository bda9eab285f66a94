/** What a choice would do: the sentence of the turn box, the words on its button, and the spoken sentence. */

import type { Legal } from "../../api/messages";
import { capital, type Teller } from "./words";

/** One way to tell choices; a new kind does not compile until every way knows it. */
type Telling = Readonly<Record<Legal["kind"], (teller: Teller, choice: Legal) => string>>;

const SENTENCES: Telling = {
  play: (teller, choice) => {
    const { jumped = [] } = choice;
    const values = { ...endsOf(teller, choice), card: teller.cardWithArticle(choice.card ?? "") };
    return jumped.length === 0
      ? teller.say("turn.play", values)
      : teller.say("turn.play_skipping", { ...values, skipped: teller.spots(jumped) });
  },
  retreat: (teller, choice) => teller.count("turn.retreat", choice.gains ?? 0, endsOf(teller, choice)),
  decline: (teller, choice) => teller.say("turn.decline", endsOf(teller, choice)),
  push: (teller, choice) => teller.count("turn.push", choice.gains ?? 0, pushedOf(teller, choice)),
  trim: (teller, { card }) => teller.say("turn.trim_this", { card: teller.Card(card ?? "") }),
  sail: (teller, choice) => teller.say("turn.sail", { where: boundOf(teller, choice) }),
  captain_sail: (teller, choice) => teller.say("turn.captain_sail", { where: boundOf(teller, choice) }),
  end_turn: (teller) => teller.say("turn.end_turn"),
};

const BUTTONS: Telling = {
  play: (teller, choice) => teller.say("button.move", { to: endsOf(teller, choice).to }),
  retreat: (teller, choice) => teller.say("button.retreat", gainedOf(teller, choice)),
  decline: (teller, choice) => teller.say("button.decline", endsOf(teller, choice)),
  push: (teller, choice) => teller.say("button.push", gainedOf(teller, choice)),
  trim: (teller, { card }) => teller.say("button.trim", { card: teller.cardWithArticle(card ?? "") }),
  sail: (teller) => teller.say("button.sail"),
  captain_sail: (teller) => teller.say("button.captain_sail"),
  end_turn: (teller) => teller.say("button.end"),
};

const PREVIEWS: Telling = {
  play: (teller, choice) => {
    const { jumped = [] } = choice;
    const ends = endsOf(teller, choice);
    return jumped.length === 0
      ? teller.say("told.goes", ends)
      : teller.say("told.goes_skipping", { ...ends, skipped: teller.spots(jumped) });
  },
  retreat: (teller, choice) => teller.count("told.retreat", choice.gains ?? 0, endsOf(teller, choice)),
  decline: (teller, choice) => teller.say("told.decline", endsOf(teller, choice)),
  push: (teller, choice) => teller.count("told.push", choice.gains ?? 0, pushedOf(teller, choice)),
  trim: (teller, { card }) => teller.say("told.trim", { card: teller.cardWithArticle(card ?? "") }),
  // No pirate walks: the sentence of the turn box says everything.
  sail: SENTENCES.sail,
  captain_sail: SENTENCES.captain_sail,
  end_turn: SENTENCES.end_turn,
};

/** What a choice would do, as the turn box says it. */
export function sentenceOfChoice(teller: Teller, choice: Legal): string {
  return SENTENCES[choice.kind](teller, choice);
}

/** What the primary button says it will do; null if nothing is ready. */
export function primaryWords(teller: Teller, preview: Legal | null): string | null {
  // In some languages the place comes first.
  return preview === null ? null : capital(BUTTONS[preview.kind](teller, preview));
}

/** "The pirate goes from 9 to 23, skipping 15." */
export function tellPreview(teller: Teller, choice: Legal): string {
  return PREVIEWS[choice.kind](teller, choice);
}

function endsOf(teller: Teller, { start, target }: Legal): { from: string; to: string } {
  return { from: teller.from(start ?? 0), to: teller.to(target ?? 0) };
}

function pushedOf(teller: Teller, choice: Legal): { from: string; to: string; name: string } {
  return { ...endsOf(teller, choice), name: teller.otherName(choice.crew ?? 0) };
}

function gainedOf(teller: Teller, choice: Legal): { to: string; gains: number } {
  return { to: endsOf(teller, choice).to, gains: choice.gains ?? 0 };
}

/** Where the sloop would sail: "to the large island". */
function boundOf(teller: Teller, { dock }: Legal): string {
  return teller.toDock(dock ?? 1);
}
