/** Saying what was done: one line for the details, one sentence for screen readers. */

import { decided, type ByHappening } from "../../board/happenings";
import { familyOf, isGold, numberOf, signOf, sloopOf, START, type Family } from "../../board/places";
import { endOfWay } from "../../board/telling";
import type { Happening, View } from "../../api/messages";
import { count, say } from "../../words/words.svelte";
import type { Deed, DeedKind } from "./deeds";
import type { Moment } from "./moments";

/** A card by its word: `dagger`, or `gold map` in the words of the catalogue; unknown cards are just cards. */
export function cardName(card: string | null): string {
  if (card === null) return say("web.replay.card.unknown");
  const sign = say(`sign.${signOf(card)}`);
  return isGold(card) ? say("card.gold", { sign }) : sign;
}

/** A card as the object of a verb, with the article that its language needs. */
export function cardWithArticle(card: string | null): string {
  if (card === null) return say("web.replay.card.unknown");
  return say(`sign.${signOf(card)}.with_article`, { card: cardName(card) });
}

/** A place as briefly as possible: the number of a space, or its name. */
export function placeName(view: View, place: number | null): string {
  if (place === null) return "";
  const family = familyOf(view);
  const number = numberOf(family, place);
  if (number !== null) return String(number);
  if (place === START) return say(`place.start.${family}`);
  return place === sloopOf(family) ? say("place.sloop") : say(`place.home.${family}`);
}

/** The verb of a deed, for the details: `Dagger`, `Retreat`, `Push Ines`. */
export function headOf(deed: Deed, names: readonly string[]): string {
  return HEADS[deed.kind](deed, names);
}

const HEADS: Readonly<Record<DeedKind, (deed: Deed, names: readonly string[]) => string>> = {
  play: ({ card }) => capital(cardName(card)),
  retreat: () => say("web.replay.deed.retreat"),
  push: ({ crew, seat }, names) => say("web.replay.deed.push", { name: names.at(crew ?? seat) ?? "" }),
  sail: ({ unasked }) => say(unasked ? "web.replay.deed.sail_unasked" : "web.replay.deed.sail"),
  trim: ({ seat, card }, names) =>
    say("web.replay.deed.trim", { name: names.at(seat) ?? "", card: cardWithArticle(card) }),
  pass: ({ unasked }) => say(unasked ? "web.replay.deed.pass_unasked" : "web.replay.deed.pass"),
};

/** What a deed brought: `takes 2: key, hat`; empty if nothing. */
export function gainOf({ drawn }: Deed): string {
  const known = drawn.filter((card) => card !== null).map(cardName);
  if (drawn.length === 0) return "";
  if (known.length < drawn.length) return count("web.replay.deed.gain_unknown", drawn.length);
  return count("web.replay.deed.gain", drawn.length, { cards: known.join(", ") });
}

/** What else followed from an action: a new row, a new stock, the end. */
export function extrasOf(happened: readonly Happening[], family: Family, names: readonly string[]): string[] {
  return happened.map((each) => decided(EXTRAS, each, family, names) ?? "").filter((text) => text !== "");
}

/** What each kind of happening adds to the details; empty if the action itself says it. */
const EXTRAS: ByHappening<[Family, readonly string[]], string> = {
  played: () => "",
  moved: () => "",
  drew: () => "",
  row_laid: () => say("web.replay.extra.row_laid"),
  renewed: () => say("web.replay.extra.renewed"),
  sailed: () => "",
  trim_due: () => say("web.replay.extra.trim_due"),
  trimmed: () => "",
  trim_shown: () => "",
  passed: () => "",
  turn_ended: () => "",
  won: ({ seat }, family, names) => say(`web.replay.extra.won.${family}`, { name: names[seat] ?? "" }),
  dead: () => say("web.replay.extra.dead"),
  quiet: () => say("web.replay.extra.quiet"),
};

/** Where in the game a moment stands: `Turn 20 of 44, action 2 of 3`. */
export function whereOf({ turn, action }: Moment, turns: number, actions: number): string {
  if (turn === 0) return say("web.replay.where.deal");
  return say("web.replay.where", { turn, turns, action, actions });
}

/** A moment as a sentence. */
export function sentenceOf({ deed, view, happened, turn }: Moment, names: readonly string[]): string {
  if (deed === null) return say("web.replay.where.deal");
  const family = familyOf(view);
  const path =
    deed.start === null || deed.target === null
      ? ""
      : say("web.replay.said.path", {
          start: endOfWay({ say }, family, { place: deed.start, end: "from" }),
          target: endOfWay({ say }, family, { place: deed.target, end: "to" }),
        });
  const parts = [headOf(deed, names), path, gainOf(deed)].filter((part) => part !== "").join(", ");
  const said = say("web.replay.said", { turn, name: names[deed.seat] ?? "", deed: parts });
  return [said, ...extrasOf(happened, family, names)].join(" ");
}

/** A chance as a whole number of percent. */
export function percentOf(chance: number | undefined): string {
  return say("web.replay.percent", { number: Math.round((chance ?? 0) * 100) });
}

/** A gain or loss as a number of percent with its sign. */
export function pointsOf(change: number): string {
  const points = percentOf(Math.abs(change));
  return change < 0 ? `−${points}` : `+${points}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
