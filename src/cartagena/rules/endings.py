"""Endings without all pirates of a crew home: dead positions (stalemate), and too many quiet rounds."""

from mypy_extensions import i64

from cartagena.rules.families.table import rules_of
from cartagena.rules.happenings import Dead
from cartagena.rules.position import DEAD, NOBODY, Position


def is_dead(position: Position) -> bool:
    """R6.7, R6.8, R6.10: whether nobody can ever act again."""
    return rules_of(position).is_dead(position)


def end_dead(position: Position) -> None:
    """R6.11, R6.12: a dead game has no winner, unless most pirates home decide and one crew leads."""
    winner: i64 = NOBODY
    if position.ruleset.stalemate == "most_home":
        winner = leader(position)
    position.finish(DEAD, winner)
    if position.told is not None:
        position.told.append(Dead(None if winner == NOBODY else winner))


def leader(position: Position) -> i64:
    """The seat with most pirates home, NOBODY when it shares that number."""
    most = max([crew.home for crew in position.crews])
    leaders = [seat for seat, crew in enumerate(position.crews) if crew.home == most]
    return leaders[0] if len(leaders) == 1 else NOBODY


def quiet_rounds(position: Position) -> i64:
    """R6.13: how many full rounds have gone since a seat last had more pirates home than ever before."""
    return (position.turn - position.last_progress) // len(position.crews)


def is_quiet(position: Position) -> bool:
    """R6.14: whether the game has gone on too long without progress."""
    limit = position.ruleset.quiet_rounds
    return limit > 0 and quiet_rounds(position) >= limit
