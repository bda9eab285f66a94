/** What is said on request: the last move, the hands, the clocks. */

import type { Happening, Table, View } from "../../api/messages";
import { stacksOf, familyOf } from "../../board/places";
import { tellHappened, Teller, type People } from "../../board/telling";
import { clockFace, timeLeft } from "../../connection/clock";
import type { LiveTable } from "../../connection/table.svelte";
import { longLeft } from "../../ui/deadline";
import * as words from "../../words/words.svelte";

const { count, say } = words;

/** The last action of any player. */
export function sayLastMove(
  history: readonly { happened: readonly Happening[] }[],
  view: View,
  people: People,
): string {
  const last = history.findLast(({ happened }) =>
    happened.some(({ happening }) => happening !== "turn_ended"),
  );
  if (last === undefined) return say("web.table.last_move.none");
  const teller = new Teller(words, people, view);
  return tellHappened(teller, last.happened).join(" ");
}

/** Every hand as far as the reader may know it. */
export function sayHands(view: View, names: readonly string[]): string {
  return names
    .map((name, seat) => {
      const hand = view.hands[seat];
      return hand == null
        ? count("web.table.hand.hidden", view.hand_sizes[seat] ?? 0, { name })
        : sayHand(view, name, hand);
    })
    .join(" ");
}

/** The time of every seat that has one. */
export function sayClocks(live: LiveTable, table: Table, names: readonly string[]): string {
  const { clock, standing } = live;
  if (clock === null || table.clock === null || standing === null) return say("web.table.clock.nobody");
  const now = performance.now();
  const isByMail = table.clock.kind === "correspondence";
  return names
    .flatMap((name, seat) => {
      // By correspondence only the seat to move has a deadline.
      if (isByMail && seat !== clock.running) return [];
      const left = timeLeft(clock, seat, standing.clockHeard, now);
      return [say("web.table.clock.of", { name, time: isByMail ? longLeft(left) : clockFace(left) })];
    })
    .join(" ");
}

function sayHand(view: View, name: string, hand: readonly string[]): string {
  const teller = new Teller(words, { names: [], you: null }, view);
  const held = stacksOf(hand, familyOf(view)).filter(({ number }) => number > 0);
  const cards = held.map(({ card, number }) =>
    number === 1 ? teller.card(card) : `${number} ${teller.card(card)}`,
  );
  return say("web.table.hand.open", {
    name,
    cards: cards.length === 0 ? say("card.none") : cards.join(", "),
  });
}
