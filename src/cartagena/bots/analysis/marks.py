"""Judging decisions: what each cost its seat, and which are worth a mark.

All figures are on one scale, that of the chances before and after a decision: `before - cost + luck` is
`after`, and the best decision promises the chances before it.
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.bots.analysis.comparison import Decision, Duel, Prospect, Scales, decision_of


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
"""What a decision must cost to get each mark, the worst first."""
GAIN: Final = 0.1
"""How far ahead of every alternative a find must be."""

EASY: Final = 4
"""The best decisions at first sight, this many of them, are too easy to be finds."""

POINTS: Final = 100
"""Chances are told in whole per cent: a search of some hundred simulations knows no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A decision beside its best alternatives, as far as its seat could see: best first.

    `loss` is how far it is behind the first of them at least, 0 if that may be chance. `duelled` is whether
    the two were compared closely.
    """

    seat: int
    played: Prospect
    alternatives: tuple[Prospect, ...]
    loss: float
    is_find: bool
    duelled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A decision, judged by what its seat knew.

    The prospects of what was played and of the best alternatives, best first, stand on one scale: the best of
    them all promises the chances before the decision. `cost` is how much less the played one promises, `luck`
    how much better the chance came out than that: by cards that came to light and hands that were hidden.
    """

    seat: int
    played: Prospect
    alternatives: tuple[Prospect, ...]
    cost: float
    luck: float
    mark: Mark


def weigh(scales: Scales, codes: Iterable[int]) -> Weighed | None:
    """Weigh the decision that these codes begin with; None if there was nothing else to do."""
    sighted = scales.sighted()
    decision = decision_of(scales.table, codes, sighted[-1].rank)
    others = [other for other in sighted if other.outcome != decision.outcome]
    if not others:
        return None
    seat, share = scales.seat, 1 / scales.table.seats
    played, best = scales.compare(decision, others)
    gap = best[0].chances[seat] - played.chances[seat]
    duelled, loss, is_find = abs(gap) >= DOUBTFUL * share, 0.0, False
    if duelled and gap > 0:
        duel = scales.duel(best[0], played)
        best[0], played = duel.first, duel.second
        loss = duel.least
    elif duelled:
        duel = scales.duel(played, best[0])
        played, best[0] = duel.first, duel.second
        is_find = is_find_in(duel, share, place_of(decision, sighted))
    return Weighed(
        seat=seat, played=played, alternatives=tuple(best), loss=loss, is_find=is_find, duelled=duelled
    )


def judge(weighed: Weighed, before: Sequence[float], after: Sequence[float], *, is_open: bool) -> Judgement:
    """Judge a decision by the chances before and after it, as they are shown.

    If all hands lay open and no card came to light, only the decision changed the chance: a certain loss
    has cost what the chance fell by.
    """
    seat = weighed.seat
    change = after[seat] - before[seat]
    loss = max(0.0, -change) if is_open and weighed.loss else weighed.loss
    cost = round(min(loss, before[seat]), 2)
    played, first, *rest = on_scale(weighed, before, cost)
    return Judgement(
        seat=seat,
        played=played,
        alternatives=(first, *rest),
        cost=cost,
        luck=round(change + cost, 2) + 0.0,
        mark=Mark.FIND if weighed.is_find else mark_of(cost, len(before)),
    )


def mark_of(cost: float, seats: int) -> Mark:
    """Return the mark of a decision by its `cost`.

    >>> mark_of(0.24, seats=2), mark_of(0.25, seats=2), mark_of(0.04, seats=4)
    (<Mark.COSTLY: '?'>, <Mark.BLUNDER: '??'>, <Mark.NONE: ''>)
    """
    # Rounded, since 0.04 * 5 is not quite 0.2.
    marks = [mark for mark, least in LOSSES.items() if round(cost * seats, 4) >= least]
    return marks[0] if marks else Mark.NONE


def on_scale(weighed: Weighed, before: Sequence[float], cost: float) -> list[Prospect]:
    """What was played and the alternatives; the best of them promises what there was before."""
    seat = weighed.seat
    best = (weighed.alternatives[0] if cost else weighed.played).chances[seat]
    losses = [max(0.0, best - other.chances[seat]) for other in weighed.alternatives]
    behind = zip((weighed.played, *weighed.alternatives), (cost, *losses), strict=True)
    return [
        Prospect(codes=prospect.codes, chances=in_points(with_chance(before, seat, before[seat] - loss)))
        for prospect, loss in behind
    ]


def with_chance(chances: Sequence[float], seat: int, chance: float) -> tuple[float, ...]:
    """Give `seat` the chance `chance`; the others share the rest in the same proportions as before."""
    chance = round(max(0.0, chance), 4)
    left = sum(chances) - chances[seat]
    shares = [part / left if left else 1 / (len(chances) - 1) for part in chances]
    return tuple(chance if each == seat else share * (1 - chance) for each, share in enumerate(shares))


def in_points(chances: Sequence[float]) -> tuple[float, ...]:
    """Round chances to whole per cent that add up to 1; 0 and 1 only for what is certain.

    >>> in_points((0.336, 0.333, 0.331)), in_points((0.999, 0.001)), in_points((1.0, 0.0))
    ((0.34, 0.33, 0.33), (0.99, 0.01), (1.0, 0.0))
    """
    points = [max(1, int(chance * POINTS)) if chance else 0 for chance in chances]
    while sum(points) < POINTS:
        lost = [chance * POINTS - each for chance, each in zip(chances, points, strict=True)]
        points[lost.index(max(lost))] += 1
    while sum(points) > POINTS:
        points[points.index(max(points))] -= 1
    return tuple(each / POINTS for each in points)


def is_find_in(duel: Duel, share: float, place: int) -> bool:
    """Whether a decision that won a duel is a find, though `place` others looked better at first sight."""
    return place >= EASY and duel.least >= GAIN * share


def place_of(decision: Decision, sighted: list[Decision]) -> int:
    """How many decisions look better at first sight."""
    outcomes = [other.outcome for other in sighted]
    return outcomes.index(decision.outcome) if decision.outcome in outcomes else len(outcomes)
