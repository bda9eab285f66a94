/** Games that people play without pages, to reach quickly the position that a test wants. */

import type { Legal, TableAnswer, Terms } from "../src/api/messages";
import { HOME } from "../src/board/places";
import { isOver, play } from "./game";
import type { Person } from "./person";
import { momentOf, type Moment, type Player } from "./player";
import { chosenFrom } from "./strategy";

/** Which choice a seat takes; `actions` counts the actions before it. */
type Choose = (moment: Moment, actions: number) => Legal | undefined;

/** Start a game with these people, and return its id. */
export async function begun(
  people: readonly Person[],
  terms: Partial<Terms> & Pick<Terms, "ruleset">,
): Promise<string> {
  const [host, ...guests] = people;
  if (host === undefined) throw new Error("nobody plays");
  const { id } = await host.openTable({ seats: people.length, ...terms });
  for (const guest of guests) await guest.command(id, "sit");
  await host.command(id, "start");
  return id;
}

/** Play until the game is over, or until `isEnough` is true of what the first person sees. */
export async function playOverWire(
  people: readonly Person[],
  id: string,
  choose: Choose,
  isEnough: (told: TableAnswer, actions: number) => boolean = isOver,
): Promise<void> {
  const [first] = people;
  if (first === undefined) throw new Error("nobody plays");
  let actions = 0;
  for (
    let told = await first.look(id);
    !isOver(told) && !isEnough(told, actions);
    told = await first.look(id)
  ) {
    const { kind } = await act(people, id, told, (moment) => choose(moment, actions));
    if (kind !== "end_turn") actions++;
  }
}

/** Play a whole game by hand; the others answer without pages, as if they sat at other machines. */
export async function playAgainst(others: readonly Person[], player: Player): Promise<void> {
  const { seat } = await player.look();
  const isTurn = ({ current }: TableAnswer): boolean => current.view?.to_act === seat;
  for (;;) {
    await playOverWire(others, player.table, homeward, isTurn);
    if (isOver(await player.look())) return;
    await player.act();
  }
}

/** Choices made by hand at the beginning: two turns. */
export const OPENING = 6;

/** Play the beginning and the end by hand, and the middle without; `each` runs before each choice. */
export async function playEnds(
  players: readonly Player[],
  each: (told: TableAnswer) => Promise<void> = () => Promise.resolve(),
): Promise<TableAnswer> {
  const told = await play(players, OPENING, each);
  if (!isOver(told)) await playToEnding(players);
  return play(players, undefined, each);
}

/** Play without hands until a crew has only one pirate left to bring home. */
export async function playToEnding(players: readonly Player[]): Promise<void> {
  const people = players.map(({ person }) => person);
  await playOverWire(people, players[0]?.table ?? "", homeward, isEnding);
}

/** Whether a crew has only one pirate left to bring home. */
export function isEnding({ current: { view } }: TableAnswer): boolean {
  return view?.pirates.some((places) => places.filter((place) => place !== HOME).length === 1) ?? false;
}

/** The seat to act makes the choice of `choose`; `seen` is what the first person sees. */
async function act(
  people: readonly Person[],
  id: string,
  seen: TableAnswer,
  choose: (moment: Moment) => Legal | undefined,
): Promise<Legal> {
  for (const person of people) {
    const told = person === people[0] ? seen : await person.look(id);
    const moment = momentOf(told);
    const choice = moment === null ? undefined : choose(moment);
    if (choice === undefined) continue;
    await person.command(id, "actions", { seq: told.current.seq, code: choice.code });
    return choice;
  }
  throw new Error("nobody has a choice");
}

/** Play towards home. */
export function homeward({ legal, view, seat }: Moment): Legal {
  return chosenFrom(legal, view, seat);
}

/** Play anything but the way home for `actions` actions, then the way home: a game that is long, and ends. */
export function anything(actions: number): Choose {
  return (moment, made) => {
    if (made >= actions) return homeward(moment);
    const staying = moment.legal.filter(({ target }) => target !== HOME);
    const choices = staying.length > 0 ? staying : moment.legal;
    return choices[(made * 7) % choices.length];
  };
}

/** The first seat takes all the cards it can get; the others play slowly and wait for it. */
export function hoarding({ legal, seat }: Moment): Legal | undefined {
  const worth = seat === 0 ? worthOfHoarding : worthOfWaiting;
  return legal.toSorted((one, other) => worth(other) - worth(one))[0];
}

function worthOfHoarding({ kind, gains, start, target }: Legal): number {
  const walked = (target ?? 0) - (start ?? 0);
  if (kind === "retreat") return 100 + 20 * (gains ?? 0) + walked / 10;
  return kind === "play" ? 50 + walked - (target === HOME ? 40 : 0) : 0;
}

function worthOfWaiting({ kind, start, target }: Legal): number {
  if (kind === "play") return target === HOME ? -2 : 50 - ((target ?? 0) - (start ?? 0));
  return kind === "retreat" ? -1 : 10;
}
