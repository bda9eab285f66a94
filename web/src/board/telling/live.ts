/** The live sentences: what a screen reader is told as it happens, one sentence per event. */

import type { Happening, Legal, View, Wishes } from "../../api/messages";
import type { Chosen } from "../choosing";
import { decided, type ByHappening, type HappeningOf } from "../happenings";
import { countAt, HOME, isGold, NEST_SLOOP, sloopOf } from "../places";
import { choicesOf } from "../wishing";
import { tellPreview } from "./choices";
import { capital, type Teller } from "./words";

const ACTIONS = 3;

/** How many turns each seat has had. */
export function roundOf({ turn, pirates }: View): number {
  return Math.floor((turn - 1) / pirates.length);
}

export function actionsLeft(teller: Teller): number {
  return Math.max(0, ACTIONS - teller.view.actions_used);
}

/** What is said when the listener's turn begins. */
export function tellTurn(teller: Teller): string {
  const you = teller.people.you ?? 0;
  const cards = teller.count("told.you_hold", teller.view.hand_sizes[you] ?? 0);
  const turn = teller.count("told.your_turn", actionsLeft(teller), { cards });
  return teller.view.crossing_open ? `${turn} ${teller.say("told.captain")}` : turn;
}

/** What is said when a pirate or a card has been chosen: everything it can do. */
export function tellChosen(teller: Teller, wishes: Wishes, chosen: Chosen): string | null {
  const you = teller.people.you ?? 0;
  if (chosen.pirate === null) return chosen.card === null ? null : tellCard(teller, wishes, chosen.card);
  const choices = choicesOf(wishes, chosen.pirate, you);
  const shown = choices.find(({ code }) => code === chosen.preview);
  if (shown !== undefined) return tellPreview(teller, shown);
  const here = capital(placeWords(teller, chosen.pirate.place));
  const plays = choices.filter(({ kind }) => kind === "play").map((choice) => cardTo(teller, choice));
  const back = choices.filter(isBack).map((choice) => tellPreview(teller, choice));
  return [`${here}.`, ...(plays.length > 0 ? [`${capital(plays.join(", "))}.`] : []), ...back].join(" ");
}

function tellCard(teller: Teller, wishes: Wishes, card: string): string {
  const held = (teller.view.hands[teller.people.you ?? 0] ?? []).filter((each) => each === card).length;
  const ways = wishes.legal
    .filter((choice) => choice.card === card && choice.kind === "play")
    .map((choice) => tellPreview(teller, choice));
  return [teller.say("told.card", { card: teller.Card(card), number: held }), ...ways].join(" ");
}

function isBack({ kind }: Legal): boolean {
  return kind === "retreat" || kind === "decline";
}

/** The part of an update that has been told, and the whole update. */
interface Telling {
  teller: Teller;
  before: readonly Happening[];
  all: readonly Happening[];
}

/** The sentence for each kind of happening; null if another sentence covers it. */
const SENTENCES: ByHappening<[Telling], string | null> = {
  played: () => null,
  moved: (each, telling) => tellMoved(telling, each),
  drew: () => null,
  row_laid: (each, { teller }) =>
    teller.count("told.row", each.cards.length, { cards: cards(teller, each.cards) }),
  renewed: () => null,
  sailed: ({ dock }, { teller }) => tellSailed(teller, dock),
  trim_due: ({ surplus }, { teller, before }) => tellTrimDue(teller, surplus, before),
  trimmed: () => null,
  trim_shown: (each, { teller }) => {
    const shown = each.cards.flatMap(({ card }) => (card === null ? [] : [card]));
    return teller.say("told.trimmed", { cards: cards(teller, shown) });
  },
  passed: ({ seat }, { teller }) => teller.say("told.passed", { name: capital(teller.name(seat)) }),
  turn_ended: ({ next_seat: next }, { teller }) => (next === teller.people.you ? tellTurn(teller) : null),
  won: ({ seat }, { teller }) => tellWon(teller, seat),
  dead: ({ winner }, { teller }) =>
    winner === null
      ? teller.say("told.dead")
      : teller.say("told.dead_won", { name: capital(teller.name(winner)) }),
  quiet: ({ rounds }, { teller }) => teller.count("told.quiet", rounds),
};

