"""Which database holds which buckets of games: the shard map at the start, and where a bucket is now."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, TypeAlias
from uuid import UUID

import asyncpg
import structlog

from cartagena.server.shared.settings_parsing import SettingsError, is_dsn
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import BUCKETS

# How a database is reached: by one connection, or a pool of them.

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Held: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
"""A connection that belongs to a pool."""


VARIABLE: Final = "CARTAGENA_SHARDS"
EXAMPLE: Final = '"0-511=postgresql://one.example.org/games,512-1023=postgresql://two.example.org/games"'

ADDED: Final = f'"0-{BUCKETS - 1}=postgresql://one.example.org/games,none=postgresql://two.example.org/games"'

NONE: Final = "none"
"""Stands in place of buckets for a database that holds none yet: buckets can move there."""

_BUCKETS: Final = rf"(?:{NONE}|(\d+)(?:-(\d+))?)"
_ENTRY: Final = re.compile(rf"\s*{_BUCKETS}\s*=\s*(\S*)\s*")
# An address may contain commas, so only a comma before a new range separates entries.
_BETWEEN_ENTRIES: Final = re.compile(rf",(?=\s*{_BUCKETS}\s*=)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardMap:
    """The primary that holds the games of each bucket; each primary is named once."""

    primaries: tuple[str, ...] = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    """The number of the primary of each bucket."""

    @classmethod
    def parse(cls, text: str) -> "ShardMap":
        """Read `0-511=dsn,512-1023=dsn`, or one dsn for all; raises SettingsError.

        >>> two = ShardMap.parse("0-511=postgresql://one/games,512-1023=postgresql://two/games")
        >>> two.places[511], two.places[512]
        (0, 1)
        >>> ShardMap.parse("0-1023=postgresql://one/games,none=postgresql://two/games").primaries
        ('postgresql://one/games', 'postgresql://two/games')
        """
        if is_dsn(text.strip()):
            return cls(primaries=(text.strip(),), places=(0,) * BUCKETS)
        entries = [_entry(number, entry) for number, entry in enumerate(_split(text), start=1)]
        owners = _owners(entries)
        primaries = tuple(dict.fromkeys([*owners, *(dsn for _, dsn in entries)]))
        return cls(primaries=primaries, places=tuple(primaries.index(owner) for owner in owners))


def _split(text: str) -> Iterator[str]:
    start = 0
    for comma in _BETWEEN_ENTRIES.finditer(text):
        yield text[start : comma.start()]
        start = comma.end()
    yield text[start:]


def _owners(entries: Iterable[tuple[range, str]]) -> list[str]:
    """The primary of each bucket, every bucket exactly once."""
    claims: list[list[str]] = [[] for _ in range(BUCKETS)]
    for buckets, dsn in entries:
        for bucket in buckets:
            claims[bucket].append(dsn)
    if missing := _ranges(bucket for bucket in range(BUCKETS) if not claims[bucket]):
        raise SettingsError(VARIABLE, f"names no database for {missing}", EXAMPLE)
    if double := _ranges(bucket for bucket in range(BUCKETS) if len(claims[bucket]) > 1):
        raise SettingsError(VARIABLE, f"names more than one database for {double}", EXAMPLE)
    return [claim for (claim,) in claims]


def _entry(number: int, entry: str) -> tuple[range, str]:
    # The text itself may hold a password, so an error gives the entry's number instead.
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise SettingsError(
            VARIABLE, f"cannot be read at entry {number}: it must be buckets=address", EXAMPLE
        )
    dsn = match[3]
    if match[1] is None:
        if not is_dsn(dsn):
            raise SettingsError(VARIABLE, f"has no address of a PostgreSQL database after {NONE}", EXAMPLE)
        return range(0), dsn
    first, last = int(match[1]), int(match[2] or match[1])
    if not first <= last < BUCKETS:
        trouble = f"has no such buckets as {first}-{last} at entry {number}: they go from 0 to {BUCKETS - 1}"
        raise SettingsError(VARIABLE, trouble, EXAMPLE)
    if not is_dsn(dsn):
        trouble = f"has no address of a PostgreSQL database for {_named(first, last)}"
        raise SettingsError(VARIABLE, trouble, EXAMPLE)
    return range(first, last + 1), dsn


def in_ranges(buckets: Iterable[int]) -> str:
    """Buckets as the map writes them, neighbours joined into ranges.

    >>> in_ranges([0, 1, 2, 7])
    '0-2,7'
    """
    return ",".join(f"{first}-{last}" if first != last else str(first) for first, last in _runs(buckets))


def _ranges(buckets: Iterable[int]) -> str:
    """Buckets in words."""
    return " and ".join(_named(first, last) for first, last in _runs(buckets))


def _runs(buckets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last bucket of each run of neighbours."""
    for _, run in groupby(enumerate(buckets), lambda pair: pair[1] - pair[0]):
        together = [bucket for _, bucket in run]
        yield together[0], together[-1]


