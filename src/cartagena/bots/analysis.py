"""Analysis: the chances of every seat in the course of a recorded game, and a judgement of every decision."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from cartagena.bots.judgement import Judgement, judge
from cartagena.bots.scales import Draw, Scales, decision_of
from cartagena.bots.weights import learned_worth
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, check_result, replay_step
from cartagena.rules.codes import END_TURN
from cartagena.rules.memory import order_is_public
from cartagena.rules.play import legal
from cartagena.rules.position import Position
from cartagena.rules.view import view
from cartagena.rules.world import Worlds

SIMULATIONS: Final = 300
"""With so many for each decision, a game of two takes some seconds on the compiled engine."""
SEED: Final = "1672"

Progress = Callable[[int, int], None]
"""Told how many actions are analysed, and of how many."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The chances of every seat after an action, and what is to be said of the decision that began with it.

    There is no judgement if the action belongs to a decision that began earlier, or there was no choice.
    """

    chances: tuple[float, ...]
    judgement: Judgement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The chances of every seat `before` the first action that was looked at, and a moment for each action.

    The first `skipped` actions of the record were not looked at.
    """

    simulations: int
    seed: str
    skipped: int
    before: tuple[float, ...]
    moments: tuple[Moment, ...]


def analyse(
    record: Record,
    *,
    simulations: int = SIMULATIONS,
    seed: str = SEED,
    from_turn: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Analyse a recorded game, ended or running, or only its turns from some number on.

    The same record, simulations and seed give the same analysis. Raises ReplayError if the record does not
    replay, or is that of a view: then not all cards are known.
    """
    analyst = _Analyst(record, simulations, seed)
    skipped = sum(step.turn < from_turn for step in record.steps)
    moments: list[Moment] = []
    for decision in analyst.decisions(skipped):
        judgements = [analyst.judgement(decision), *[None] * (len(decision) - 1)]
        chances = [analyst.chances(seq + 1) for seq in decision]
        moments += map(Moment, chances, judgements)
        if progress is not None:
            progress(len(moments), len(record.steps) - skipped)
    return Analysis(
        simulations=simulations,
        seed=seed,
        skipped=skipped,
        before=analyst.chances(skipped),
        moments=tuple(moments),
    )


class _Analyst:
    """Looks at the moments of a game, each numbered by the actions before it, each with chance of its own."""

    def __init__(self, record: Record, simulations: int, seed: str) -> None:
        self.simulations = simulations
        self.seed = seed
        self.codes = [step.code for step in record.steps if step.code is not None]
        self.positions = list(positions_of(record))
        check_result(self.positions[-1], record.result)
        self._chances: dict[int, tuple[float, ...]] = {}

    def decisions(self, first: int) -> Iterator[range]:
        """The moments of each decision from one on."""
        while first < len(self.codes):
            after = first + len(decision_of(self.positions[first], self.codes[first:]).codes)
            yield range(first, after)
            first = after

    def chances(self, moment: int) -> tuple[float, ...]:
        """The chances of every seat, if from now on all hands were open and all played well."""
        if moment not in self._chances:
            self._chances[moment] = self._look(moment)
        return self._chances[moment]

    def _look(self, moment: int) -> tuple[float, ...]:
        position = self.positions[moment]
        if moment < len(self.codes) and legal(position) == [END_TURN]:
            return self.chances(moment + 1)
        return chances_at(position, self._chance(f"chances {moment}"), self.simulations // 2)

    def judgement(self, decision: range) -> Judgement | None:
        """What is to be said of a decision, from what its seat knew."""
        position = self.positions[decision.start]
        draw = Worlds(view(position, position.to_act)).draw
        scales = Scales(draw, self._chance(f"decision {decision.start}"), self.simulations)
        return judge(scales, self.codes[decision.start : decision.stop])

    def _chance(self, purpose: str) -> Random:
        return Random(f"{self.seed} {purpose}")


def positions_of(record: Record) -> Iterator[Position]:
    """The position at the beginning of a record, and after every action."""
    game = begin(record.headers)
    yield game.position
    for step in record.steps:
        replay_step(game, step)
        yield game.position


def chances_at(position: Position, chance: Random, simulations: int) -> tuple[float, ...]:
    """The chances of every seat, if from now on all hands were open and all played well."""
    if position.over:
        return tuple(learned_worth(position.ruleset.family, position.seats).chances(position))
    return Scales(stock_unknown(position), chance, simulations).chances()


def stock_unknown(position: Position) -> Draw:
    """Draws worlds in which all is as it is, but for the order of a stock that nobody knows."""

    def draw(chance: Random) -> Position:
        world = position.copy()
        world.log = []
        if not order_is_public(position, position.renewals):
            stock = sorted(position.stock())
            chance.shuffle(stock)
            world.order = position.order[: position.stock_top] + bytes(stock)
        return world

    return draw
