"""Judging decisions: what each cost its seat, and which are worth a mark."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cartagena.bots.scales import Decision, Duel, Prospect, Scales, decision_of


class Mark(enum.Enum):
    """What is remarkable about a decision; the value is how it is written."""

    NONE = ""
    COSTLY = "?"
    BLUNDER = "??"
    FIND = "!"


# Gaps between a decision and the best alternative, in parts of a fair share, which is 1/seats.
DOUBTFUL: Final = 0.1
"""From here on the two are compared once more, in a duel."""
LOSSES: Final = {Mark.BLUNDER: 0.5, Mark.COSTLY: 0.2}
"""How far behind the alternative a decision must be to be marked so, the worst first."""
GAIN: Final = 0.1
"""How far ahead of it a find must be."""

EASY: Final = 4
"""So many decisions, the best at first sight, are no finds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A decision, judged by what its seat knew.

    The alternatives are the best others, best first. `cost` is how much better the chance of the seat is
    with the first of them, 0 if it is not.
    """

    seat: int
    played: Prospect
    alternatives: tuple[Prospect, ...]
    cost: float
    mark: Mark


def judge(scales: Scales, codes: Iterable[int]) -> Judgement | None:
    """Judge the decision that these codes begin with; None if there was nothing else to do."""
    sighted = scales.sighted()
    decision = decision_of(scales.table, codes, sighted[-1].rank)
    others = [other for other in sighted if other.outcome != decision.outcome]
    if not others:
        return None
    seat, share = scales.seat, 1 / scales.table.seats
    played, best = scales.compare(decision, others)
    gap = best[0].chances[seat] - played.chances[seat]
    mark = Mark.NONE
    if gap >= DOUBTFUL * share:
        duel = scales.duel(best[0], played)
        best[0], played, gap = duel.first, duel.second, duel.gap
        mark = mark_of_loss(duel, share)
    elif gap <= -DOUBTFUL * share:
        duel = scales.duel(played, best[0])
        played, best[0], gap = duel.first, duel.second, -duel.gap
        mark = mark_of_gain(duel, share, place_of(decision, sighted))
    return Judgement(seat=seat, played=played, alternatives=tuple(best), cost=max(0.0, gap), mark=mark)


def mark_of_loss(duel: Duel, share: float) -> Mark:
    """The mark of a decision that lost a duel against the best alternative."""
    marks = [mark for mark, least in LOSSES.items() if duel.reaches(least * share)]
    return marks[0] if marks else Mark.NONE


def mark_of_gain(duel: Duel, share: float, place: int) -> Mark:
    """The mark of a decision that won such a duel, though so many others looked better at first sight."""
    return Mark.FIND if place >= EASY and duel.reaches(GAIN * share) else Mark.NONE


def place_of(decision: Decision, sighted: list[Decision]) -> int:
    """How many decisions look better at first sight."""
    outcomes = [other.outcome for other in sighted]
    return outcomes.index(decision.outcome) if decision.outcome in outcomes else len(outcomes)
