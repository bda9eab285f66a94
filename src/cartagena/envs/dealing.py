"""Chance for games of learning programs: the deal of each game, and the order of each renewed stock.

Compiled like the rules, because an environment that plays a million steps a second deals thousands of games.
"""

from typing import Final

from mypy_extensions import i64

from cartagena.bots.random_games import random_opening
from cartagena.fairness.shuffle import lone_shuffle, opening, renewal
from cartagena.rules.draw import cards_due
from cartagena.rules.hidden.provenance import SEED_BITS, Lots
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset

FAST: Final = "fast"
PUBLISHED: Final = "published"
SHUFFLES: Final = (FAST, PUBLISHED)
"""Where chance comes from: a quick generator, or the shuffle that docs/fairness.md publishes."""


class Dealer:
    """Chance for one game, all decided by its secret of 32 bytes."""

    def __init__(self, ruleset: Ruleset, seats: i64, secret: bytes) -> None:
        self.ruleset = ruleset
        self.seats = seats
        self.secret = secret

    def deal(self) -> Position:
        """The game after the deal."""
        raise NotImplementedError

    def order(self, position: Position) -> list[int]:
        """The cards that are due, in the order in which they will be drawn."""
        raise NotImplementedError


class FastDealer(Dealer):
    """Shuffles with a small generator: good enough for learning, but its next card could be worked out."""

    def __init__(self, ruleset: Ruleset, seats: i64, secret: bytes) -> None:
        super().__init__(ruleset, seats, secret)
        self.lots = Lots(int.from_bytes(secret[:8], "big") >> (64 - SEED_BITS))

    def deal(self) -> Position:
        """A board, a deal and a first seat, each as likely as any other."""
        return random_opening(self.ruleset, self.seats, self.lots)

    def order(self, position: Position) -> list[int]:
        """Any order of the cards that are due."""
        due = cards_due(position)
        self.lots.shuffle(due)
        return due


class PublishedDealer(Dealer):
    """Shuffles as games of the service do: with the same seed it deals what `cartagena new` deals."""

    def __init__(self, ruleset: Ruleset, seats: i64, secret: bytes) -> None:
        super().__init__(ruleset, seats, secret)
        self.shuffle = lone_shuffle("local", secret, ruleset, seats)

    def deal(self) -> Position:
        """The opening of the published shuffle."""
        return opening(self.shuffle, self.ruleset, self.seats)

    def order(self, position: Position) -> list[int]:
        """The published order of this renewal."""
        return list(self.shuffle.order(renewal(position.renewals + 1), cards_due(position)))


def dealer_of(shuffle: str, ruleset: Ruleset, seats: i64, secret: bytes) -> Dealer:
    """The dealer of one game; `shuffle` is one of `SHUFFLES`."""
    if shuffle == PUBLISHED:
        return PublishedDealer(ruleset, seats, secret)
    return FastDealer(ruleset, seats, secret)
