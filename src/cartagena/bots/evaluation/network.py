"""Insight: the chances of the seats, read off more than a sum.

What a crew is worth counts each pirate and each card by itself. A lonely pirate far behind the others, or a
hand without a card that leads far, costs more than such a sum shows. A small net sees that: for each seat it
adds up a few dozen rectified sums of what it is told about the crew, and the chances are the softmax of its
answers. It looks at a table twice: as a turn begins, and after the best plan of that turn at first sight.
"""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from cartagena.bots.evaluation.linear import Worth, cards_kept, softmax
from cartagena.rules.crew import Crew
from cartagena.rules.families.sloop import DOCK_TWO
from cartagena.rules.families.table import rules_of
from cartagena.rules.places import HOME, SLOOP, lowest, number_in, place_of
from cartagena.rules.position import OVER, Position
from cartagena.rules.ruleset import CREW_SIZE, MOST_SEATS

# What the net is told of a seat, each in units that make it about as large as the rest.
PLACES_BEHIND: Final = 0
"""The places of the six pirates in travel order, the last pirate first; in ways from start to home."""
CARDS_HELD: Final = CREW_SIZE
"""How many cards the hand holds, in tens."""
LONGEST_JUMP: Final = CARDS_HELD + 1
"""How far the best card for that takes a pirate, in tens of spaces."""
SIGNS_HELD: Final = LONGEST_JUMP + 1
"""How many different signs the hand shows, in sixths."""
GOLD_HELD: Final = SIGNS_HELD + 1
"""How many gold cards it holds, in sixths."""
AT_DOCK_TWO: Final = GOLD_HELD + 1
"""Whether the sloop of the Nest lies at dock two."""
WORTH_BEFORE: Final = AT_DOCK_TWO + 1
"""What the crew is worth as the turn begins, compared with the average crew."""
WORTH_AFTER: Final = WORTH_BEFORE + 1
"""What the crew is worth after the plan, compared with the average crew."""
WAITS: Final = WORTH_AFTER + 1
"""One input for each number of turns that a seat has to wait for its own."""
INPUTS: Final = WAITS + MOST_SEATS

HIDDEN: Final = 12
"""How many rectified sums there are."""
SUM: Final = INPUTS + 2
"""How many weights belong to each: one for each input, what it begins with, and what it counts for."""
STRAIGHT: Final = HIDDEN * SUM
"""Here begin the weights of the inputs that go straight to the answer."""
INSIGHTS: Final = STRAIGHT + INPUTS
"""How many weights there are."""


class Insight:
    """One set of weights, on top of what crews are worth."""

    def __init__(self, worth: Worth, weights: Sequence[float]) -> None:
        assert len(weights) == INSIGHTS
        self.worth = worth
        self.weights = list(weights)

    def chances(self, before: Position, after: Position) -> list[float]:
        """The chances of the seats, where a turn begins and what its best plan leads to."""
        if after.phase == OVER:
            return self.worth.chances(after)
        return softmax([self.answer(inputs) for inputs in self.inputs(before, after)])

    def answer(self, inputs: list[float]) -> float:
        """What the net makes of the inputs of a seat."""
        weights = self.weights
        total = 0.0
        for number in range(INPUTS):
            total += weights[STRAIGHT + number] * inputs[number]
        first: i64 = 0
        while first < STRAIGHT:
            total += rectified(weights, first, inputs) * weights[first + INPUTS + 1]
            first += SUM
        return total

    def inputs(self, before: Position, after: Position) -> list[list[float]]:
        """What the net is told of each seat."""
        seats: i64 = len(after.crews)
        told: list[list[float]] = []
        mean_before = 0.0
        mean_after = 0.0
        for seat in range(seats):
            inputs = [0.0] * INPUTS
            tell_crew(inputs, after, after.crews[seat])
            inputs[WORTH_BEFORE] = self.worth.of_seat(before, seat, before.seat)
            inputs[WORTH_AFTER] = self.worth.of_seat(after, seat, after.seat)
            inputs[WAITS + (seat - after.seat + seats) % seats] = 1.0
            mean_before += inputs[WORTH_BEFORE] / float(seats)
            mean_after += inputs[WORTH_AFTER] / float(seats)
            told.append(inputs)
        for inputs in told:
            inputs[WORTH_BEFORE] -= mean_before
            inputs[WORTH_AFTER] -= mean_after
        return told


def rectified(weights: list[float], first: i64, inputs: list[float]) -> float:
    """Return the sum whose weights begin at `first`, or 0 if it is negative."""
    total = weights[first + INPUTS]
    for number in range(INPUTS):
        told = inputs[number]
        if told != 0.0:
            total += weights[first + number] * told
    return max(0.0, total)


def tell_crew(inputs: list[float], position: Position, crew: Crew) -> None:
    """Tell of a crew by itself."""
    tell_places(inputs, crew)
    inputs[CARDS_HELD] = float(cards_kept(position, crew)) / 10.0
    inputs[LONGEST_JUMP] = float(longest_jump(position, crew)) / 10.0
    signs: i64 = 0
    hand = crew.hand
    while hand:
        if hand & 255:
            signs += 1
        hand >>= 8
    inputs[SIGNS_HELD] = float(signs) / 6.0
    inputs[GOLD_HELD] = float(number_in(crew.gold)) / 6.0
    if position.dock == DOCK_TWO:
        inputs[AT_DOCK_TWO] = 1.0


def tell_places(inputs: list[float], crew: Crew) -> None:
    """Tell where the pirates of a crew are, the last one first."""
    number = crew.at_start
    aboard = crew.aboard
    spaces = crew.first
    while spaces:
        space = lowest(spaces)
        place = place_of(space)
        if place > SLOOP and aboard:
            number = tell_place(inputs, number, SLOOP, aboard)
            aboard = 0
        number = tell_place(inputs, number, place, crew.count(space))
        spaces ^= space
    number = tell_place(inputs, number, SLOOP, aboard)
    tell_place(inputs, number, HOME, crew.home)


def tell_place(inputs: list[float], number: i64, place: i64, pirates: i64) -> i64:
    """Tell that `pirates` pirates are at a place, after `number` others; return how many have been told."""
    for _ in range(pirates):
        inputs[PLACES_BEHIND + number] = float(place) / float(HOME)
        number += 1
    return number


def longest_jump(position: Position, crew: Crew) -> i64:
    """How many places ahead the best plain card of the hand would take a pirate of the crew."""
    longest: i64 = 0
    sign: i64 = 0
    hand = crew.hand
    rules = rules_of(position)
    walkers = rules.walkers(crew, position.dock)
    while hand:
        if hand & 255:
            sources = walkers
            while sources:
                source = lowest(sources)
                start = place_of(source)
                target = rules.target_of_play(position, crew, sign, start)
                if target:
                    longest = max(longest, place_of(target) - start)
                sources ^= source
        hand >>= 8
        sign += 1
    return longest
