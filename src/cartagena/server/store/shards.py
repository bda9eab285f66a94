"""The shard map: which database holds which buckets of games."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from cartagena.server.shared.ids import BUCKETS
from cartagena.server.shared.reading import SettingsError, is_dsn

VARIABLE: Final = "CARTAGENA_SHARDS"
EXAMPLE: Final = '"0-511=postgresql://one.example.org/games,512-1023=postgresql://two.example.org/games"'

_ENTRY: Final = re.compile(r"\s*(\d+)(?:-(\d+))?\s*=\s*(\S*)\s*")
# The address of one database may hold commas of its own, so only one before a new range separates.
_BETWEEN_ENTRIES: Final = re.compile(r",(?=\s*\d+(?:-\d+)?\s*=)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardMap:
    """For every bucket the primary that holds its games; each primary is named once."""

    primaries: tuple[str, ...] = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    """For each bucket, the number of its primary."""

    @classmethod
    def parse(cls, text: str) -> "ShardMap":
        """Read `0-511=dsn,512-1023=dsn`, or one dsn for all; raises SettingsError.

        >>> two = ShardMap.parse("0-511=postgresql://one/games,512-1023=postgresql://two/games")
        >>> two.primary_of(511), two.primary_of(512)
        ('postgresql://one/games', 'postgresql://two/games')
        """
        if is_dsn(text.strip()):
            return cls(primaries=(text.strip(),), places=(0,) * BUCKETS)
        owners = _owners(_BETWEEN_ENTRIES.split(text))
        primaries = tuple(dict.fromkeys(owners))
        return cls(primaries=primaries, places=tuple(primaries.index(owner) for owner in owners))

    def primary_of(self, bucket: int) -> str:
        """The address of the database in which a bucket is."""
        return self.primaries[self.places[bucket]]


def _owners(entries: Iterable[str]) -> list[str]:
    """The primary of each bucket, every bucket exactly once."""
    claims: list[list[str]] = [[] for _ in range(BUCKETS)]
    for number, entry in enumerate(entries, start=1):
        buckets, dsn = _entry(number, entry)
        for bucket in buckets:
            claims[bucket].append(dsn)
    if missing := _ranges(bucket for bucket in range(BUCKETS) if not claims[bucket]):
        raise SettingsError(VARIABLE, f"names no database for {missing}", EXAMPLE)
    if double := _ranges(bucket for bucket in range(BUCKETS) if len(claims[bucket]) > 1):
        raise SettingsError(VARIABLE, f"names more than one database for {double}", EXAMPLE)
    return [claim for (claim,) in claims]


def _entry(number: int, entry: str) -> tuple[range, str]:
    # The text itself may hold a password, so an error counts entries instead.
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise SettingsError(
            VARIABLE, f"cannot be read at entry {number}: it must be buckets=address", EXAMPLE
        )
    first, last, dsn = int(match[1]), int(match[2] or match[1]), match[3]
    if not first <= last < BUCKETS:
        trouble = f"has no such buckets as {first}-{last} at entry {number}: they go from 0 to {BUCKETS - 1}"
        raise SettingsError(VARIABLE, trouble, EXAMPLE)
    if not is_dsn(dsn):
        trouble = f"has no address of a PostgreSQL database for {_named(first, last)}"
        raise SettingsError(VARIABLE, trouble, EXAMPLE)
    return range(first, last + 1), dsn


def _ranges(buckets: Iterable[int]) -> str:
    """Buckets in words, neighbours taken together."""
    return " and ".join(_runs(buckets))


def _runs(buckets: Iterable[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(buckets), lambda pair: pair[1] - pair[0]):
        together = [bucket for _, bucket in run]
        yield _named(together[0], together[-1])


def _named(first: int, last: int) -> str:
    return f"bucket {first}" if first == last else f"buckets {first}-{last}"
