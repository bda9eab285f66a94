"""Learning what a crew is worth from games of a bot against itself, by temporal differences."""

from collections.abc import Iterable, Sequence
from typing import Final

import torch
from torch import Tensor, nn

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
    cards_kept,
    first_place,
)
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import Survey, pick
from cartagena.rules.crew import Crew
from cartagena.rules.places import HOME, PLACES, SLOOP, START, number_in
from cartagena.rules.position import OVER, Position
from cartagena.rules.ruleset import CREW_SIZE
from research.training.self_play import follow

REACH: Final = 4
"""Two places this many spaces apart have nothing in common any more."""
OTHER_ROLE: Final = 0.5
"""How much a weight has in common with its counterpart in the other role."""

Moment = list[list[int]]
"""The beginning of a turn: for each seat the weights that count, each as often as it counts."""


class WorthModel(nn.Module):
    """The weights of `cartagena.bots.evaluation.linear`, as PyTorch trains them."""

    def __init__(self, weights: Sequence[float]) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.tensor(weights, dtype=torch.float64))

    def forward(self, counts: Tensor) -> Tensor:
        """The logarithms of the chances of the seats, for moments that `counted` counts."""
        return torch.log_softmax(counts @ self.weights, dim=-1)


def counted(moments: Sequence[Moment]) -> Tensor:
    """How often each weight counts: a number for each moment, seat and weight."""
    counts = torch.zeros(len(moments), len(moments[0]), WEIGHTS, dtype=torch.float64)
    for number, moment in enumerate(moments):
        for seat, features in enumerate(moment):
            counts[number, seat] += torch.bincount(torch.tensor(features), minlength=WEIGHTS)
    return counts


def moment_of(position: Position) -> Moment:
    """Which weights count for each seat."""
    seats = len(position.crews)
    seen: Moment = []
    for seat in range(seats):
        role = TO_MOVE if seat == position.seat else WAITING
        features = [role + feature for feature in features_of(position, position.crews[seat])]
        seen.append([*features, TEMPO + (seat - position.seat) % seats])
    return seen


def features_of(position: Position, crew: Crew) -> list[int]:
    """The weights that count for a crew, without its role."""
    at = first_place(position)
    features = [at + place for place in crew.places(SLOOP)]
    cards = cards_kept(position, crew)
    features.append(CARDS + crew.home * (MOST_CARDS + 1) + min(MOST_CARDS, cards))
    hand = crew.hand
    while hand:
        held = hand & 255
        if held:
            features.append(HELD + min(MOST_HELD, held))
        hand >>= 8
    return features + [GOLD_CARD] * number_in(crew.gold)


def in_common() -> Tensor:
    """How much each weight has in common with each other one: what it learns from a step of the other.

    What holds on one space nearly holds on the next. Without this, a space that a few unlucky games
    gave a bad name would never be tried again.
    """
    shares = torch.eye(WEIGHTS, dtype=torch.float64)
    for feature in range(TEMPO):
        role, kind = divmod(feature, ROLE)
        for neighbour, share in neighbours_of(kind):
            shares[role * ROLE + neighbour, feature] = share
            shares[(1 - role) * ROLE + neighbour, feature] = share * OTHER_ROLE
    return shares


def neighbours_of(kind: int) -> Iterable[tuple[int, float]]:
    """The weights near one of the same role and kind, and how much each has in common with it."""
    if kind < CARDS:
        first = kind // PLACES * PLACES
        place = kind - first
        if place not in {START, HOME}:
            for near in range(START + 1, HOME):
                if abs(near - place) < REACH:
                    yield first + near, 1.0 - abs(near - place) / REACH
            return
    elif kind < HELD:
        home, cards = divmod(kind - CARDS, MOST_CARDS + 1)
        for stage in range(max(0, home - 1), min(CREW_SIZE, home + 2)):
            for number in range(max(0, cards - 1), min(MOST_CARDS, cards + 1) + 1):
                share = (1.0 - abs(number - cards) / 2) / (1 + abs(stage - home))
                yield CARDS + stage * (MOST_CARDS + 1) + number, share
        return
    yield kind, 1.0


def remembered_game(position: Position, survey: Survey, temperature: float, dice: Dice) -> list[Moment]:
    """Play a game to its end and keep the beginning of every turn."""
    moments = [moment_of(position)]
    turn = position.turn
    while position.phase != OVER:
        follow(position, pick(survey.look(position), temperature, dice), dice)
        if position.turn != turn and position.phase != OVER:
            turn = position.turn
            moments.append(moment_of(position))
    return moments


class TemporalDifferences:
    """Moves the weights of a model, game by game.

    `trace` is how much of what a moment learns comes from the end of the game rather than from the next
    moment: the lambda of TD(lambda).
    """

    def __init__(self, model: WorthModel, trace: float) -> None:
        self.model = model
        self.trace = trace
        self.shares = in_common()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=1.0)

    def learn(self, moments: Sequence[Moment], result: Sequence[float], rate: float) -> None:
        """Move the chances of each moment towards what came of it, mixed with the next one's chances."""
        chances = self.model(counted(moments))
        better = self.targets(chances.detach().exp(), torch.tensor(result, dtype=torch.float64))
        surprise = -(better * chances).sum()
        self.optimizer.zero_grad()
        surprise.backward()
        slope = self.model.weights.grad
        assert slope is not None
        self.model.weights.grad = rate * (self.shares @ slope)
        self.optimizer.step()

    def targets(self, chances: Tensor, result: Tensor) -> Tensor:
        """What the chances of each moment should have been, from the last moment back to the first."""
        better = [result]
        for later in chances[1:].flip(0):
            better.append(self.trace * better[-1] + (1.0 - self.trace) * later)
        return torch.stack(better[::-1])