/** The sentences for an update: the player's own deeds in full, those of others in short. */
export function tellHappened(teller: Teller, happened: readonly Happening[]): string[] {
  const told = happened.flatMap((each, index) => {
    const before = happened.slice(0, index);
    const sentence = decided(SENTENCES, each, { teller, before, all: happened }) ?? null;
    return sentence === null ? [] : [sentence];
  });
  const did = happened.some(
    (each) => (each.happening === "moved" || each.happening === "sailed") && each.seat === teller.people.you,
  );
  const isGoing = teller.view.turn_seat === teller.people.you && teller.view.ending === null;
  return did && isGoing ? [...told, teller.count("told.left", actionsLeft(teller))] : told;
}

type Moved = HappeningOf<"moved">;

function tellMoved({ teller, before, all }: Telling, moved: Moved): string {
  const played = before.find((each) => each.happening === "played");
  const [from, to] = [teller.from(moved.start), teller.to(moved.target)];
  const isYours = moved.seat === teller.people.you;
  const name = teller.otherName(moved.seat);
  const drawn = all.flatMap((each) =>
    each.happening === "drew" && each.seat === moved.seat ? [each.card] : [],
  );
  const sentence =
    played !== undefined
      ? teller.say(isYours ? "told.you_played" : "told.played", {
          name,
          card: isYours ? teller.Card(played.card) : teller.card(played.card),
          from,
          to,
        })
      : tellBack(teller, moved, drawn);
  return [sentence, ...tellArrival(teller, moved)].join(" ");
}

function tellBack(teller: Teller, moved: Moved, drawn: readonly (string | null)[]): string {
  const [from, to] = [teller.from(moved.start), teller.to(moved.target)];
  const isYours = moved.seat === teller.people.you;
  const values = { name: teller.otherName(moved.seat), crew: teller.object(moved.crew), from, to };
  const known = drawn.flatMap((card) => (card === null ? [] : [card]));
  const took =
    known.length > 0 && known.length === drawn.length
      ? teller.say("told.took", { cards: cards(teller, known) })
      : teller.count("told.took_number", drawn.length);
  const deed = moved.crew === moved.seat ? "back" : "pushed";
  return `${teller.say(isYours ? `told.you_${deed}` : `told.${deed}`, values)} ${drawn.length > 0 ? took : ""}`.trim();
}

/** A pirate that came home or aboard, and how many of its crew are there. */
function tellArrival(teller: Teller, { crew, target }: Moved): string[] {
  if (target !== HOME && !(teller.family === "nest" && target === NEST_SLOOP)) return [];
  const number = countAt(teller.view.pirates, crew, target);
  const key = target === sloopOf(teller.family) ? "aboard" : "home";
  const who = crew === teller.people.you ? "your" : "their";
  const most = target === HOME ? 6 : 3;
  return [teller.say(`told.${who}_${key}`, { name: teller.otherName(crew), number, most })];
}

function tellSailed(teller: Teller, dock: number): string {
  const aboard = teller.view.pirates.flatMap((_, crew) => {
    const number = countAt(teller.view.pirates, crew, NEST_SLOOP);
    return number === 0 ? [] : [teller.say("name.several", { number, name: teller.name(crew) })];
  });
  const sentence = teller.say("told.sailed", { where: teller.atDock(dock) });
  return aboard.length === 0
    ? sentence
    : `${sentence} ${teller.say("told.on_board", { names: aboard.join(", ") })}`;
}

function tellTrimDue(teller: Teller, surplus: readonly number[], before: readonly Happening[]): string {
  const played = before.find((each) => each.happening === "played" && isGold(each.card));
  const owing = surplus.flatMap((number, seat) =>
    number === 0 ? [] : [teller.count("told.owes", number, { name: capital(teller.name(seat)) })],
  );
  const name = capital(teller.name(played?.happening === "played" ? played.seat : teller.view.turn_seat));
  return [teller.say("told.freebooter", { name }), ...owing].join(" ");
}

/** The goal has its own name in each family. */
function tellWon(teller: Teller, seat: number): string {
  const { family } = teller;
  return teller.say(seat === teller.people.you ? `told.you_won.${family}` : `told.won.${family}`, {
    name: teller.otherName(seat),
    turn: teller.view.turn,
  });
}

function cardTo(teller: Teller, choice: Legal): string {
  return teller.say("told.card_to", {
    card: teller.card(choice.card ?? ""),
    to: teller.spot(choice.target ?? 0),
  });
}

function cards(teller: Teller, some: readonly string[]): string {
  return teller.list(some.map((card) => teller.card(card)));
}

function placeWords(teller: Teller, place: number): string {
  const spot = teller.spot(place);
  return /^\d/.test(spot) ? teller.words.say("place.space", { number: spot }) : spot;
}
