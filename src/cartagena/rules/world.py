"""Worlds: positions drawn by chance among those that fit a view.

Every order of the deal and of each shuffle that fits all that the viewer was told is equally likely;
nothing is supposed about what seats like to play. Where hidden hands laid down cards, those orders are
too many to count, so one of them is mixed: slots change their cards again and again, as long as every
card that was laid down could still be laid down. The first world takes FIRST_TRIES for each unseen
card that came to a hand, each further one of the same `Worlds` takes MORE_TRIES.
"""

from bisect import bisect_left
from collections import Counter
from random import Random
from typing import Final

from cartagena.rules.board import SLOOP, spaces_of
from cartagena.rules.crew import Crew
from cartagena.rules.memory import UNSEEN
from cartagena.rules.places import HOME, START, bit
from cartagena.rules.position import CHANCE, NOBODY, OVER, TRIM, Position
from cartagena.rules.unseen import KEYS, Unseen
from cartagena.rules.view import View

FIRST_TRIES: Final = 12
MORE_TRIES: Final = 4
STEP_BACK: Final = 0.02
TOGETHER: Final = 0.15
FEW: Final = 6


def world(view: View, chance: Random) -> Position:
    """A position that fits a view; its log begins anew, as if it had been laid out by hand."""
    return Worlds(view).draw(chance)


