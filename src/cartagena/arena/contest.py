"""A contest: who plays whom, by which rules, and with which chance in every single game.

Chance comes in *deals*: a board, an order of the deck and a seat that begins. Every deal is played with
every *rotation* of the line-up over the seats, so that all bots get the same luck. Games are numbered:
first all rotations of deal 0, then those of deal 1.
"""

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cartagena.bots.players.registry import Factory
from cartagena.engine_protocol import make
from cartagena.fairness.shuffle import Shuffle, lone_shuffle
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot by its name, and how to make a fresh one; two with the same name are the same bot."""

    name: str
    make: Factory


def contestant(name: str) -> Contestant:
    """The bot or engine that has a name; raises BotError if there is none."""
    make(name)
    return Contestant(name, functools.partial(make, name))


def line_up(bots: Sequence[Contestant], seats: int) -> tuple[Contestant, ...]:
    """A bot for every seat: the last of them takes all the seats that are left."""
    return (*bots, *[bots[-1]] * (seats - len(bots)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A plan from which every game follows: the same plan gives the same games, anywhere and in any order.

    `seconds` is how long a choice may take, None if there is no hurry. What a bot chooses that is cut short
    depends on the machine.

    >>> one, other = contestant("random"), Contestant("twin", contestant("random").make)
    >>> from cartagena.rules.ruleset import TORTUGA
    >>> contest = Contest(ruleset=TORTUGA, line_up=line_up([one, other], 4), seed="1")
    >>> [[bot.name for bot in contest.sitting(rotation)] for rotation in range(2)]
    [['random', 'twin', 'twin', 'twin'], ['twin', 'random', 'twin', 'twin']]
    """

    ruleset: Ruleset
    line_up: tuple[Contestant, ...]
    seed: str
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not FEWEST_SEATS <= self.seats <= MOST_SEATS:
            raise ValueError(f"a line-up has {FEWEST_SEATS} to {MOST_SEATS} bots, not {self.seats}")
        if not self.ruleset.quiet_rounds:
            raise ValueError("without quiet rounds a game may never end; choose quiet_rounds=1 or more")

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.line_up)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots that take part, each once, in the order of the line-up."""
        return tuple(dict.fromkeys(bot.name for bot in self.line_up))

    @property
    def rotations(self) -> int:
        """How many seatings differ; after this many games every bot has had every seat equally often."""
        names = [bot.name for bot in self.line_up]
        return next(turn for turn in range(1, len(names) + 1) if names[turn:] + names[:turn] == names)

    def chairs(self, name: str) -> int:
        """How many of the seats a bot has in every game."""
        return sum(bot.name == name for bot in self.line_up)

    def par(self, name: str) -> float:
        """The share of the games that a bot wins if it is as good as the others."""
        return self.chairs(name) / self.seats

    def whole_deals(self, games: int) -> int:
        """The number of games, rounded up so that no deal is left half played."""
        return -(-games // self.rotations) * self.rotations

    def place_of(self, number: int) -> tuple[int, int]:
        """The deal and the rotation of a game."""
        return divmod(number, self.rotations)

    def sitting(self, rotation: int) -> tuple[Contestant, ...]:
        """Which bot sits on each seat."""
        return tuple(self.line_up[(seat - rotation) % self.seats] for seat in range(self.seats))

    def shuffle(self, deal: int) -> Shuffle:
        """All that chance decides on the table, the same for every rotation."""
        secret = hashlib.sha256(f"{self.seed}/{deal}".encode()).digest()
        return lone_shuffle("arena", secret, self.ruleset, self.seats)

    def chance(self, deal: int, rotation: int, seat: int) -> Random:
        """The chance that the bot on a seat may use for itself in one game."""
        return Random(f"{self.seed}/{deal}/{rotation}/{seat}")
