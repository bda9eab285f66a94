"""Whereabouts: which database holds a bucket now, whatever the shard map said at the start.

A bucket that moves leaves a note in its old database: where it goes, and whether it has arrived. No process
needs to be told. One that does not find a game where it was reads the note and follows.
"""

import asyncio
from typing import Final
from uuid import UUID

import structlog

from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.store.pool import Pool
from cartagena.server.store.shards import VARIABLE, ShardMap

PAUSE: Final = 0.05
PATIENCE: Final = 5.0
"""How many seconds a request waits for a bucket that is moving; longer than a move should take."""
MOST_MOVES: Final = 16
"""How often a bucket is followed for one request."""

IDENTITY: Final = "SELECT id FROM shard.identity"
DEPARTURES: Final = "SELECT bucket, shard FROM shard.departures WHERE arrived"
DEPARTURE: Final = "SELECT shard, arrived FROM shard.departures WHERE bucket = $1"

_log: Final = structlog.get_logger(__name__)


class Whereabouts:
    """The database that holds each bucket, as far as this process knows."""

    def __init__(self, pools: tuple[Pool, ...], shard_map: ShardMap) -> None:
        self._pools = pools
        self._places = list(shard_map.places)
        self._by_identity: dict[UUID, int] = {}

    def place_of(self, bucket: int) -> int:
        """The number of the database that holds a bucket."""
        return self._places[bucket]

    async def learn(self) -> None:
        """Read every note; what the settings say may be out of date."""
        notes = {
            (place, row["bucket"]): row["shard"]
            for place, pool in enumerate(self._pools)
            for row in await pool.fetch(DEPARTURES)
        }
        # A bucket may have moved on from where it went, at most once to each other database.
        for _ in self._pools:
            for (place, bucket), shard in notes.items():
                if self._places[bucket] == place:
                    await self._send_on(bucket, shard)

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