class Worlds:
    """All the positions that fit one view, to draw from as often as one likes."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._table = table_of(view)
        self._unseen = Unseen(view)
        self._bound = self._unseen.missing > 0
        self._begun = False

    def draw(self, chance: Random) -> Position:
        """One of them."""
        self._arrange(chance)
        position = self._table.copy()
        for seat in self._unseen.hidden:
            cards = self._unseen.hand(seat)
            chance.shuffle(cards)
            for number, (owner, _) in enumerate(self._view.trimmed):
                if owner == seat:
                    position.trimmed[number] = KEYS * seat + cards.pop()
            for card in cards:
                position.crews[seat].take(card)
        if self._view.stock is None:
            stock = self._unseen.stock()
            chance.shuffle(stock)
            position.order += bytes(stock)
        return position

    def _arrange(self, chance: Random) -> None:
        """Let the unseen cards lie in another order that fits."""
        if not self._bound:
            fill_slots(self._unseen, chance)
        elif self._begun:
            mix(self._unseen, MORE_TRIES, chance)
        else:
            begin(self._unseen, chance)
            mix(self._unseen, FIRST_TRIES, chance)
            self._begun = True


# Arranging the unseen cards.


def fill_slots(unseen: Unseen, chance: Random) -> None:
    """Put the cards of each pool into its slots at random."""
    for pool, group in zip(unseen.pools, unseen.groups, strict=True):
        chance.shuffle(pool)
        for slot, card in zip(group, pool, strict=True):
            unseen.cards[slot] = card


def begin(unseen: Unseen, chance: Random) -> None:
    """Find an order that fits: cards laid down go to slots of their hands first, the others anywhere."""
    pools = [Counter(pool) for pool in unseen.pools]
    slots = [unseen.slots_of(seat) for seat in range(unseen.seats)]
    for time, key in unseen.unmet():
        serve(unseen, pools, slots[key // KEYS], (time, key % KEYS), chance)
    for pool, group in zip(pools, unseen.groups, strict=True):
        rest = list(pool.elements())
        chance.shuffle(rest)
        for slot in group:
            if unseen.cards[slot] == UNSEEN:
                unseen.cards[slot] = rest.pop()
    unseen.weigh()
    mend(unseen, chance)


def serve(
    unseen: Unseen, pools: list[Counter[int]], slots: list[list[int]], laid: tuple[int, int], chance: Random
) -> None:
    """Put a card that was laid down at some time into any slot that its hand had filled before."""
    time, card = laid
    fitting = [
        (pool, group, number)
        for pool, group in zip(pools, slots, strict=True)
        if pool[card]
        for number in range(bisect_left(group, time, key=unseen.times.__getitem__))
    ]
    if fitting:
        pool, group, number = chance.choice(fitting)
        unseen.cards[group.pop(number)] = card
        pool[card] -= 1


def mend(unseen: Unseen, chance: Random) -> None:
    """Swap until no card that was laid down is missing; now and then a step back leads out of a corner."""
    while unseen.missing:
        slot, other = two_slots(unseen, chance)
        before = unseen.missing
        unseen.swap(slot, other)
        if unseen.missing > before and chance.random() >= STEP_BACK:
            unseen.swap(slot, other)


def mix(unseen: Unseen, tries: int, chance: Random) -> None:
    """Try so many swaps for each slot of a hidden hand, and keep those that fit."""
    together = TOGETHER if unseen.several else 0
    for _ in range(tries * (len(unseen.in_hands) + FEW)):
        if together and chance.random() < together:
            swap_together(unseen, chance)
            continue
        slot, other = two_slots(unseen, chance)
        if unseen.cards[slot] != unseen.cards[other] and unseen.may_swap(slot, other):
            unseen.swap(slot, other)


def swap_together(unseen: Unseen, chance: Random) -> None:
    """Two swaps or more at once: a card of one renewal may have to make up for a card of another."""
    swaps = [two_slots(unseen, chance), two_slots(unseen, chance)]
    while chance.random() < TOGETHER:
        swaps.append(two_slots(unseen, chance))
    for slot, other in swaps:
        unseen.swap(slot, other)
    if unseen.missing:
        for slot, other in reversed(swaps):
            unseen.swap(slot, other)


def two_slots(unseen: Unseen, chance: Random) -> tuple[int, int]:
    """A slot of some hidden hand and any slot filled from the same cards."""
    slots = unseen.in_hands
    slot = slots[int(chance.random() * len(slots))]
    peers = unseen.peers[slot]
    return slot, peers[int(chance.random() * len(peers))]


# Laying out the table.


def table_of(view: View) -> Position:
    """Everything of a view but the unseen cards."""
    position = Position(view.ruleset, view.board, [Crew() for _ in range(view.seats)])
    for seat, crew in enumerate(position.crews):
        muster(position, crew, view.pirates[seat])
        crew.most_home = view.most_home[seat]
        for card in view.hands[seat] or ():
            crew.take(card)
    position.order = bytes(view.row + (view.stock or ()))
    position.stock_top = len(view.row)
    position.discard = list(view.discard)
    position.trimmed = [KEYS * seat + (UNSEEN if card is None else card) for seat, card in view.trimmed]
    set_turn(position, view)
    return position


def muster(position: Position, crew: Crew, places: tuple[int, ...]) -> None:
    """The six pirates of a crew go to their places."""
    crew.at_start = places.count(START)
    crew.home = places.count(HOME)
    spaces = spaces_of(position.ruleset.family)
    for place in places:
        if spaces & bit(place):
            position.land(crew, bit(place))
    if position.in_nest:
        crew.aboard = places.count(SLOOP)


def set_turn(position: Position, view: View) -> None:
    """Whose turn it is, how far it has gone, and how the game ended if it did."""
    position.seat = view.turn_seat
    position.mover = position.crews[view.turn_seat]
    position.actions_used = view.actions_used
    position.dock = view.dock
    position.crossing_open = view.crossing_open
    if view.trimming:
        position.phase = TRIM
        position.trimmer = view.to_act
    elif view.over:
        position.phase = OVER
    position.order_due = view.to_act == CHANCE
    position.laying = position.order_due and view.ruleset.row_length > 0
    position.owed = view.owed
    position.turn = view.turn
    position.last_progress = view.last_progress
    position.renewals = view.renewals
    position.ending = view.ending
    position.winner = NOBODY if view.winner is None else view.winner
