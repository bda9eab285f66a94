"""Studying: insight learned from games that were played to their end, by gradient descent (Adam)."""

import math
from typing import Final

from mypy_extensions import i64

from cartagena.bots.evaluation.linear import softmax
from cartagena.bots.evaluation.network import (
    HIDDEN,
    INPUTS,
    INSIGHTS,
    STRAIGHT,
    SUM,
    WORTH_AFTER,
    Insight,
    rectified,
)
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import Survey
from cartagena.bots.training.self_play import FINE, follow, pick
from cartagena.rules.position import OVER, Position

MEMORY: Final = 0.9
"""How much of the direction of earlier steps is kept."""
LONG_MEMORY: Final = 0.999
"""How much of the size of earlier steps is kept."""
STEP: Final = 64
"""How many cases are considered before the weights change."""


class Case:
    """A table of a game whose end is known: what a net is told of each seat, and each seat's share."""

    def __init__(self, inputs: list[list[float]]) -> None:
        self.inputs = inputs
        self.result: list[float] = []


def first_weights(dice: Dice) -> list[float]:
    """Where studying begins: worth alone counts, and each sum looks at everything a little, by chance."""
    weights = [0.0] * INSIGHTS
    for number in range(HIDDEN):
        for place in range(INPUTS):
            weights[number * SUM + place] = balanced(dice) * math.sqrt(3.0 / INPUTS)
        weights[number * SUM + INPUTS + 1] = balanced(dice) * 0.2
    weights[STRAIGHT + WORTH_AFTER] = 1.0
    return weights


def balanced(dice: Dice) -> float:
    """A number from -1 to 1."""
    return 2.0 * float(dice.below(FINE)) / float(FINE) - 1.0


def observed_game(
    position: Position, survey: Survey, insight: Insight, temperature: float, dice: Dice
) -> list[Case]:
    """Play a game to its end and keep about every third turn."""
    cases: list[Case] = []
    turn: i64 = 0
    while position.phase != OVER:
        plans = survey.look(position)
        if position.turn != turn and dice.below(3) == 0:
            ahead = position.copy()
            follow(ahead, plans[0], dice)
            if ahead.phase != OVER:
                cases.append(Case(insight.inputs(position, ahead)))
        turn = position.turn
        follow(position, pick(plans, temperature, dice), dice)
    result = survey.worth.chances(position)
    for case in cases:
        case.result = result
    return cases


class Student:
    """Moves weights downhill."""

    def __init__(self, insight: Insight) -> None:
        self.insight = insight
        self.slope = [0.0] * INSIGHTS
        self.direction = [0.0] * INSIGHTS
        self.size = [0.0] * INSIGHTS
        self.steps: i64 = 0

    def study(self, cases: list[Case], rate: float) -> float:
        """Go through the cases once; return the mean surprise at their results, before each was learned."""
        surprise = 0.0
        for number in range(len(cases)):
            surprise += self.consider(cases[number])
            if number % STEP == STEP - 1:
                self.step(rate)
        return surprise / float(len(cases))

    def consider(self, case: Case) -> float:
        """Add the slope of one case; return how surprising its result was."""
        insight = self.insight
        chances = softmax([insight.answer(inputs) for inputs in case.inputs])
        surprise = 0.0
        for seat in range(len(chances)):
            share = case.result[seat]
            if share > 0.0:
                surprise -= share * math.log(max(chances[seat], 1e-9))
            self.lean(case.inputs[seat], chances[seat] - share)
        return surprise

    def lean(self, inputs: list[float], error: float) -> None:
        """Add the slope of one seat, whose chance was too high by `error`."""
        weights = self.insight.weights
        slope = self.slope
        for number in range(INPUTS):
            slope[STRAIGHT + number] += error * inputs[number]
        first: i64 = 0
        while first < STRAIGHT:
            total = rectified(weights, first, inputs)
            slope[first + INPUTS + 1] += error * total
            if total > 0.0:
                back = error * weights[first + INPUTS + 1]
                slope[first + INPUTS] += back
                for number in range(INPUTS):
                    told = inputs[number]
                    if told != 0.0:
                        slope[first + number] += back * told
            first += SUM

    def step(self, rate: float) -> None:
        """Change the weights, each by its own measure."""
        self.steps += 1
        weights = self.insight.weights
        first_share = 1.0 - MEMORY ** float(self.steps)
        long_share = 1.0 - LONG_MEMORY ** float(self.steps)
        for number in range(INSIGHTS):
            slope = self.slope[number] / float(STEP)
            self.slope[number] = 0.0
            direction = MEMORY * self.direction[number] + (1.0 - MEMORY) * slope
            size = LONG_MEMORY * self.size[number] + (1.0 - LONG_MEMORY) * slope * slope
            self.direction[number] = direction
            self.size[number] = size
            weights[number] -= rate * (direction / first_share) / (math.sqrt(size / long_share) + 1e-8)
