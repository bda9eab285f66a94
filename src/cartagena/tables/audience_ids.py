"""Audiences of a table: who is told the same things, as one number."""

from typing import Final

SPECTATOR: Final = -1
"""The audience without a seat, as long as a table has not become more private than it was."""

_SEATS: Final = 8


def sitting(seat: int, since: int) -> int:
    """The audience of a seat that was taken with event `since`."""
    return since * _SEATS + seat


def watching(since: int) -> int:
    """The audience of those who came to watch after event `since`.

    >>> watching(0) == SPECTATOR
    True
    """
    return SPECTATOR - since


def seat_of_audience(audience: int) -> int | None:
    """The seat from which an audience looks, None if it is the spectators'.

    >>> seat_of_audience(sitting(3, since=17)), seat_of_audience(SPECTATOR)
    (3, None)
    """
    return None if audience <= SPECTATOR else audience % _SEATS
