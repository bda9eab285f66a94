"""A new game as a record: who sits where, and the deal."""

from collections.abc import Sequence

from cartagena.cli.table_flags import LEVEL, seat_name
from cartagena.game import Game
from cartagena.notation.record import Record
from cartagena.rules.ruleset import Ruleset


def fresh(ruleset: Ruleset, names: Sequence[str], seed: str | None) -> Record:
    """A new game; the same seed gives the same board and the same deal."""
    return Game.start(ruleset, seats=len(names), seed=seed, names=names).record()


def names_of_seats(seats: int, bots: int, level: str = LEVEL) -> tuple[str, ...]:
    """Nameless people first, then the bots."""
    return ("",) * (seats - bots) + (seat_name(level),) * bots
