"""How a table stands for the seat whose turn it is, and how one more choice would change that."""

import math
from typing import Final

from mypy_extensions import i64

from cartagena.bots.evaluation.linear import TEMPO, WAITING, Worth, cards_kept, first_place
from cartagena.rules.crew import Crew, one_card
from cartagena.rules.places import HOME, number_in
from cartagena.rules.position import WON, Position
from cartagena.rules.preview import NO_CARD, Foresight
from cartagena.rules.ruleset import CREW_SIZE

VICTORY: Final = 1000000.0
"""The rank of a table that is won; each action taken costs one, so that a win is not put off."""


class Hidden:
    """The cards of a hand that must not be looked at: plain ones packed, gold ones as a set."""

    def __init__(self) -> None:
        self.plain: i64 = 0
        self.gold: i64 = 0


class IncrementalFeatures:
    """The rank of a table for a seat: the logarithm of its odds to win if the turn ends here.

    A selfish rank looks at the seat's own crew alone.
    """

    def __init__(self, worth: Worth, position: Position, seat: i64, hidden: Hidden, *, selfish: bool) -> None:
        crew = position.crews[seat]
        self.worth = worth
        self.position = position
        self.seat = seat
        self.selfish = selfish
        self.at = WAITING + first_place(position)
        self.home = crew.home
        self.hand = crew.hand - hidden.plain
        self.cards = cards_kept(position, crew)
        self.signs: i64 = len(position.board.roads)
        self.one_more = worth.of_one_more(self.hand, self.signs, WAITING)
        self.own = self._own(crew, hidden)
        self.rivals: list[float] = [] if selfish else rivals_of(worth, position, seat)
        self.rank = self.own - odds_against(self.rivals, seat)
        if position.ending == WON:
            self.rank = VICTORY - float(position.actions_used)

    def _own(self, crew: Crew, hidden: Hidden) -> float:
        """What the seat's crew is worth; a card that is not looked at counts as an average one."""
        worth = self.worth
        total = worth.of_places(self.position, crew, WAITING) + worth.of_signs(self.hand, WAITING)
        total += worth.of_number(self.home, self.cards, WAITING)
        total += worth.of_gold(crew.gold & ~hidden.gold, WAITING)
        unseen = hidden.plain % 255 + number_in(hidden.gold)
        return total + self.one_more * float(unseen)

    def after(self, foresight: Foresight) -> float:
        """The rank of the table after a choice that was foreseen."""
        weights = self.worth.weights
        moved = weights[self.at + foresight.target] - weights[self.at + foresight.start]
        if foresight.crew != self.seat:
            return self._after_push(foresight, moved)
        home = self.home
        if foresight.target == HOME:
            home += 1
            if home == CREW_SIZE:
                return VICTORY - float(self.position.actions_used + 1)
        elif foresight.start == HOME:
            home -= 1
        cards = self.cards + foresight.draws
        if foresight.card != NO_CARD:
            cards -= 1
            held = (self.hand >> (8 * foresight.card)) & 255
            moved += self.worth.of_held(held - 1, WAITING) - self.worth.of_held(held, WAITING)
        else:
            moved += self._drawn(foresight.draws)
        return self.rank + moved + self._number(home, cards)

    def _after_push(self, foresight: Foresight, moved: float) -> float:
        """The rank after another crew's pirate was pushed."""
        cards = self.cards + foresight.draws
        gained = self._number(self.home, cards) + self._drawn(foresight.draws)
        if self.selfish:
            return self.rank + gained
        self.rivals[foresight.crew] += moved
        rank = self.own + gained - odds_against(self.rivals, self.seat)
        self.rivals[foresight.crew] -= moved
        return rank

    def _number(self, home: i64, cards: i64) -> float:
        """What it adds to hold another number of cards, or to have another number of pirates home."""
        before = self.worth.of_number(self.home, self.cards, WAITING)
        return self.worth.of_number(home, cards, WAITING) - before

    def _drawn(self, draws: i64) -> float:
        """What the signs of drawn cards are worth: those of the row are known, others count as average."""
        position = self.position
        if not position.ruleset.row_length:
            return self.one_more * float(draws)
        total = 0.0
        hand = self.hand
        for number in range(draws):
            card: i64 = position.order[position.row_head + number]
            held = (hand >> (8 * card)) & 255
            total += self.worth.of_held(held + 1, WAITING) - self.worth.of_held(held, WAITING)
            hand += one_card(card)
        return total


def rivals_of(worth: Worth, position: Position, seat: i64) -> list[float]:
    """What each crew is worth when the turn has passed on; the place of the seat holds only its tempo."""
    seats: i64 = len(position.crews)
    mover = (position.seat + 1) % seats
    worths: list[float] = []
    for other in range(seats):
        if other == seat:
            worths.append(worth.weights[TEMPO + (seat - mover + seats) % seats])
        else:
            worths.append(worth.of_seat(position, other, mover))
    return worths


def odds_against(worths: list[float], seat: i64) -> float:
    """The logarithm of the sum of the others' exponentials, less the seat's own tempo; 0 if selfish."""
    if not worths:
        return 0.0
    if len(worths) == 2:  # noqa: PLR2004 - with one rival there is nothing to add up
        return worths[1 - seat] - worths[seat]
    total = 0.0
    for other in range(len(worths)):
        if other != seat:
            total += math.exp(worths[other])
    return math.log(total) - worths[seat]
