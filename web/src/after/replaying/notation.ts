/** Actions in notation, as the analysis names them, in the words of the reader; see docs/notation.md. */

import { say } from "../../words/words.svelte";
import type { Family } from "../../board/places";
import { LOOKS } from "../../ui/crews";
import { cardName } from "./telling";

/** The words for a row of actions: `hat from 6, then retreat from 12`. */
export function wordsOf(actions: readonly string[], family: Family, names: readonly string[]): string {
  // That a turn was handed on at last goes without saying, unless it was all.
  const told = actions.length > 1 && actions.at(-1) === "end_turn" ? actions.slice(0, -1) : actions;
  const [first = "", ...rest] = told.map((action) => wordsOfOne(action, family, names));
  return rest.reduce((one, other) => say("web.replay.notation.then", { one, other }), first);
}

function wordsOfOne(action: string, family: Family, names: readonly string[]): string {
  const [verb = "", one = "", two = ""] = action.split(" ");
  switch (verb) {
    case "play":
      return say("web.replay.notation.play", { card: cardName(one), place: placeWord(two, family) });
    case "retreat":
      return say("web.replay.notation.retreat", { place: placeWord(one, family) });
    case "push":
      return say("web.replay.notation.push", {
        name: nameOfColour(one, names),
        place: placeWord(two, family),
      });
    case "trim":
      return say("web.replay.notation.trim", { card: cardName(one) });
    case "sail":
    case "captain_sail":
      return say("web.replay.notation.sail");
    default:
      return say("web.replay.notation.end_turn");
  }
}

/** A place as the notation writes it: a printed number, or the word for what is there. */
function placeWord(word: string, family: Family): string {
  if (/^\d+$/.test(word)) return word;
  if (word === "start") return say(`place.start.${family}`);
  return word === "sloop" ? say("place.sloop") : say(`place.home.${family}`);
}

function nameOfColour(colour: string, names: readonly string[]): string {
  return names[LOOKS.findIndex(({ word }) => word === colour)] ?? colour;
}
