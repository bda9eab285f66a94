"""Ids that sort by time and carry the bucket in which a game is stored, and keys of requests."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

BUCKETS: Final = 1024
"""Logical places of games; a map assigns them to databases, so a bucket can move while ids stay."""

RANDOM_BYTES: Final = 10
"""How many random bytes an id takes."""

OF_SERVICE: Final = 7
OF_DEVICE: Final = 8
"""The version of an id says who answers for its table."""

_KEY_BYTES: Final = 16
_VERSION_SHIFT: Final = 76
_VARIANT: Final = 2 << 62
_BUCKET_SHIFT: Final = 64
_TIME_SHIFT: Final = 80
_REST: Final = (1 << 62) - 1


def new_id(milliseconds: int, chance: bytes, version: int = OF_SERVICE) -> UUID:
    """A UUID at this moment; ten random bytes decide its bucket and the rest.

    >>> str(new_id(0x0123456789AB, bytes(10)))
    '01234567-89ab-7000-8000-000000000000'
    """
    assert len(chance) == RANDOM_BYTES
    number = int.from_bytes(chance)
    bucket, rest = number >> 64 & (BUCKETS - 1), number & _REST
    moment = milliseconds << _TIME_SHIFT | version << _VERSION_SHIFT
    return UUID(int=moment | bucket << _BUCKET_SHIFT | _VARIANT | rest)


def random_key(chance: Callable[[int], bytes]) -> UUID:
    """A key for what no client named: a UUID of version 4 from 16 bytes that `chance` returns.

    >>> str(random_key(bytes))
    '00000000-0000-4000-8000-000000000000'
    """
    return UUID(bytes=chance(_KEY_BYTES), version=4)


def bucket_of(game_id: UUID) -> int:
    """The bucket that an id carries.

    >>> bucket_of(new_id(0, bytes([3, 255]) + bytes(8)))
    1023
    """
    return game_id.int >> _BUCKET_SHIFT & (BUCKETS - 1)
