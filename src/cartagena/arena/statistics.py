"""What a number of games proves: Wilson's interval, and the sequential test that stops when it is sure."""

import math
from dataclasses import dataclass
from typing import Final

Z: Final = 1.959963984540054
"""How many standard deviations hold 95 % of a normal distribution."""

RISK: Final = 0.05
"""How often a sequential test may be wrong, either way."""


@dataclass(frozen=True, slots=True)
class WinRate:
    """A score out of a number of games; a game without a winner gives a part of a point.

    >>> str(WinRate(82, 100))
    '82.0 % [73.3, 88.3]'
    """

    score: float
    games: int

    @property
    def share(self) -> float:
        """The score of one game."""
        return self.score / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 %: the rates that such a score does not contradict."""
        if not self.games:
            return (0.0, 1.0)
        spread = Z * Z / self.games
        middle = (self.share + spread / 2) / (1 + spread)
        half = math.sqrt(self.share * (1 - self.share) * spread + spread * spread / 4) / (1 + spread)
        return (max(0.0, middle - half), min(1.0, middle + half))

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True, slots=True)
class Sprt:
    """Wald's sequential test of two rates: it tells which of them a score speaks for.

    Ask it after each whole deal, never in the middle of one.
    """

    lower: float
    higher: float

    def __post_init__(self) -> None:
        if not 0 < self.lower < self.higher < 1:
            raise ValueError("a sequential test needs two rates, 0 < lower < higher < 1")

    @property
    def bound(self) -> float:
        """How far the likelihood must lean to one side before the test is sure."""
        return math.log((1 - RISK) / RISK)

    def leaning(self, rate: WinRate) -> float:
        """The logarithm of how much likelier the higher rate makes this score than the lower one does."""
        won = rate.score * math.log(self.higher / self.lower)
        lost = (rate.games - rate.score) * math.log((1 - self.higher) / (1 - self.lower))
        return won + lost

    def verdict(self, rate: WinRate) -> float | None:
        """The rate that the test decides for, None while it is not sure."""
        leaning = self.leaning(rate)
        if leaning >= self.bound:
            return self.higher
        return self.lower if leaning <= -self.bound else None
