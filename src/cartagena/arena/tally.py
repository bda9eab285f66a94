"""The tally of a contest: who won how often, on which chair, and how long every bot thought."""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.arena.contest import Contest
from cartagena.arena.referee import PlayedGame

# What a number of games proves: Wilson's interval, and the sequential test that stops when it is sure.

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


NINETY_FIVE: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class BotTally:
    """How one bot did.

    `rate` counts the games it won on any of its chairs, and of a game without a winner as much as its
    chairs are worth; `par` is what it would be among equals. `turns` are its turns in a game on one chair,
    `mean` and `slow` the milliseconds of a turn: on average, and what 95 of 100 turns stay below.
    """

    name: str
    chairs: int
    par: float
    wins: int
    rate: WinRate
    turns: float
    mean: float
    slow: float


class Tally:
    """Counts finished games."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.games = 0
        self.undecided = 0
        self.turns = 0
        self.wins: Counter[str] = Counter()
        self.by_order: Counter[int] = Counter()
        self.times = {name: array("d") for name in contest.names}

    def add(self, played: PlayedGame) -> None:
        """Count one game."""
        self.games += 1
        self.turns += played.turns
        if played.winner is None:
            self.undecided += 1
        else:
            self.wins[played.bots[played.winner]] += 1
            self.by_order[(played.winner - played.first_seat) % self.contest.seats] += 1
        for name, times in zip(played.bots, played.times, strict=True):
            self.times[name].extend(times)

    def rate(self, name: str) -> WinRate:
        """The score of a bot."""
        return WinRate(self.wins[name] + self.undecided * self.contest.par(name), self.games)

    def standings(self) -> list[BotTally]:
        """Every bot, in the order of the line-up."""
        return [self.standing(name) for name in self.contest.names]

    def standing(self, name: str) -> BotTally:
        """How one bot did."""
        times, chairs = self.times[name], self.contest.chairs(name)
        return BotTally(
            name=name,
            chairs=chairs,
            par=self.contest.par(name),
            wins=self.wins[name],
            rate=self.rate(name),
            turns=len(times) / (self.games * chairs) if self.games else 0.0,
            mean=sum(times) / len(times) if times else 0.0,
            slow=percentile(times, NINETY_FIVE),
        )

    def chairs(self) -> list[WinRate]:
        """The score of the seat that begins, of the next one and so on, regardless of the bot."""
        share = self.undecided / self.contest.seats
        return [WinRate(self.by_order[place] + share, self.games) for place in range(self.contest.seats)]


def percentile(times: Sequence[float], part: float) -> float:
    """The smallest of `times` that is not below `part` of them; 0 if there are none."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
