/** Actions in notation, as the analysis writes them, in the reader's language; see docs/notation.md. */

import type { Legal } from "../../api/messages";
import { say } from "../../words/words.svelte";
import type { Family } from "../../board/places";
import { LOOKS } from "../../ui/crews";
import { cardName, cardWithArticle } from "./telling";

/** A list of actions in words: `hat from 6, then retreat from 12`. */
export function wordsOf(actions: readonly string[], family: Family, names: readonly string[]): string {
  // The end of the turn goes without saying, unless it was the only action.
  const told = actions.length > 1 && actions.at(-1) === "end_turn" ? actions.slice(0, -1) : actions;
  const [first = "", ...rest] = told.map((action) => wordsOfOne(action, family, names));
  return rest.reduce((one, other) => say("web.replay.notation.then", { one, other }), first);
}

/** What follows the verb of an action, by which places it goes, and what the crews are called. */
interface Written {
  one: string;
  two: string;
  family: Family;
  names: readonly string[];
}

const VERBS: Readonly<Record<Legal["kind"], (written: Written) => string>> = {
  play: ({ one, two, family }) =>
    say("web.replay.notation.play", { card: cardName(one), place: fromPlace(two, family) }),
  retreat: ({ one, family }) => say("web.replay.notation.retreat", { place: fromPlace(one, family) }),
  decline: ({ one, family }) => say("web.replay.notation.decline", { place: fromPlace(one, family) }),
  push: ({ one, two, family, names }) =>
    say("web.replay.notation.push", { name: nameOfColour(one, names), place: fromPlace(two, family) }),
  trim: ({ one }) => say("web.replay.notation.trim", { card: cardWithArticle(one) }),
  sail: () => say("web.replay.notation.sail"),
  captain_sail: () => say("web.replay.notation.sail"),
  end_turn: () => say("web.replay.notation.end_turn"),
};

function wordsOfOne(action: string, family: Family, names: readonly string[]): string {
  const [verb = "", one = "", two = ""] = action.split(" ");
  // A service newer than this page may write more; notation is at least readable.
  return isKind(verb) ? VERBS[verb]({ one, two, family, names }) : action;
}

function isKind(verb: string): verb is Legal["kind"] {
  return Object.hasOwn(VERBS, verb);
}

/** Where a pirate comes from, as the notation writes it: a printed number, or the word for the place. */
function fromPlace(word: string, family: Family): string {
  if (/^\d+$/.test(word)) return say("web.board.from", { number: word });
  if (word === "start") return say(`place.start.${family}.from`);
  return word === "sloop" ? say("place.sloop.from") : say(`place.home.${family}.from`);
}

function nameOfColour(colour: string, names: readonly string[]): string {
  return names[LOOKS.findIndex(({ word }) => word === colour)] ?? colour;
}
