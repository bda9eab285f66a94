"""The tally of a contest: who won how often, on which chair, and how long every bot thought."""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.arena.contest import Contest
from cartagena.arena.referee import PlayedGame
from cartagena.arena.statistics import WinRate

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
