"""Weighing decisions: the chances of every seat with each of them, and whether one beats another.

A decision goes from a moment of planning to where its seat learns something: to the next card that comes
to light, to another seat's choice or to the end of the turn.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, stdev
from typing import Final

from cartagena.bots.analysis.effort import HINT_SIMULATIONS
from cartagena.bots.evaluation.calibration import believed, confidence_in
from cartagena.bots.evaluation.weights import learned_insight, learned_worth
from cartagena.bots.random_games import Dice
from cartagena.bots.search.bot import ANY
from cartagena.bots.search.turn_candidates import Plan, Survey
from cartagena.bots.search.uct import Search
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.view import View
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.legality import advance
from cartagena.rules.outcomes import table_key
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ACTIONS_PER_TURN

# A search that plays looks for the best plan; one that weighs must find good means in few simulations, so it
# is narrower and less curious. Where all hands are open, worlds differ little.
OPEN_WORLDS: Final = 2
HIDDEN_WORLDS: Final = 8
WIDTH: Final = 12
BEAM: Final = 12
EXPLORE: Final = 0.1

SURVEYED: Final = 48
"""How many plans are listed at first sight: many of them begin with the same decision."""
LEADERS: Final = 4
"""How many decisions are weighed to the end."""
SURE: Final = 2.0
"""How many standard errors a gap must exceed to count."""

Draw = Callable[[Random], Position]
"""Draws a world that fits what is known, a new one each time."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The codes of one decision, a key of how they leave the table, and how that ranks at first sight."""

    codes: tuple[int, ...]
    outcome: tuple[int, ...]
    rank: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """The codes of one decision, and the chances of every seat to win with it."""

    codes: tuple[int, ...]
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two decisions compared in the same worlds.

    `gap` is how much better the chance of the seat that decides is with the first one, `early` what it was
    in the first half of the simulations, `error` its standard error from world to world.
    """

    first: Prospect
    second: Prospect
    gap: float
    early: float
    error: float

    @property
    def least(self) -> float:
        """The gap that both halves show, 0 if it may be chance."""
        return max(0.0, min(self.gap, self.early)) if self.gap > SURE * self.error else 0.0


def decision_of(position: Position, codes: Iterable[int], rank: float = 0.0) -> Decision:
    """The first decision of a line of codes; it includes the end of the turn if nothing else is left."""
    after = position.copy()
    made: list[int] = []
    for code in codes:
        advance(after, code)
        while after.order_due:
            take_order(after, cards_due(after))
        made.append(code)
        if after.to_act != position.to_act or after.turn != position.turn:
            break
        if after.barriers != position.barriers and after.actions_used < ACTIONS_PER_TURN:
            break
    hands = [cards for crew in after.crews for cards in (crew.hand, crew.gold)]
    return Decision(tuple(made), (table_key(after), *hands), rank)


class Scales:
    """Weighs the decisions of the seat to act, in worlds drawn from what is known."""

    def __init__(self, draw: Draw, chance: Random, simulations: int) -> None:
        self.draw = draw
        self.chance = chance
        self.simulations = simulations
        self.worlds = self._fresh_worlds()
        self.table = self.worlds[0]
        self.seat = self.table.to_act
        family, seats = self.table.ruleset.family, self.table.seats
        self.worth = learned_worth(family, seats)
        self.insight = learned_insight(family, seats)
        self.confidence = confidence_in(family, seats)

    def _fresh_worlds(self) -> list[Position]:
        first = self.draw(self.chance)
        number = OPEN_WORLDS if first.ruleset.hands_open else HIDDEN_WORLDS
        return [first, *(self.draw(self.chance) for _ in range(1, number))]

    def sighted(self) -> list[Decision]:
        """The decisions that begin the best plans at first sight, best first."""
        found: dict[tuple[int, ...], Decision] = {}
        for plan in Survey(self.worth, width=SURVEYED, margin=ANY, beam=0).look(self.table):
            decision = decision_of(self.table, plan.codes(), plan.rank)
            found.setdefault(decision.outcome, decision)
        return list(found.values())

    def chances(self) -> tuple[float, ...]:
        """The chances of every seat if all play well: those of the second half of the simulations.

        The search must first find out what is good, so the later simulations tell more.
        """
        search = self._search(self.worlds, self.sighted()[:WIDTH])
        search.simulate(self.simulations // 2)
        before = sums(search.results)
        search.simulate(max(1, self.simulations - self.simulations // 2))
        return self._chances_since(before, sums(search.results))

    def best(self, decisions: list[Decision]) -> list[Prospect]:
        """The leaders among decisions, best first."""
        return self._best_first(self._weigh([], decisions))

    def compare(self, played: Decision, others: list[Decision]) -> tuple[Prospect, list[Prospect]]:
        """What was played, and the leaders among others, best first."""
        first, *rest = self._weigh([played], others)
        return first, self._best_first(rest)

    def _best_first(self, prospects: list[Prospect]) -> list[Prospect]:
        """The best chance first; among equals the shortest, which is the easiest to understand."""
        return sorted(prospects, key=lambda each: (-each.chances[self.seat], len(each.codes)))

    def _weigh(self, played: list[Decision], others: list[Decision]) -> list[Prospect]:
        """The prospects of what was played and of the leaders among the others.

        Half of the simulations go wherever the search sends them. The other half, which counts, goes in
        rounds to the decisions that are returned, each in all worlds: equal luck for all.
        """
        decisions = [*played, *others[:WIDTH]]
        search = self._search(self.worlds, decisions)
        search.simulate(self.simulations // 2)
        visits = [branch.visits for branch in search.branches]
        leaders = sorted(range(len(played), len(decisions)), key=lambda number: -visits[number])[:LEADERS]
        told = [*range(len(played)), *leaders]
        rounds = max(1, self.simulations // (2 * len(told) * len(self.worlds)))
        chances = self._go_on(search, [number for number in told for _ in self.worlds], rounds)
        return [Prospect(codes=decisions[number].codes, chances=chances[number]) for number in told]

    def duel(self, first: Prospect, second: Prospect) -> Duel:
        """Try two decisions in fresh worlds, each `simulations` times; the second half counts."""
        pair = [Decision(prospect.codes, ()) for prospect in (first, second)]
        rounds = max(1, self.simulations // (2 * len(self.worlds)))
        searches = [self._search([world], pair) for world in self._fresh_worlds()]
        early = [self._go_on(search, [0, 1], rounds) for search in searches]
        late = [self._go_on(search, [0, 1], rounds) for search in searches]
        gaps = [chances[0][self.seat] - chances[1][self.seat] for chances in late]
        return Duel(
            first=replace(first, chances=means(chances[0] for chances in late)),
            second=replace(second, chances=means(chances[1] for chances in late)),
            gap=fmean(gaps),
            early=fmean(chances[0][self.seat] - chances[1][self.seat] for chances in early),
            error=stdev(gaps) / len(gaps) ** 0.5,
        )

    def _search(self, worlds: list[Position], decisions: list[Decision]) -> Search:
        """A search among these decisions and no others."""
        survey = Survey(self.worth, width=WIDTH, margin=ANY, beam=BEAM)
        dice = Dice(self.chance.getrandbits(31))
        search = Search(survey, explore=EXPLORE, dice=dice, insight=self.insight)
        search.begin_with(worlds, [plan_of(decision) for decision in decisions])
        return search

    def _go_on(self, search: Search, numbers: list[int], rounds: int) -> dict[int, tuple[float, ...]]:
        """Try these decisions for `rounds` more rounds; return the chances with each in these tries."""
        before = {number: list(search.results[number]) for number in numbers}
        for _ in range(rounds):
            for number in numbers:
                search.try_plan(number)
        return {number: self._chances_since(then, search.results[number]) for number, then in before.items()}

    def _chances_since(self, then: Sequence[float], now: Sequence[float]) -> tuple[float, ...]:
        """The chances of every seat, from what they have gained in the tries between two moments."""
        gained = [after - before for before, after in zip(then, now, strict=True)]
        return believed(gained, self.confidence)


def plan_of(decision: Decision) -> Plan:
    """A decision as a plan that can be searched."""
    plan = Plan(None, END_TURN, decision.rank)
    for code in decision.codes:
        plan = Plan(plan, code, decision.rank)
    return plan


def sums(rows: Iterable[Iterable[float]]) -> list[float]:
    """The sum of each column."""
    return [sum(column) for column in zip(*rows, strict=True)]


def means(rows: Iterable[Iterable[float]]) -> tuple[float, ...]:
    """The mean of each column."""
    return tuple(map(fmean, zip(*rows, strict=True)))


# Hints: what a seat might do.

SIMULATIONS: Final = HINT_SIMULATIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The best decision of a seat, and up to three alternatives, best first."""

    best: Prospect
    alternatives: tuple[Prospect, ...]


def hint(view: View, *, chance: Random, simulations: int = SIMULATIONS) -> Hint:
    """What the viewer might do now; it needs nothing but the view.

    The same view, chance and number of simulations give the same hint. Raises ValueError if the viewer is
    not to act.
    """
    if not view.legal:
        raise ValueError("there is nothing to hint at: the viewer is not to act")
    scales = Scales(Worlds(view).draw, chance, simulations)
    best, *alternatives = scales.best(scales.sighted())
    return Hint(best=best, alternatives=tuple(alternatives))
