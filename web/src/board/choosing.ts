/**
 * How a choice is put together: a pirate and a card, or a pirate and where it goes, either half first.
 *
 * Nothing here knows a rule. What is possible, what it does and why not stands in the wish table.
 */

import type { Legal, View, Wishes } from "../api/messages";
import { trimCode } from "./codes";
import { countAt, crewsAt, familyOf, HOME, isSpace, type Pirate, type Place } from "./places";
import {
  choicesOf,
  isTrimming,
  legalWith,
  NOT_HELD,
  playOf,
  refusalOf,
  refusalOfPirate,
  refusalOfPlay,
  refusalOfRetreat,
  type Refusal,
} from "./wishing";

/** What is chosen so far; `preview` is the code that the primary button would send. */
export interface Chosen {
  pirate: Pirate | null;
  card: string | null;
  preview: number | null;
}

export const NOTHING: Chosen = { pirate: null, card: null, preview: null };

/** The seat that is to choose, and what it can choose from. */
export interface Asked {
  view: View;
  wishes: Wishes;
  you: number;
}

/** Whether a complete choice is sent at once, or shown first and sent by the second press. */
export type Manner = "at_once" | "look_first";

export type Intent =
  | { kind: "place"; place: Place; manner: Manner }
  | { kind: "pirate"; pirate: Pirate }
  | { kind: "card"; card: string }
  | { kind: "choice"; code: number }
  | { kind: "retreat" }
  | { kind: "primary" }
  | { kind: "clear" };

/** A question that is left: which of several pirates on a place, or which of several cards. */
export interface Question {
  place: Place;
  crews: number[];
  choices: Legal[];
}

/**
 * Why a press changed nothing, where no rule forbids anything: several pirates would get there with the card,
 * none of the player's pirates stands there, only others' do, the card or the pirate leads elsewhere, no
 * pirate is chosen, or half of the choice is missing.
 */
export type Vain = "ambiguous" | "nobody" | "others" | "card" | "pirate" | "no_pirate" | "incomplete";

export interface Outcome {
  chosen: Chosen;
  /** The code to send. */
  send: number | null;
  refusal: Refusal | null;
  /** Where the pirate would really go, if not to the wished place. */
  elsewhere: Legal | null;
  vain: Vain | null;
  /** The crews whose pirates were pressed in vain. */
  whose: readonly number[];
  question: Question | null;
}

/** The outcome of an intent. */
export function choose(asked: Asked, chosen: Chosen, intent: Intent): Outcome {
  switch (intent.kind) {
    case "place":
      return onPlace(asked, chosen, intent);
    case "pirate":
      return withPirate(asked, chosen, intent.pirate);
    case "card":
      return onCard(asked, chosen, intent.card);
    case "choice":
      return sending(intent.code);
    case "retreat":
      return onRetreat(asked, chosen);
    case "primary":
      return chosen.preview === null ? inVain(chosen, "incomplete") : sending(chosen.preview);
    case "clear":
      return staying(NOTHING);
  }
}

/** The choice that is shown in full: what the primary button would do. */
export function previewOf(wishes: Wishes | null, chosen: Chosen): Legal | null {
  return wishes === null ? null : legalWith(wishes, chosen.preview);
}

/** The choices that lead to a place, given what is chosen so far; the chosen card comes before others. */
export function reaching(asked: Asked, chosen: Chosen, place: Place): Legal[] {
  const { pirate, card } = chosen;
  if (pirate === null) {
    if (card === null) return [];
    return asked.wishes.legal.filter((choice) => choice.card === card && choice.target === place);
  }
  const there = choicesOf(asked.wishes, pirate, asked.you).filter((choice) => choice.target === place);
  const withCard = there.filter((choice) => choice.card === card);
  return withCard.length > 0 ? withCard : there;
}

