"""Analysis: the chances of every seat in the course of a recorded game, and a judgement of every decision."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from cartagena.bots.analysis.comparison import Draw, Scales, decision_of, means
from cartagena.bots.analysis.effort import ANALYSIS_SIMULATIONS
from cartagena.bots.analysis.marks import Judgement, Weighed, in_points, judge, weigh
from cartagena.bots.evaluation.weights import learned_worth
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, check_result, replay_step
from cartagena.rules.codes import END_TURN
from cartagena.rules.hidden.knowledge import order_is_public
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.legality import legal
from cartagena.rules.position import Position

SIMULATIONS: Final = ANALYSIS_SIMULATIONS
SEED: Final = "1672"

Progress = Callable[[int, int], None]
"""Called with the number of actions analysed so far and the total."""


@dataclass(frozen=True, slots=True)
class AnalysedMoment:
    """The chances of every seat after an action, and what is to be said of the decision that began with it.

    A decision is judged as a whole, so the chances change with its last action, not with the end of the turn
    behind it. There is no judgement if the action belongs to a decision that began earlier, or there was no
    choice.
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
    moments: tuple[AnalysedMoment, ...]


def analyse(
    record: Record,
    *,
    simulations: int = SIMULATIONS,
    seed: str = SEED,
    from_turn: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Analyse a recorded game, ended or running, or only its turns from `from_turn` on.

    The same record, simulations and seed give the same analysis. Raises ReplayError if the record does not
    replay, or is the record of a view, in which not all cards are known.
    """
    steps = analysing(record, simulations=simulations, seed=seed, from_turn=from_turn, progress=progress)
    *_, found = steps
    assert found is not None, "the last step is the whole analysis"
    return found


def analysing(
    record: Record,
    *,
    simulations: int = SIMULATIONS,
    seed: str = SEED,
    from_turn: int = 1,
    progress: Progress | None = None,
) -> Iterator[Analysis | None]:
    """Analyse in steps, between which a program may do something else: None, and at last the analysis."""
    analyst = _Analyst(record, simulations, seed)
    skipped = sum(step.turn < from_turn for step in record.steps)
    moments: list[AnalysedMoment] = []
    for decision in analyst.decisions(skipped):
        judgements = [analyst.judgement(decision), *[None] * (len(decision) - 1)]
        moments += map(AnalysedMoment, analyst.course(decision), judgements)
        if progress is not None:
            progress(len(moments), len(record.steps) - skipped)
        yield None
    yield Analysis(
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
        self._all = list(self._decisions())
        self._chances: dict[int, tuple[float, ...]] = {}
        self._weighed: dict[int, Weighed | None] = {}

    def _decisions(self) -> Iterator[range]:
        first = 0
        while first < len(self.codes):
            after = first + len(decision_of(self.positions[first], self.codes[first:]).codes)
            yield range(first, after)
            first = after

    def decisions(self, first: int) -> list[range]:
        """The moments of each decision that begins at moment `first` or later."""
        return [decision for decision in self._all if decision.start >= first]

    def course(self, decision: range) -> list[tuple[float, ...]]:
        """The chances of every seat after each action of a decision: they change with the last one."""
        before, after = self.chances(decision.start), self.chances(decision.stop)
        handed_on = len(decision) > 1 and self.codes[decision.stop - 1] == END_TURN
        changed = 2 if handed_on else 1
        return [before] * (len(decision) - changed) + [after] * changed

    def chances(self, moment: int) -> tuple[float, ...]:
        """The chances of every seat between two decisions, if all hands were open and all played well."""
        if moment not in self._chances:
            self._chances[moment] = self._look(moment)
        return self._chances[moment]

    def _look(self, moment: int) -> tuple[float, ...]:
        position = self.positions[moment]
        if moment < len(self.codes) and legal(position) == [END_TURN]:
            return self.chances(moment + 1)
        looked = chances_at(position, self._chance(f"chances {moment}"), self.simulations // 2)
        return in_points(looked if position.over else means([looked, *self._opinions(moment)]))

    def _opinions(self, moment: int) -> Iterator[tuple[float, ...]]:
        """What the duels before and after a moment found, where they looked at this very table."""
        for decision in self._all:
            if moment not in (decision.start, decision.stop) or not self._is_open(decision):
                continue
            weighed = self._weigh(decision)
            if weighed is None or not weighed.duelled:
                continue
            seat, prospects = weighed.seat, (weighed.played, *weighed.alternatives[:1])
            best = max(prospects, key=lambda each: each.chances[seat])
            yield (best if moment == decision.start else weighed.played).chances

    def _is_open(self, decision: range) -> bool:
        """Whether all hands lay open, and no card came to light with the decision."""
        before, after = self.positions[decision.start], self.positions[decision.stop]
        return before.ruleset.hands_open and before.barriers == after.barriers

    def judgement(self, decision: range) -> Judgement | None:
        """What is to be said of a decision, from what its seat knew."""
        weighed = self._weigh(decision)
        if weighed is None:
            return None
        before, after = self.chances(decision.start), self.chances(decision.stop)
        return judge(weighed, before, after, is_open=self._is_open(decision))

    def _weigh(self, decision: range) -> Weighed | None:
        first = decision.start
        if first not in self._weighed:
            position = self.positions[first]
            draw = Worlds(view(position, position.to_act)).draw
            scales = Scales(draw, self._chance(f"decision {first}"), self.simulations)
            self._weighed[first] = weigh(scales, self.codes[first : decision.stop])
        return self._weighed[first]

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
    """Draws worlds that differ from the position only in the order of a stock that no seat knows."""

    def draw(chance: Random) -> Position:
        world = position.copy()
        world.log = []
        if not order_is_public(position, position.renewals):
            stock = sorted(position.stock())
            chance.shuffle(stock)
            world.order = position.order[: position.stock_top] + bytes(stock)
        return world

    return draw
