"""The search: a tree of whole turns, grown where it matters, in worlds that fit what a seat knows."""

import math
from typing import Final

from mypy_extensions import i64

from cartagena.bots.evaluation.network import Insight
from cartagena.bots.random_games import Dice, deal_again
from cartagena.bots.search.turn_candidates import Plan, Survey
from cartagena.rules.legality import advance
from cartagena.rules.position import OVER, Position

HABITUAL: Final = 50
"""How often, in per cent, another seat is assumed to follow its habit."""


class Node:
    """A position where a seat is to act, what can be tried there, and the seats' chances at first sight.

    The habit is what a seat would do if it thought only of its own crew.
    """

    def __init__(
        self, position: Position, plans: list[Plan], chances: list[float], habit: Plan | None = None
    ) -> None:
        self.position = position
        self.seat: i64 = position.to_act
        self.branches = [Edge(plan) for plan in plans]
        self.habit = None if habit is None else Edge(habit)
        self.chances = chances
        self.visits: i64 = 0


class Edge:
    """A plan that can be tried: how often it was, and the chances of its seat added up."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.visits: i64 = 0
        # A plan begins as if it had been tried once, with the result that its rank promises.
        self.total = odds_to_chance(plan.rank)
        self.node: Node | None = None

    def chance(self) -> float:
        """The chance to win with this plan, as far as it is known."""
        return self.total / float(self.visits + 1)


def odds_to_chance(rank: float) -> float:
    """The chance that belongs to a logarithm of odds."""
    return 1.0 / (1.0 + math.exp(-rank))


class Search:
    """Grows one tree in each world; all trees share what is learned about the plans of the root.

    With a survey of habits, the other seats follow theirs half of the time; otherwise they do their best.
    Without insight, chances are what the crews are worth.
    """

    def __init__(
        self,
        survey: Survey,
        *,
        explore: float,
        dice: Dice,
        habits: Survey | None = None,
        insight: Insight | None = None,
    ) -> None:
        self.survey = survey
        self.habits = habits
        self.insight = insight
        self.worth = survey.worth
        self.explore = explore
        self.dice = dice
        self.roots: list[Node] = []
        self.branches: list[Edge] = []
        self.results: list[list[float]] = []
        self.visits: i64 = 0

    def begin(self, worlds: list[Position], everything: Survey) -> None:
        """Make a root of every world, all with the plans of `everything`, a survey that overlooks none."""
        self.begin_with(worlds, everything.look(worlds[0]))

    def begin_with(self, worlds: list[Position], plans: list[Plan]) -> None:
        """Make a root of every world, with these plans and no others."""
        self.branches = [Edge(plan) for plan in plans]
        self.results = [[0.0] * len(worlds[0].crews) for _ in plans]
        self.roots = [Node(world, plans, []) for world in worlds]

    def simulate(self, times: i64) -> None:
        """Try plans `times` times, in one world after the other."""
        for _ in range(times):
            self.try_plan(self.most_promising(self.branches, self.visits))

    def try_plan(self, number: i64) -> None:
        """Follow a plan to a position not seen before, evaluate it, and update every branch on the way."""
        self.visits += 1
        shared = self.branches[number]
        # Each plan goes through all worlds in turn, so that none is judged by better luck.
        root = self.roots[shared.visits % len(self.roots)]
        branch = root.branches[number]
        path: list[Edge] = [shared]
        seats: list[int] = [root.seat]
        node = root
        while branch.node is not None and branch.node.branches:
            node = branch.node
            branch = self.next_branch(node)
            path.append(branch)
            seats.append(node.seat)
            node.visits += 1
        grown = branch.node
        if grown is None:
            grown = self.grow(node.position, branch.plan)
            branch.node = grown
        for step in range(len(path)):
            path[step].visits += 1
            path[step].total += grown.chances[seats[step]]
        for seat in range(len(grown.chances)):
            self.results[number][seat] += grown.chances[seat]

    def next_branch(self, node: Node) -> Edge:
        """What a seat does in a simulation: its habit, or what looks best for it."""
        habit = node.habit
        if habit is not None and self.by_habit():
            return habit
        return node.branches[self.most_promising(node.branches, node.visits)]

    def by_habit(self) -> bool:
        """Whether a seat follows its habit this time."""
        return self.dice.below(100) < HABITUAL

    def most_promising(self, branches: list[Edge], visits: i64) -> i64:
        """The branch with the best chance, or one that was tried too seldom to tell."""
        curiosity = self.explore * math.sqrt(math.log(float(visits + 2)))
        best: i64 = 0
        most = -1.0
        for number in range(len(branches)):
            branch = branches[number]
            promise = branch.chance() + curiosity / math.sqrt(float(branch.visits + 1))
            if promise > most:
                most = promise
                best = number
        return best

    def grow(self, position: Position, plan: Plan) -> Node:
        """The node that a plan leads to."""
        after = position.copy()
        self.carry_out(after, plan)
        if after.phase == OVER:
            return Node(after, [], self.worth.chances(after))
        plans = self.survey.look(after)
        habit = self.habit_of(after)
        ahead = after.copy()
        self.carry_out(ahead, plans[0] if habit is None or not self.by_habit() else habit)
        insight = self.insight
        chances = self.worth.chances(ahead) if insight is None else insight.chances(after, ahead)
        return Node(after, plans, chances, habit)

    def habit_of(self, position: Position) -> Plan | None:
        """What the seat to act would do by habit; None for the seat that searches."""
        habits = self.habits
        if habits is None or position.to_act == self.roots[0].seat:
            return None
        return habits.look(position)[0]

    def carry_out(self, position: Position, plan: Plan) -> None:
        """Do all that a plan says."""
        for code in plan.codes():
            advance(position, code)
            if position.order_due:
                deal_again(position, self.dice)

    def decided(self, simulations: i64) -> bool:
        """Whether the rest of `simulations` simulations can no longer change the favourite."""
        visits = sorted([branch.visits for branch in self.branches], reverse=True)
        return len(visits) == 1 or visits[0] - visits[1] > simulations - self.visits

    def favourite(self) -> i64:
        """The number of the plan that was tried most often; the better one if two are equal."""
        best: i64 = 0
        for number in range(len(self.branches)):
            branch = self.branches[number]
            leader = self.branches[best]
            if (branch.visits, branch.chance()) > (leader.visits, leader.chance()):
                best = number
        return best

    def chances(self, number: i64) -> list[float]:
        """The chances of all seats if the seat to act follows plan `number`, which has been tried."""
        visits = self.branches[number].visits
        return [result / float(visits) for result in self.results[number]]
