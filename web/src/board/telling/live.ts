/** The live sentences: what a screen reader is told as it happens, one sentence for each event. */

import type { Happening, Legal, Wishes } from "../../api/messages";
import type { Chosen } from "../choosing";
import { countAt, HOME, isGold, NEST_SLOOP, sloopOf, type Place } from "../places";
import { choicesOf } from "../wishing";
import { capital, type Teller } from "./words";

const ACTIONS = 3;

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
  const back = choices.filter(({ kind }) => kind === "retreat").map((choice) => tellPreview(teller, choice));
  return [`${here}.`, ...(plays.length > 0 ? [`${capital(plays.join(", "))}.`] : []), ...back].join(" ");
}

function tellCard(teller: Teller, wishes: Wishes, card: string): string {
  const held = (teller.view.hands[teller.people.you ?? 0] ?? []).filter((each) => each === card).length;
  const ways = wishes.legal
    .filter((choice) => choice.card === card && choice.kind === "play")
    .map((choice) => tellPreview(teller, choice));
  return [teller.say("told.card", { card: teller.Card(card), number: held }), ...ways].join(" ");
}

/** "Pirate on 9 goes to 23, skipping 15." */
export function tellPreview(teller: Teller, choice: Legal): string {
  const { jumped = [], gains = 0 } = choice;
  const ends = { from: teller.spot(choice.start ?? 0), to: teller.spot(choice.target ?? 0) };
  switch (choice.kind) {
    case "retreat":
      return teller.count("told.retreat", gains, ends);
    case "push":
      return teller.count("told.push", gains, { ...ends, name: teller.otherName(choice.crew ?? 0) });
    case "trim":
      return teller.say("told.trim", { card: teller.card(choice.card ?? "") });
    default:
      return tellWay(teller, ends, jumped);
  }
}

function tellWay(teller: Teller, ends: { from: string; to: string }, jumped: readonly Place[]): string {
  if (jumped.length === 0) return teller.say("told.goes", ends);
  return teller.say("told.goes_skipping", { ...ends, skipped: teller.spots(jumped) });
}

/** The sentences for an update: one's own deeds in full, those of others short. */
export function tellHappened(teller: Teller, happened: readonly Happening[]): string[] {
  const told = happened.flatMap((each, index) => {
    const sentence = tellOne(teller, each, happened.slice(0, index), happened);
    return sentence === null ? [] : [sentence];
  });
  const did = happened.some(
    (each) => (each.happening === "moved" || each.happening === "sailed") && each.seat === teller.people.you,
  );
  const isGoing = teller.view.turn_seat === teller.people.you && teller.view.ending === null;
  return did && isGoing ? [...told, teller.count("told.left", actionsLeft(teller))] : told;
}

function tellOne(
  teller: Teller,
  each: Happening,
  before: readonly Happening[],
  all: readonly Happening[],
): string | null {
  switch (each.happening) {
    case "moved":
      return tellMoved(teller, each, before, all);
    case "row_laid":
      return teller.count("told.row", each.cards.length, { cards: cards(teller, each.cards) });
    case "sailed":
      return tellSailed(teller, each.dock);
    case "passed":
      return teller.say("told.passed", { name: capital(teller.name(each.seat)) });
    case "turn_ended":
      return each.next_seat === teller.people.you ? tellTurn(teller) : null;
    case "trim_due":
      return tellTrimDue(teller, each.surplus, before);
    case "trim_shown":
      return teller.say("told.trimmed", {
        cards: cards(
          teller,
          each.cards.map(({ card }) => card ?? ""),
        ),
      });
    default:
      return tellEnd(teller, each);
  }
}

type Moved = Extract<Happening, { happening: "moved" }>;

function tellMoved(
  teller: Teller,
  moved: Moved,
  before: readonly Happening[],
  all: readonly Happening[],
): string {
  const played = before.find((each) => each.happening === "played");
  const [from, to] = [teller.spot(moved.start), teller.spot(moved.target)];
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
  const [from, to] = [teller.spot(moved.start), teller.spot(moved.target)];
  const isYours = moved.seat === teller.people.you;
  const values = { name: teller.otherName(moved.seat), crew: teller.name(moved.crew), from, to };
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
  const sentence = teller.say("told.sailed", { where: teller.say(`dock.${dock}`) });
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

function tellEnd(teller: Teller, each: Happening): string | null {
  switch (each.happening) {
    case "won":
      return teller.say(each.seat === teller.people.you ? "told.you_won" : "told.won", {
        name: teller.otherName(each.seat),
        turns: teller.view.turn,
      });
    case "dead":
      return each.winner === null
        ? teller.say("told.dead")
        : teller.say("told.dead_won", { name: capital(teller.name(each.winner)) });
    case "quiet":
      return teller.count("told.quiet", each.rounds);
    default:
      return null;
  }
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
