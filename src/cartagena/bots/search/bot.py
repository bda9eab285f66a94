"""Bots that search: they try whole turns, answers and answers to those, in worlds that fit their view."""

import time
from dataclasses import dataclass
from random import Random
from typing import Final

from cartagena.bots.evaluation.weights import learned_insight, learned_worth
from cartagena.bots.players.interface import Budget, Planner
from cartagena.bots.players.simple import sailors_habits
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import Survey
from cartagena.bots.search.uct import Search
from cartagena.rules.hidden.view import View
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ACTIONS_PER_TURN, FEWEST_SEATS

BREATH: Final = 16
"""Simulations between two looks at the clock."""
ANY: Final = 1e9
"""A margin that leaves every rank in."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many answers are weighed in a position, and among how many unfinished plans they are found."""

    width: int
    beam: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """How thoroughly a bot searches.

    `simulations` are tried for a whole turn, and in proportion fewer when only a part of it is left to
    plan. They run in `open_worlds` worlds if all hands are open, else in `hidden_worlds`. `width` of the
    seat's own plans are weighed; of the answers as many as `duel` says against one opponent, else as `crowd`
    says: a round of several seats is long to search, and few of their answers matter. In a crowd, with
    `habits`, other seats are also assumed to act by habit: no player looks through it all. `explore` is the
    weight of curiosity against experience; in a duel with open hands, where experience tells most, it is
    `explore_open_duel`. With `insight` a position is judged by more than what the crews are worth.
    """

    simulations: int
    open_worlds: int = 1
    hidden_worlds: int = 8
    width: int = 20
    duel: Breadth = Breadth(20, 16)
    crowd: Breadth = Breadth(4, 6)
    habits: bool = True
    explore: float = 0.2
    explore_open_duel: float = 0.1
    insight: bool = True

    def search(self, view: View, dice: Dice) -> Search:
        """A search that has not begun, as broad and as curious as suits the table."""
        family, seats = view.ruleset.family, view.seats
        worth = learned_worth(family, seats)
        is_duel = seats == FEWEST_SEATS
        answers = self.duel if is_duel else self.crowd
        return Search(
            Survey(worth, width=answers.width, margin=ANY, beam=answers.beam),
            explore=self.explore_open_duel if is_duel and view.ruleset.hands_open else self.explore,
            dice=dice,
            habits=sailors_habits(family, answers.beam) if self.habits and not is_duel else None,
            insight=learned_insight(family, seats) if self.insight else None,
        )

    def share(self, view: View) -> int:
        """The simulations for what is left of a turn; a trim counts as one action."""
        left = 1 if view.trimming else max(1, ACTIONS_PER_TURN - view.actions_used)
        return max(1, self.simulations * left // ACTIONS_PER_TURN)


class Searcher(Planner):
    """Plans a turn by tree search."""

    def __init__(self, depth: Depth) -> None:
        super().__init__()
        self.depth = depth

    def plan(self, view: View, chance: Random, budget: Budget) -> tuple[Position, list[int]]:
        """The plan that was tried most often."""
        search = self.search(view, chance, budget)
        return search.roots[0].position.copy(), search.branches[search.favourite()].plan.codes()

    def search(self, view: View, chance: Random, budget: Budget) -> Search:
        """Grow the trees of this view, until its simulations are made, the choice is clear or time is up."""
        deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        simulations = self.depth.share(view)
        search = self.begin(view, chance)
        while search.visits < simulations and not search.decided(simulations):
            search.simulate(min(BREATH, simulations - search.visits))
            if deadline is not None and time.monotonic() >= deadline:
                break
        return search

    def begin(self, view: View, chance: Random) -> Search:
        """The roots of the trees, all in worlds that fit the view."""
        depth = self.depth
        worlds = Worlds(view)
        number = depth.open_worlds if view.ruleset.hands_open else depth.hidden_worlds
        search = depth.search(view, Dice(chance.getrandbits(31)))
        everything = Survey(search.worth, width=depth.width, margin=ANY, beam=0)
        search.begin([worlds.draw(chance) for _ in range(number)], everything)
        return search
