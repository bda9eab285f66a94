"""Audiences: for whom something is made; those who only watch, or one who sits on a certain chair.

The number of a seat alone would not do. A stream that was opened from a seat would go on telling its cards
after somebody else has sat down there, if the message to close it got lost. So an audience also says since
which event its player has been sitting there, and whoever sits down later is another audience.
"""

from typing import Final

SPECTATOR: Final = -1
"""The audience that has no seat."""

_SEATS: Final = 8


def sitting(seat: int, since: int) -> int:
    """The audience of a seat that was taken with event `since`."""
    return since * _SEATS + seat


def seat_of_audience(audience: int) -> int | None:
    """The seat from which an audience looks, None if it only watches.

    >>> seat_of_audience(sitting(3, since=17)), seat_of_audience(SPECTATOR)
    (3, None)
    """
    return None if audience == SPECTATOR else audience % _SEATS
