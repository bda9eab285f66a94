"""Ratings from games of several seats: the points that make the results likeliest, and how sure they are.

A seat wins in proportion to the exponential of its rating. With two seats that is Elo's scale: 400 points
more are ten wins to one.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cartagena.arena.statistics import Z

YARDSTICK: Final = "sailor"
YARDSTICK_POINTS: Final = 1000.0
POINTS: Final = 400 / math.log(10)
"""Points of one unit of log odds."""
DOUBT: Final = 1000 / POINTS
"""How far from the yardstick a level may be a priori; so a level that never won has a rating too."""
STEPS: Final = 50
CLOSE: Final = 1e-9


class Game(NamedTuple):
    """Who sat on each seat, and the seat that won, if one did."""

    company: tuple[str, ...]
    winner: int | None


class Rating(NamedTuple):
    """Points, and half of their interval of 95 %; the yardstick's are fixed."""

    points: float
    margin: float


def ratings(levels: Sequence[str], games: Sequence[Game]) -> dict[str, Rating]:
    """The rating of every level; none if no game was played."""
    if not games:
        return {}
    free = [level for level in levels if level != YARDSTICK]
    counted = Counter(games)
    found = np.zeros(len(free))
    for _ in range(STEPS):
        slope, bend = slope_and_bend(free, counted, found)
        step = np.linalg.solve(bend, slope)
        found = found + step
        if float(np.abs(step).max()) < CLOSE:
            break
    _, bend = slope_and_bend(free, counted, found)
    margins = Z * np.sqrt(np.diag(np.linalg.inv(bend)))
    rated = {
        level: Rating(YARDSTICK_POINTS + POINTS * float(worth), POINTS * float(margin))
        for level, worth, margin in zip(free, found, margins, strict=True)
    }
    return {**rated, YARDSTICK: Rating(YARDSTICK_POINTS, 0.0)}


Numbers = NDArray[np.float64]


def slope_and_bend(
    free: Sequence[str], games: Mapping[Game, int], worths: Numbers
) -> tuple[Numbers, Numbers]:
    """Where the likelihood rises, and how sharply it bends, at these worths."""
    place = {level: number for number, level in enumerate(free)}
    slope = -worths / DOUBT**2
    bend = np.eye(len(free)) / DOUBT**2
    for (company, winner), times in games.items():
        seats = [place.get(level) for level in company]
        shares = np.exp([0.0 if seat is None else worths[seat] for seat in seats])
        shares /= shares.sum()
        expected = np.zeros(len(free))
        for number, seat in enumerate(seats):
            if seat is not None:
                # A game without a winner is shared by all.
                won = 1 / len(seats) if winner is None else float(number == winner)
                slope[seat] += times * (won - shares[number])
                expected[seat] += shares[number]
        bend += times * (np.diag(expected) - np.outer(expected, expected))
    return slope, bend
