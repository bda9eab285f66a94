"""Bots that look no further than the end of their own turn: by chance, or by what it is worth."""

from dataclasses import dataclass
from random import Random
from typing import Final

from cartagena.bots.evaluation.linear import MOST_CARDS, ROLE, WEIGHTS, Worth
from cartagena.bots.players.interface import Budget, Planner
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import EVEN, Survey, pick
from cartagena.rules.hidden.view import View
from cartagena.rules.hidden.world import world
from cartagena.rules.places import HOME
from cartagena.rules.position import Position
from cartagena.rules.ruleset import CREW_SIZE, ESCAPE, NEST


class RandomBot:
    """Chooses by chance alone; every other bot should beat it."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002  # it needs no time
        """The code of any legal choice; the viewer must be the seat to act."""
        assert view.legal, "only the seat to act has choices"
        return chance.choice(view.legal)


HOME_BONUS: Final = 5
"""How many spaces more a pirate at home is worth than one on the last space."""

FAR: Final = 6.0
"""An outcome that ranks more than this many temperatures below the best is never taken."""
MANY: Final = 1000
"""More outcomes than ever come this close to the best."""


@dataclass(frozen=True, slots=True)
class Thrift:
    """What each card of a hand is worth, in spaces: up to `full_hand` of them, and each `further` one."""

    card: float
    full_hand: int
    further: float

    def worth_of(self, cards: int) -> float:
        """Return what a hand of `cards` cards is worth."""
        return self.card * min(cards, self.full_hand) + self.further * max(0, cards - self.full_hand)


THRIFT: Final = {ESCAPE: Thrift(8.0, full_hand=9, further=3.2), NEST: Thrift(4.0, full_hand=7, further=0.0)}
"""By family: in the Nest a card is paid for by helping a rival, and an eighth one may be lost again."""


def sailors_worth(family: str) -> Worth:
    """The yardstick: spaces gone by the crew's own pirates, and cards."""
    places = [*map(float, range(HOME)), HOME - 1.0 + HOME_BONUS]
    cards = [THRIFT[family].worth_of(cards) for cards in range(MOST_CARDS + 1)]
    role = [*places, *places, *cards * CREW_SIZE]
    role += [0.0] * (ROLE - len(role))
    return Worth([*role, *role, *[0.0] * (WEIGHTS - 2 * ROLE)])


def sailors_survey(family: str, margin: float = EVEN) -> Survey:
    """Every outcome of a turn, judged only by what it does for the seat's own crew."""
    return Survey(sailors_worth(family), width=MANY, margin=margin, beam=0, selfish=True)


def sailors_habits(family: str, beam: int) -> Survey:
    """What a sailor does, or nearly: the best outcome that a beam of this width finds."""
    return Survey(sailors_worth(family), width=1, margin=EVEN, beam=beam, selfish=True)


class Greedy(Planner):
    """Takes one of the best outcomes of its turn; at a higher temperature, now and then a lesser one."""

    def __init__(self, temperature: float = 0.0) -> None:
        super().__init__()
        self.temperature = temperature
        margin = EVEN + FAR * temperature
        self.surveys = {family: sailors_survey(family, margin) for family in THRIFT}

    def plan(self, view: View, chance: Random, budget: Budget) -> tuple[Position, list[int]]:  # noqa: ARG002 - quick
        """Look at every outcome and draw lots among the best."""
        position = world(view, chance)
        plans = self.surveys[view.ruleset.family].look(position)
        return position, pick(plans, self.temperature, Dice(chance.getrandbits(31))).codes()
