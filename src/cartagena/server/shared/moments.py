"""Moments of PostgreSQL as they are sent."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime.fromtimestamp(0, UTC)


def milliseconds(moment: datetime) -> int:
    """A moment in milliseconds since 1970.

    >>> milliseconds(datetime(1970, 1, 1, 0, 0, 1, 500_000, UTC))
    1500
    """
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def milliseconds_or_none(moment: datetime | None) -> int | None:
    """A moment in milliseconds since 1970, None for one that may never come."""
    return None if moment is None else milliseconds(moment)
