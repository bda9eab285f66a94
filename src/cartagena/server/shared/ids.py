"""Ids that sort by time and carry the bucket in which a game is stored."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

# Moments of PostgreSQL as they are sent.

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


BUCKETS: Final = 1024
"""Logical places of games; a map assigns them to databases, so a bucket can move while ids stay."""

RANDOM_BYTES: Final = 10
"""How many random bytes an id takes."""

_VERSION: Final = 7 << 76
_VARIANT: Final = 2 << 62
_BUCKET_SHIFT: Final = 64
_TIME_SHIFT: Final = 80
_REST: Final = (1 << 62) - 1


def new_id(milliseconds: int, chance: bytes) -> UUID:
    """A UUID of version 7 at this moment; ten random bytes decide its bucket and the rest.

    >>> str(new_id(0x0123456789AB, bytes(10)))
    '01234567-89ab-7000-8000-000000000000'
    """
    assert len(chance) == RANDOM_BYTES
    number = int.from_bytes(chance)
    bucket, rest = number >> 64 & (BUCKETS - 1), number & _REST
    return UUID(int=milliseconds << _TIME_SHIFT | _VERSION | bucket << _BUCKET_SHIFT | _VARIANT | rest)


def bucket_of(game_id: UUID) -> int:
    """The bucket that an id carries.

    >>> bucket_of(new_id(0, bytes([3, 255]) + bytes(8)))
    1023
    """
    return game_id.int >> _BUCKET_SHIFT & (BUCKETS - 1)
