"""Learning what a crew is worth from games of a bot against itself, by temporal differences."""

from typing import Final

from mypy_extensions import i64

from cartagena.bots.evaluation.linear import (
    CARDS,
    GOLD_CARD,
    HELD,
    MOST_CARDS,
    MOST_HELD,
    ROLE,
    TEMPO,
    TO_MOVE,
    WAITING,
    WEIGHTS,
    Worth,
    cards_kept,
    first_place,
    softmax,
)
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import Survey
from cartagena.bots.training.self_play import follow, pick
from cartagena.rules.crew import Crew
from cartagena.rules.places import HOME, PLACES, SLOOP, START, number_in
from cartagena.rules.position import OVER, Position
from cartagena.rules.ruleset import CREW_SIZE

REACH: Final = 4
"""Two places this many spaces apart have nothing in common any more."""
OTHER_ROLE: Final = 0.5
"""How much a weight has in common with its counterpart in the other role."""


class Ripple:
    """A weight that moves along when another one learns, by a share of its step."""

    def __init__(self, feature: i64, share: float) -> None:
        self.feature = feature
        self.share = share


class TurnStart:
    """The beginning of a turn: which weights count for each seat."""

    def __init__(self, position: Position) -> None:
        seats: i64 = len(position.crews)
        self.seats: list[list[int]] = []
        for seat in range(seats):
            role: i64 = TO_MOVE if seat == position.seat else WAITING
            features = [role + feature for feature in features_of(position, position.crews[seat])]
            features.append(TEMPO + (seat - position.seat + seats) % seats)
            self.seats.append(features)

    def chances(self, worth: Worth) -> list[float]:
        """The chances of the seats as the weights are now."""
        worths: list[float] = []
        for features in self.seats:
            total = 0.0
            for feature in features:
                total += worth.weights[feature]
            worths.append(total)
        return softmax(worths)

    def learn(self, worth: Worth, chances: list[float], better: list[float], rate: float) -> None:
        """Move the weights so that the chances come nearer to better ones."""
        for seat in range(len(self.seats)):
            step = rate * (better[seat] - chances[seat])
            for feature in self.seats[seat]:
                for ripple in RIPPLES[feature]:
                    worth.weights[ripple.feature] += step * ripple.share


def ripples_of(feature: int) -> list[Ripple]:
    """The weights that learn with a weight: itself, its neighbours, and their counterparts in the other role.

    What holds on one space nearly holds on the next. Without this, a space that a few unlucky games
    gave a bad name would never be tried again.
    """
    if feature >= TEMPO:
        return [Ripple(feature, 1.0)]
    role, kind = divmod(feature, ROLE)
    ripples: list[Ripple] = []
    for neighbour, share in neighbours_of(kind):
        ripples.append(Ripple(role * ROLE + neighbour, share))
        ripples.append(Ripple((1 - role) * ROLE + neighbour, share * OTHER_ROLE))
    return ripples


def neighbours_of(kind: int) -> list[tuple[int, float]]:
    """The weights near one of the same role and kind, and how much each has in common with it."""
    if kind < CARDS:
        first = kind // PLACES * PLACES
        place = kind - first
        if place in {START, HOME}:
            return [(kind, 1.0)]
        return [
            (first + near, 1.0 - abs(near - place) / REACH)
            for near in range(START + 1, HOME)
            if abs(near - place) < REACH
        ]
    if kind < HELD:
        home, cards = divmod(kind - CARDS, MOST_CARDS + 1)
        return [
            (
                CARDS + stage * (MOST_CARDS + 1) + number,
                (1.0 - abs(number - cards) / 2) / (1 + abs(stage - home)),
            )
            for stage in range(max(0, home - 1), min(CREW_SIZE, home + 2))
            for number in range(max(0, cards - 1), min(MOST_CARDS, cards + 1) + 1)
        ]
    return [(kind, 1.0)]


RIPPLES: Final = [ripples_of(feature) for feature in range(WEIGHTS)]


def features_of(position: Position, crew: Crew) -> list[int]:
    """The weights that count for a crew, without its role, each as often as it counts."""
    at = first_place(position)
    features: list[int] = [at + place for place in crew.places(SLOOP)]
    cards = cards_kept(position, crew)
    features.append(CARDS + crew.home * (MOST_CARDS + 1) + (min(MOST_CARDS, cards)))
    hand = crew.hand
    while hand:
        held = hand & 255
        if held:
            features.append(HELD + (min(MOST_HELD, held)))
        hand >>= 8
    return features + [GOLD_CARD] * number_in(crew.gold)


def remembered_game(position: Position, survey: Survey, temperature: float, dice: Dice) -> list[TurnStart]:
    """Play a game to its end and keep the beginning of every turn."""
    moments = [TurnStart(position)]
    turn = position.turn
    while position.phase != OVER:
        follow(position, pick(survey.look(position), temperature, dice), dice)
        if position.turn != turn and position.phase != OVER:
            turn = position.turn
            moments.append(TurnStart(position))
    return moments


def learn_from(
    worth: Worth, moments: list[TurnStart], result: list[float], rate: float, trace: float
) -> None:
    """Go back through a game: each moment learns from what came of it, mixed with the next one's chances."""
    better = result
    number: i64 = len(moments) - 1
    while number >= 0:
        moment = moments[number]
        chances = moment.chances(worth)
        moment.learn(worth, chances, better, rate)
        better = [trace * better[seat] + (1.0 - trace) * chances[seat] for seat in range(len(better))]
        number -= 1
