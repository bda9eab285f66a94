"""What a crew is worth: a sum of weights over its pirates' places and its cards.

The chances of the seats to win are the softmax of what their crews are worth. A sum is all that is
needed: whatever depends on who stands in whose way is left to the search. The simplest and the strongest
levels use the same sums with different weights.
"""

import math
from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from cartagena.rules.crew import Crew
from cartagena.rules.families.freebooter import HAND_LIMIT
from cartagena.rules.families.sloop import DOCK_TWO
from cartagena.rules.places import HOME, PLACES, SLOOP, START, number_in, place_of
from cartagena.rules.position import NOBODY, OVER, TRIM, Position
from cartagena.rules.ruleset import CREW_SIZE, MOST_SEATS

# Where each kind of weight begins. All but the tempo stand twice in the one list of weights, because cards
# and places are worth more or less to a seat whose turn is now than to one that waits.
AT: Final = 0
"""A pirate on each place; in the Nest while the sloop lies at dock one."""
AT_DOCK_TWO: Final = PLACES
"""A pirate on each place of the Nest while the sloop lies at dock two."""
CARDS: Final = 2 * PLACES
"""The number of cards in the hand, told apart by how many pirates are home."""
MOST_CARDS: Final = 23
"""From this number of cards on, each further one is worth as much as the last."""
HELD: Final = CARDS + CREW_SIZE * (MOST_CARDS + 1)
"""Cards of one sign in the hand, up to eight."""
MOST_HELD: Final = 8
GOLD_CARD: Final = HELD + MOST_HELD + 1
"""Each gold card."""
ROLE: Final = GOLD_CARD + 1
"""How many weights there are for one role."""
TO_MOVE: Final = 0
"""The role of the seat whose turn is now."""
WAITING: Final = ROLE
"""The role of all others."""
TEMPO: Final = 2 * ROLE
"""How many turns a seat has to wait for its own."""
WEIGHTS: Final = TEMPO + MOST_SEATS


class Worth:
    """One set of weights."""

    def __init__(self, weights: Sequence[float]) -> None:
        assert len(weights) == WEIGHTS
        self.weights = list(weights)

    def of_places(self, position: Position, crew: Crew, role: i64) -> float:
        """What the places of a crew's pirates are worth."""
        weights = self.weights
        at = role + first_place(position)
        total = weights[at + START] * float(crew.at_start) + weights[at + HOME] * float(crew.home)
        if crew.aboard:
            total += weights[at + SLOOP] * float(crew.aboard)
        spaces = crew.first
        while spaces:
            space = spaces & -spaces
            total += weights[at + place_of(space)] * float(crew.count(space))
            spaces ^= space
        return total

    def of_number(self, home: i64, cards: i64, role: i64) -> float:
        """What it is worth to hold `cards` cards with `home` pirates home."""
        if home >= CREW_SIZE:
            return 0.0
        row = role + CARDS + home * (MOST_CARDS + 1)
        if cards <= MOST_CARDS:
            return self.weights[row + cards]
        last = self.weights[row + MOST_CARDS]
        return last + (last - self.weights[row + MOST_CARDS - 1]) * float(cards - MOST_CARDS)

    def of_held(self, cards: i64, role: i64) -> float:
        """What it is worth to hold `cards` cards of one sign."""
        return self.weights[role + HELD + (min(MOST_HELD, cards))]

    def of_signs(self, hand: i64, role: i64) -> float:
        """What the signs of the plain cards of a hand are worth."""
        total = 0.0
        while hand:
            if hand & 255:
                total += self.of_held(hand & 255, role)
            hand >>= 8
        return total

    def of_one_more(self, hand: i64, signs: i64, role: i64) -> float:
        """What the sign of one more unseen card is worth on average."""
        total = 0.0
        for _ in range(signs):
            total += self.of_held((hand & 255) + 1, role) - self.of_held(hand & 255, role)
            hand >>= 8
        return total / float(signs)

    def of_gold(self, gold: i64, role: i64) -> float:
        """What the gold cards of a hand are worth beyond their number."""
        return float(number_in(gold)) * self.weights[role + GOLD_CARD]

    def of_crew(self, position: Position, crew: Crew, role: i64) -> float:
        """What a crew is worth, all its cards seen."""
        total = self.of_places(position, crew, role) + self.of_signs(crew.hand, role)
        total += self.of_number(crew.home, cards_kept(position, crew), role)
        return total + self.of_gold(crew.gold, role)

    def of_seat(self, position: Position, seat: i64, mover: i64) -> float:
        """What a seat's crew is worth, and its tempo, when it is the turn of the seat `mover`."""
        seats: i64 = len(position.crews)
        tempo = self.weights[TEMPO + (seat - mover + seats) % seats]
        return tempo + self.of_crew(position, position.crews[seat], TO_MOVE if seat == mover else WAITING)

    def chances(self, position: Position) -> list[float]:
        """The chance of every seat to win."""
        seats = len(position.crews)
        if position.phase == OVER:
            if position.winner == NOBODY:
                return [1.0 / float(seats)] * seats
            return [1.0 if seat == position.winner else 0.0 for seat in range(seats)]
        return softmax([self.of_seat(position, seat, position.seat) for seat in range(seats)])


def softmax(worths: list[float]) -> list[float]:
    """Chances in proportion to the exponentials of worths."""
    most = max(worths)
    shares: list[float] = []
    total = 0.0
    for worth in worths:
        share = math.exp(worth - most)
        shares.append(share)
        total += share
    for seat in range(len(shares)):
        shares[seat] /= total
    return shares


def first_place(position: Position) -> i64:
    """Where the weights of the places begin, as the sloop lies."""
    return AT_DOCK_TWO if position.dock == DOCK_TWO else AT


def cards_kept(position: Position, crew: Crew) -> i64:
    """How many cards a crew has, or will have when a trim that is under way is over."""
    cards = crew.hand_size()
    if position.phase == TRIM and cards > HAND_LIMIT:
        return HAND_LIMIT
    return cards