def _named(first: int, last: int) -> str:
    return f"bucket {first}" if first == last else f"buckets {first}-{last}"


def _unnamed(found: dict[int, UUID]) -> SettingsError:
    """The error for buckets by the identity of the database that holds them."""
    held = [
        f"{_ranges(sorted(bucket for bucket in found if found[bucket] == identity))} ({identity})"
        for identity in sorted(set(found.values()))
    ]
    wanted = f"does not name the database that now holds {', nor the one of '.join(held)}"
    return SettingsError(VARIABLE, f"{wanted}: add it, behind {NONE}= if no bucket began there", ADDED)


PAUSE: Final = 0.05
PATIENCE: Final = 5.0
"""How many seconds a request waits for a bucket that is moving; longer than a move should take."""
MOST_MOVES: Final = 16
"""How often a bucket is followed for one request."""

IDENTITY: Final = "SELECT id FROM shard.identity"
DEPARTURES: Final = "SELECT bucket, shard FROM shard.departures WHERE arrived"
DEPARTURE: Final = "SELECT shard, arrived FROM shard.departures WHERE bucket = $1"

_log: Final = structlog.get_logger(__name__)


class ShardDirectory:
    """The database that holds each bucket, as far as this process knows."""

    def __init__(self, pools: tuple[Pool, ...], shard_map: ShardMap) -> None:
        self._pools = pools
        self._places = list(shard_map.places)
        self._by_identity: dict[UUID, int] = {}

    def place_of(self, bucket: int) -> int:
        """The number of the database that holds a bucket."""
        return self._places[bucket]

    async def learn(self) -> None:
        """Read every note; what the settings say may be out of date.

        Raises SettingsError if buckets are in a database that the settings do not name.
        """
        notes = {
            (place, row["bucket"]): row["shard"]
            for place, pool in enumerate(self._pools)
            for row in await pool.fetch(DEPARTURES)
        }
        unnamed: dict[int, UUID] = {}
        # A bucket may have moved on from where it went, at most once to each other database.
        for _ in self._pools:
            for (place, bucket), shard in notes.items():
                if self._places[bucket] == place:
                    known = await self.place_with(shard)
                    if known is None:
                        unnamed[bucket] = shard
                    else:
                        self._places[bucket] = known
        if unnamed:
            raise _unnamed(unnamed)

    async def follow(self, bucket: int, asked: int) -> bool:
        """Whether to look again for something that was not found in a database.

        True if the bucket has left, or has come back meanwhile. Raises UNAVAILABLE if it has been on its way
        for too long.
        """
        for waited in range(int(PATIENCE / PAUSE)):
            if self._places[bucket] != asked:
                return True
            note = await self._pools[asked].fetchrow(DEPARTURE, bucket)
            if note is None:
                return waited > 0
            if note["arrived"]:
                await self._send_on(bucket, note["shard"])
                return True
            await asyncio.sleep(PAUSE)
        raise ServiceError(Problem.UNAVAILABLE, "the table is being moved; try again", retry_after=1)

    async def _send_on(self, bucket: int, identity: UUID) -> None:
        place = await self.place_with(identity)
        if place is None:
            _log.error("bucket_elsewhere", bucket=bucket, shard=str(identity), missing_in=VARIABLE)
            raise ServiceError(Problem.UNAVAILABLE, "the table has moved out of reach", retry_after=30)
        self._places[bucket] = place

    async def place_with(self, identity: UUID) -> int | None:
        """The number of the database with this identity, None if the settings do not name it."""
        if identity not in self._by_identity:
            for place, pool in enumerate(self._pools):
                self._by_identity[await pool.fetchval(IDENTITY)] = place
        return self._by_identity.get(identity)
