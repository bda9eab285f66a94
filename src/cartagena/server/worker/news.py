"""News: what happened at tables is told to the directory, and full quick tables are started.

A table with news carries a mark. A worker that claims it writes how the table stands now and removes the
mark, unless something has happened since. Each step may be done twice, and none is lost when a worker dies.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from asyncpg import Pool
from prometheus_client import CollectorRegistry, Counter

from cartagena.server.bus import Bus, LobbyChange
from cartagena.server.lobby.quick import start_if_full
from cartagena.server.lobby.standing import Standing
from cartagena.server.lobby.telling import forget_old, tell
from cartagena.server.store.news import ShardNews
from cartagena.server.tables.tables import Tables
from cartagena.server.worker.news_rounds import Rounds
from cartagena.server.worker.service import Worker

SWEEP_SECONDS: Final = 600.0

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPace:
    """How often to look for news, how much to claim, and after how long (ms) another worker may claim it."""

    poll_seconds: float = 0.25
    batch: int = 64
    at_once: int = 4
    lease: int = 30_000


class NewsMetrics:
    """The metrics of news."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.told = Counter(
            "cartagena_news_told", "Tables of which the directory was told", registry=registry
        )
        self.failures = Counter(
            "cartagena_news_failed", "Tables of which it could not be told", registry=registry
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Teller:
    """Tells the directory, and the lobby, how tables stand."""

    directory: Pool
    tables: Tables
    bus: Bus
    metrics: NewsMetrics
    pace: NewsPace = NewsPace()

    async def tell_due(self, shard: ShardNews) -> int:
        """Tell the directory all that one database has to tell now; returns how many tables were told."""
        claimed = await shard.claim(self.pace.batch, lease=self.pace.lease)
        standings = await shard.standings(claimed) if claimed else []
        gate = asyncio.Semaphore(self.pace.at_once)
        told = await asyncio.gather(*(self._tell(shard, standing, gate) for standing in standings))
        return sum(told)

    async def _tell(self, shard: ShardNews, standing: Standing, gate: asyncio.Semaphore) -> bool:
        async with gate:
            try:
                await self.tell_one(shard, standing)
            except Exception as error:  # noqa: BLE001 (its mark stays, so it is told when the lease ends)
                self.metrics.failures.inc()
                logger.warning("news_not_told", game=str(standing.game_id), error=type(error).__name__)
                return False
        self.metrics.told.inc()
        return True

    async def tell_one(self, shard: ShardNews, standing: Standing) -> None:
        """Tell of one table; the mark is removed last, so that nothing is forgotten on the way."""
        change = await tell(self.directory, standing)
        if change is not None:
            self.bus.publish(LobbyChange(frame=change.frame()))
        await start_if_full(self.tables, standing.game_id, standing.sheet)
        await shard.told(standing)


class News(Worker):
    """Tells the news of every database until it is stopped; a `Service`."""

    def __init__(self, teller: Teller, shards: Sequence[ShardNews]) -> None:
        async def tell_due(shard: ShardNews, _: asyncio.TaskGroup) -> int:
            return await teller.tell_due(shard)

        async def sweep(_: asyncio.TaskGroup) -> int:
            return await forget_old(teller.directory)

        pause = teller.pace.poll_seconds
        super().__init__(
            [
                *(Rounds("news", partial(tell_due, shard), pause=pause) for shard in shards),
                Rounds("news sweep", sweep, pause=SWEEP_SECONDS),
            ]
        )
