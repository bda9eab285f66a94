"""Audiences: whom something is made for; the spectators, or the player who sits on a certain chair.

The number of a seat alone would not do. A stream that was opened from a seat would go on telling its cards
after another player has sat down there, if the message to close it got lost. So an audience also holds the
event with which its player sat down, and the next player on that seat is another audience. Spectators
become another audience, too, after the host has made the table more private.
"""

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