function onPlace(asked: Asked, chosen: Chosen, { place, manner }: { place: Place; manner: Manner }): Outcome {
  if (isTrimming(asked.wishes)) return inVain(chosen, "incomplete");
  const there = reaching(asked, chosen, place);
  if (there.length > 0) return towards(asked, chosen, { there, place, manner });
  const standing = selectableAt(asked, place);
  const isOwn = standing.includes(asked.you);
  if (isOwn && chosen.card !== null && chosen.pirate === null) {
    return cardForPirate(asked, { ...chosen, card: chosen.card }, { place, manner });
  }
  const [crew] = standing;
  if (crew === undefined) return whyNotThere(asked, chosen, place);
  if (standing.length > 1) return { ...staying(chosen), question: { place, crews: standing, choices: [] } };
  return withPirate(asked, chosen, { crew, place });
}

/** The crews on a place that can be chosen there: if only one of several can do anything, that one. */
function selectableAt({ view, wishes, you }: Asked, place: Place): number[] {
  const crews = [...new Set(crewsAt(view.pirates, place))];
  // In Cartagena players never move the pirates of others.
  const here = familyOf(view) === "nest" ? crews : crews.filter((crew) => crew === you);
  const able = here.filter((crew) => choicesOf(wishes, { crew, place }, you).length > 0);
  return able.length > 0 ? able : here.includes(you) ? [you] : here.slice(0, 1);
}

function towards(
  asked: Asked,
  chosen: Chosen,
  { there, place, manner }: { there: Legal[]; place: Place; manner: Manner },
): Outcome {
  const [choice] = there;
  if (choice === undefined) return staying(chosen);
  if (there.length > 1) {
    if (chosen.pirate === null) return inVain(chosen, "ambiguous");
    return { ...staying(chosen), question: { place, crews: [], choices: mostHeldFirst(asked, there) } };
  }
  // The player may have meant their own pirate there, and what is revealed cannot be taken back.
  const isRisky =
    choice.reveals === true && place !== HOME && countAt(asked.view.pirates, asked.you, place) > 0;
  return finishing(asked, chosen, choice, isRisky ? "look_first" : manner);
}

function finishing(asked: Asked, chosen: Chosen, choice: Legal, manner: Manner): Outcome {
  if (manner === "at_once" || chosen.preview === choice.code) return sending(choice.code);
  return staying(shown(choice, asked.you));
}

/** Everything of a choice chosen, ready for the primary button. */
export function shown(choice: Legal, you: number): Chosen {
  const pirate = choice.place == null ? null : { crew: choice.crew ?? you, place: choice.place };
  return { pirate, card: choice.card ?? null, preview: choice.code };
}

function cardForPirate(
  asked: Asked,
  chosen: Chosen & { card: string },
  { place, manner }: { place: Place; manner: Manner },
): Outcome {
  const choice = playOf(asked.wishes, chosen.card, place);
  if (choice !== null) return finishing(asked, chosen, choice, manner);
  return refusing(chosen, refusalOfPlay(asked.wishes, familyOf(asked.view), { card: chosen.card, place }));
}

function withPirate(asked: Asked, chosen: Chosen, pirate: Pirate): Outcome {
  const { wishes, you, view } = asked;
  if (chosen.pirate?.crew === pirate.crew && chosen.pirate.place === pirate.place) return staying(NOTHING);
  const choices = choicesOf(wishes, pirate, you);
  if (choices.length === 0) {
    const by = { family: familyOf(view), you, hand: view.hands[you] ?? [] };
    return refusing({ ...chosen, pirate: null, preview: null }, refusalOfPirate(wishes, pirate, by));
  }
  const isOwn = pirate.crew === you;
  const card = isOwn ? chosen.card : null;
  const only = isOwn ? choices.find((choice) => choice.card === card) : choices[0];
  return staying({ pirate, card, preview: only?.code ?? null });
}

function onCard(asked: Asked, chosen: Chosen, card: string): Outcome {
  const { wishes, you } = asked;
  if (isTrimming(wishes)) return onTrim(wishes, chosen, card);
  const pirate = chosen.pirate?.crew === you ? chosen.pirate : null;
  if (chosen.card === card) return staying({ pirate, card: null, preview: null });
  if (pirate !== null) return pirateWithCard(asked, pirate, card);
  const [only, ...others] = wishes.legal.filter((choice) => choice.kind === "play" && choice.card === card);
  if (only === undefined) return refusing(chosen, refusalOfCard(asked, card));
  // Only one pirate can use it: the move is shown, and a press on the pirate still plays it.
  return staying({ ...NOTHING, card, preview: others.length === 0 ? only.code : null });
}

