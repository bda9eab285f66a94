"""How far to trust the chances of an analysis: finds the powers of `cartagena.bots.evaluation.calibration`.

The best power is the one that makes the winners of the studied games least surprising.
"""

from collections.abc import Iterable
from math import log
from typing import Final, NamedTuple

from cartagena.bots.evaluation.calibration import CONFIDENCE, believed, confidence_in
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from research.moments import Moment, moments_of

SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)
POWERS: Final = tuple(number / 20 for number in range(8, 45))
LEAST: Final = 0.001
"""The lowest chance of anything that can still happen, or one miracle would outweigh all else."""
LIKELY: Final = 1.92
"""Powers whose surprise is at most this much above the least form the interval of 95 %."""


class Found(NamedTuple):
    """The best power and the interval around it, and how many games say so."""

    games: int
    power: float
    low: float
    high: float


def find(moments: list[Moment]) -> Found:
    """What these moments say."""
    surprises = {power: surprise(moments, power) for power in POWERS}
    least = min(surprises.values())
    likely = [power for power, value in surprises.items() if value <= least + LIKELY]
    best = min(surprises, key=lambda power: surprises[power])
    return Found(len(moments), best, min(likely), max(likely))


def surprise(moments: Iterable[Moment], power: float) -> float:
    """How surprising results are with this power: minus the logarithms of the winners' chances."""
    return sum(
        -log(max(LEAST, chance)) * share
        for moment in moments
        for chance, share in zip(believed(moment.chances, power), moment.result, strict=True)
    )


def studied(family: str, seats: int) -> list[Moment]:
    """The moments of all rulesets of a family: they share what was learned."""
    names = [name for name, ruleset in PRESETS.items() if ruleset.family == family]
    return [moment for name in names for moment in moments_of(name, seats, studied=True)]


def confidence_table() -> str:
    """The powers that were found and those in use, in Markdown."""
    rows = ["| family | seats | games | best power [95 %] | in use |", "|---|---:|---:|---:|---:|"]
    for family in CONFIDENCE:
        for seats in SEATS:
            moments = studied(family, seats)
            if moments:
                games, power, low, high = find(moments)
                told = f"{power:.2f} [{low:.2f}, {high:.2f}]"
                rows.append(
                    f"| {family} | {seats} | {games:,} | {told} | {confidence_in(family, seats):.2f} |"
                )
    return "\n".join(rows)
