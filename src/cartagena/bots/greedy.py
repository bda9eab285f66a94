"""Bots that look no further than the end of their own turn."""

from random import Random
from typing import Final

from cartagena.bots.planner import Planner
from cartagena.bots.plans import Survey
from cartagena.bots.player import Budget
from cartagena.bots.playout import Dice
from cartagena.bots.selfplay import pick
from cartagena.bots.worth import MOST_CARDS, ROLE, WEIGHTS, Worth
from cartagena.rules.places import HOME
from cartagena.rules.position import Position
from cartagena.rules.ruleset import CREW_SIZE
from cartagena.rules.view import View
from cartagena.rules.world import world

HOME_BONUS: Final = 5
"""A pirate at home is worth so many spaces more than one on the last space."""
FULL_HAND: Final = 9
CARD: Final = 8.0
"""What each card of a hand up to nine is worth, in spaces."""
FURTHER_CARD: Final = 3.2
"""What each further card is worth."""

EVEN: Final = 1e-6
"""Ranks that differ by less are equal: they are sums of the same numbers in another order."""
FAR: Final = 6.0
"""So many temperatures below the best, an outcome is never taken."""
MANY: Final = 1000
"""More outcomes than ever are so near to the best."""


def sailors_worth() -> Worth:
    """The yardstick: spaces gone by the crew's own pirates, and cards."""
    places = [*map(float, range(HOME)), HOME - 1.0 + HOME_BONUS]
    numbers = range(MOST_CARDS + 1)
    cards = [CARD * min(cards, FULL_HAND) + FURTHER_CARD * max(0, cards - FULL_HAND) for cards in numbers]
    role = [*places, *places, *cards * CREW_SIZE]
    role += [0.0] * (ROLE - len(role))
    return Worth([*role, *role, *[0.0] * (WEIGHTS - 2 * ROLE)])


def sailors_survey(margin: float = EVEN) -> Survey:
    """Every outcome of a turn, judged by what becomes of one's own crew alone."""
    return Survey(sailors_worth(), width=MANY, margin=margin, beam=0, selfish=True)


def sailors_habits(beam: int) -> Survey:
    """What a sailor does, or nearly so: the best of those outcomes that a beam finds."""
    return Survey(sailors_worth(), width=1, margin=EVEN, beam=beam, selfish=True)


class Greedy(Planner):
    """Takes one of the best outcomes of its turn; at a higher temperature, now and then a lesser one."""

    def __init__(self, temperature: float = 0.0) -> None:
        super().__init__()
        self.temperature = temperature
        self.survey = sailors_survey(margin=EVEN + FAR * temperature)

    def plan(self, view: View, chance: Random, budget: Budget) -> tuple[Position, list[int]]:  # noqa: ARG002 - quick
        """Look at every outcome and draw lots among the best."""
        position = world(view, chance)
        plans = self.survey.look(position)
        return position, pick(plans, self.temperature, Dice(chance.getrandbits(31))).codes()