function pirateWithCard({ view, wishes }: Asked, pirate: Pirate, card: string): Outcome {
  const choice = playOf(wishes, card, pirate.place);
  if (choice !== null) return staying({ pirate, card, preview: choice.code });
  return refusing(
    { pirate, card, preview: null },
    refusalOfPlay(wishes, familyOf(view), { card, place: pirate.place }),
  );
}

function onTrim(wishes: Wishes, chosen: Chosen, card: string): Outcome {
  if (chosen.card === card) return staying(NOTHING);
  const code = trimCode(card);
  return legalWith(wishes, code) === null
    ? refusing(chosen, refusalOf(wishes, code), card)
    : staying({ pirate: null, card, preview: code });
}

/** Why a card helps none of the seat's pirates: that it is not held, else the first reason found. */
function refusalOfCard({ view, wishes, you }: Asked, card: string): Refusal | null {
  const reasons = (view.pirates[you] ?? [])
    .map((place) => refusalOfPlay(wishes, familyOf(view), { card, place }))
    .filter((reason) => reason !== null);
  return reasons.find(({ code }) => code === NOT_HELD) ?? reasons[0] ?? null;
}

function onRetreat(asked: Asked, chosen: Chosen): Outcome {
  const { pirate } = chosen;
  if (pirate?.crew !== asked.you) return inVain(chosen, "no_pirate");
  const choice = choicesOf(asked.wishes, pirate, asked.you).find(({ kind }) => kind === "retreat");
  return choice ? sending(choice.code) : refusing(chosen, refusalOfRetreat(asked.wishes, pirate.place));
}

/** A press on a place where nothing can be chosen: why the chosen pirate or card does not lead there. */
function whyNotThere(asked: Asked, chosen: Chosen, place: Place): Outcome {
  const { pirate } = chosen;
  if (pirate === null) return whyNobody(asked, chosen, place);
  if (pirate.crew !== asked.you) return inVain(chosen, "pirate");
  const family = familyOf(asked.view);
  const isBack = place < pirate.place;
  const refusal = isBack
    ? refusalOfRetreat(asked.wishes, pirate.place)
    : isSpace(family, place)
      ? refusalOfPlay(asked.wishes, family, { card: asked.view.board[place] ?? "", place: pirate.place })
      : null;
  if (refusal !== null) return refusing(chosen, refusal);
  const elsewhere = isBack
    ? choicesOf(asked.wishes, pirate, asked.you).find(({ kind }) => kind === "retreat")
    : playOf(asked.wishes, asked.view.board[place] ?? "", pirate.place);
  return elsewhere ? { ...staying(chosen), elsewhere } : inVain(chosen, "pirate");
}

function whyNobody({ view }: Asked, chosen: Chosen, place: Place): Outcome {
  const whose = isSpace(familyOf(view), place) ? crewsAt(view.pirates, place) : [];
  if (whose.length > 0) return { ...inVain(chosen, "others"), whose };
  if (chosen.card !== null) return inVain(chosen, "card");
  return inVain(chosen, crewsAt(view.pirates, place).length > 0 ? "others" : "nobody");
}

function mostHeldFirst({ view, you }: Asked, choices: Legal[]): Legal[] {
  const hand = view.hands[you] ?? [];
  const held = ({ card }: Legal): number => hand.filter((each) => each === card).length;
  return choices.toSorted((one, other) => held(other) - held(one));
}

function staying(chosen: Chosen): Outcome {
  return { chosen, send: null, refusal: null, elsewhere: null, vain: null, whose: [], question: null };
}

function inVain(chosen: Chosen, vain: Vain): Outcome {
  return { ...staying(chosen), vain };
}

function sending(code: number): Outcome {
  return { ...staying(NOTHING), send: code };
}

/** A card that was wished for without a pirate is named beside the reason. */
function refusing(chosen: Chosen, refusal: Refusal | null, card?: string): Outcome {
  const named = refusal === null || card === undefined ? refusal : { ...refusal, card };
  return { ...staying(chosen), refusal: named };
}
