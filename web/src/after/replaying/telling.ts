/** Saying what was done: one line for the details, one sentence for those who listen. */

import { familyOf, isGold, numberOf, signOf, sloopOf, START } from "../../board/places";
import type { Happening, View } from "../../api/messages";
import { count, say } from "../../words/words.svelte";
import type { Deed } from "./deeds";
import type { Moment } from "./moments";

/** A card by its word: `dagger`, or `gold map` in the words of the catalogue; unknown cards are just cards. */
export function cardName(card: string | null): string {
  if (card === null) return say("web.replay.card.unknown");
  const sign = say(`sign.${signOf(card)}`);
  return isGold(card) ? say("card.gold", { sign }) : sign;
}

/** A place as short as it can be: the number of a space, or the name of what is there. */
export function placeName(view: View, place: number | null): string {
  if (place === null) return "";
  const family = familyOf(view);
  const number = numberOf(family, place);
  if (number !== null) return String(number);
  if (place === START) return say(`place.start.${family}`);
  return place === sloopOf(family) ? say("place.sloop") : say(`place.home.${family}`);
}

/** The verb of a deed, for the details: `Dagger`, `Retreat`, `Push Ines`. */
export function headOf({ kind, card, crew, seat, unasked }: Deed, names: readonly string[]): string {
  switch (kind) {
    case "play":
      return capital(cardName(card));
    case "push":
      return say("web.replay.deed.push", { name: names.at(crew ?? seat) ?? "" });
    case "trim":
      return say("web.replay.deed.trim", { name: names.at(seat) ?? "", card: cardName(card) });
    default:
      return say(`web.replay.deed.${kind}${unasked ? "_unasked" : ""}`);
  }
}

/** What a deed brought: `takes 2: key, hat`; empty if nothing. */
export function gainOf({ drawn }: Deed): string {
  const known = drawn.filter((card) => card !== null).map(cardName);
  if (drawn.length === 0) return "";
  if (known.length < drawn.length) return count("web.replay.deed.gain_unknown", drawn.length);
  return count("web.replay.deed.gain", drawn.length, { cards: known.join(", ") });
}

/** What else came of an action: a new row, a new stock, the end. */
export function extrasOf(happened: readonly Happening[], names: readonly string[]): string[] {
  return happened.map((each) => extraOf(each, names)).filter((text) => text !== "");
}

function extraOf(happening: Happening, names: readonly string[]): string {
  switch (happening.happening) {
    case "row_laid":
      return say("web.replay.extra.row_laid");
    case "renewed":
      return say("web.replay.extra.renewed");
    case "trim_due":
      return say("web.replay.extra.trim_due");
    case "won":
      return say("web.replay.extra.won", { name: names[happening.seat] ?? "" });
    case "dead":
      return say("web.replay.extra.dead");
    case "quiet":
      return say("web.replay.extra.quiet");
    default:
      return "";
  }
}

/** Where in the game a moment stands: `Turn 20 of 44, action 2 of 3`. */
export function whereOf({ turn, action }: Moment, turns: number, actions: number): string {
  if (turn === 0) return say("web.replay.where.deal");
  return say("web.replay.where", { turn, turns, action, actions });
}

/** A moment as a sentence. */
export function sentenceOf({ deed, view, happened, turn }: Moment, names: readonly string[]): string {
  if (deed === null) return say("web.replay.where.deal");
  const path =
    deed.start === null
      ? ""
      : say("web.replay.said.path", {
          start: placeName(view, deed.start),
          target: placeName(view, deed.target),
        });
  const parts = [headOf(deed, names), path, gainOf(deed)].filter((part) => part !== "").join(", ");
  const said = say("web.replay.said", { turn, name: names[deed.seat] ?? "", deed: parts });
  return [said, ...extrasOf(happened, names)].join(" ");
}

/** A chance as a whole number of percent. */
export function percentOf(chance: number | undefined): string {
  return say("web.replay.percent", { number: Math.round((chance ?? 0) * 100) });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
