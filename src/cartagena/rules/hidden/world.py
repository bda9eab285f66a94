"""Worlds: positions drawn by chance among those that fit a view.

Every order of the deal and of each shuffle that fits all that the viewer was told is equally likely;
nothing is supposed about what seats like to play. Where hidden hands laid down cards, those orders are
too many to count, so one that fits is mixed: slots swap their cards again and again, as long as every
card laid down could still be laid down. The chain is symmetric and can reach every order that fits, so
in the long run all are equally likely; the tests compare it with exact counting.

A forced pass of the Nest, too, says something about a hidden hand; worlds do not use it.
"""

from random import Random
from typing import Final

from mypy_extensions import i64

from cartagena.rules.crew import Crew
from cartagena.rules.hidden.knowledge import UNSEEN
from cartagena.rules.hidden.provenance import SEED_BITS, Lots, find_fit
from cartagena.rules.hidden.slots import KEYS, Slot, Unseen, cards_of
from cartagena.rules.hidden.view import View
from cartagena.rules.position import CHANCE, NOBODY, OVER, TRIM, Position

FIRST_TRIES: Final = 20
"""Swaps tried for each unseen card that came to a hand, before the first world of a view is drawn."""

MORE_TRIES: Final = 4
"""Swaps tried for each such card between one world and the next."""

TOGETHER: Final = 15
"""How often, in per cent, several swaps are tried at once, and how often one more joins them."""

FEW: Final = 6
"""Extra attempts, counted as cards: views that hide few cards would otherwise get almost none."""


def world(view: View, chance: Random) -> Position:
    """Return a position that fits a view.

    `Worlds` of `cartagena.rules.hidden.world` is faster if you need many of the same view.
    """
    return Worlds(view).draw(chance)


class Worlds:
    """All the positions that fit one view; draw from them as often as you like."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._table = table_of(view)
        self._unseen = Unseen(view)
        self._bound = self._unseen.missing > 0
        self._begun = False

    def draw(self, chance: Random) -> Position:
        """R7.15: one of them; its log begins anew, as if it had been laid out by hand."""
        lots = Lots(chance.getrandbits(SEED_BITS))
        self._arrange(lots)
        position = self._table.copy()
        for seat in self._unseen.hidden:
            cards = self._unseen.hand(seat)
            lots.shuffle(cards)
            for number, (owner, _) in enumerate(self._view.trimmed):
                if owner == seat:
                    position.trimmed[number] = KEYS * seat + cards.pop()
            for card in cards:
                position.crews[seat].take(card)
        if self._view.stock is None:
            stock = self._unseen.stock()
            lots.shuffle(stock)
            position.order += bytes(stock)
        return position

    def _arrange(self, lots: Lots) -> None:
        """Let the unseen cards lie in another order that fits."""
        if not self._bound:
            fill_slots(self._unseen, lots)
        elif self._begun:
            mix(self._unseen, MORE_TRIES, lots)
        else:
            find_fit(self._unseen, lots)
            mix(self._unseen, FIRST_TRIES, lots)
            self._begun = True


# Arranging the unseen cards.


def fill_slots(unseen: Unseen, lots: Lots) -> None:
    """Put the cards of each pool into its slots at random."""
    for pool in unseen.pools:
        cards = cards_of(pool.counts)
        lots.shuffle(cards)
        for number in range(pool.slots):
            unseen.slots[pool.first_slot + number].card = cards[number]


def mix(unseen: Unseen, tries: i64, lots: Lots) -> None:
    """Try `tries` swaps for each slot of a hidden hand, and keep those that fit."""
    several = unseen.several
    for _ in range(tries * (unseen.in_hands + FEW)):
        if several and lots.happens(TOGETHER):
            swap_together(unseen, lots)
        else:
            slot = slot_in_hand(unseen, lots)
            other = slot_beside(unseen, slot, lots)
            if slot.card != other.card and unseen.may_swap(slot, other):
                unseen.swap(slot, other)


def swap_together(unseen: Unseen, lots: Lots) -> None:
    """Two swaps or more at once: a card of one renewal may have to make up for a card of another."""
    swapped: list[Slot] = []
    while len(swapped) < 4 or lots.happens(TOGETHER):  # noqa: PLR2004 - two swaps of two slots
        slot = slot_in_hand(unseen, lots)
        other = slot_beside(unseen, slot, lots)
        unseen.swap(slot, other)
        swapped.append(slot)
        swapped.append(other)
    if unseen.missing:
        while swapped:
            unseen.swap(swapped.pop(), swapped.pop())


def slot_in_hand(unseen: Unseen, lots: Lots) -> Slot:
    """Any slot of the hidden hands."""
    return unseen.slots[lots.below(unseen.in_hands)]


def slot_beside(unseen: Unseen, slot: Slot, lots: Lots) -> Slot:
    """Any slot that was filled from the same pool."""
    pool = slot.pool
    return unseen.slots[pool.first_slot + lots.below(pool.slots)]


# Laying out the table.


def table_of(view: View) -> Position:
    """Everything of a view but the unseen cards."""
    position = Position(view.ruleset, view.board, [Crew() for _ in range(view.seats)])
    for seat, crew in enumerate(position.crews):
        position.muster(crew, view.pirates[seat])
        crew.most_home = view.most_home[seat]
        for card in view.hands[seat] or ():
            crew.take(card)
    position.order = bytes(view.row + (view.stock or ()))
    position.stock_top = len(view.row)
    position.discard = list(view.discard)
    position.trimmed = [KEYS * seat + (UNSEEN if card is None else card) for seat, card in view.trimmed]
    set_turn(position, view)
    return position


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
    position.laying = position.order_due and is_laying(view)
    position.owed = view.owed
    position.turn = view.turn
    position.last_progress = view.last_progress
    position.renewals = view.renewals
    position.ending = view.ending
    position.winner = NOBODY if view.winner is None else view.winner


def is_laying(view: View) -> bool:
    """R5.15, R5.16, R5.19: whether an order that is due is for a row: one that lies needs no more cards."""
    if view.ruleset.short_row == "short" and view.row:
        return False
    return len(view.row) < view.ruleset.row_length
