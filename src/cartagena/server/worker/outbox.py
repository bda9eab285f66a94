"""The outbox: what happened at tables is told to the directory, again and again; full tables are started."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import structlog
from asyncpg import Pool
from prometheus_client import CollectorRegistry, Counter

from cartagena.server.bus import Bus, LobbyChange
from cartagena.server.lobby.directory_updates import forget_old, tell
from cartagena.server.lobby.matchmaking import start_if_full
from cartagena.server.lobby.table_summary import TableSummary
from cartagena.server.store.outbox import ShardOutbox
from cartagena.server.tables.service import Tables
from cartagena.server.worker.service import Worker

Step: TypeAlias = Callable[[asyncio.TaskGroup], Awaitable[int]]
"""Does what there is to do and returns how much that was; long work may go to tasks of the group."""

logger = structlog.get_logger(__name__)


class Rounds:
    """Makes rounds until it is stopped; what fails is retried in the next one. A `Service`."""

    def __init__(self, name: str, step: Step, *, pause: float) -> None:
        self._name = name
        self._step = step
        self._pause = pause
        self._is_failing = False
        self._stopping = asyncio.Event()
        self._is_done = asyncio.Event()
        self._is_done.set()

    async def run(self) -> None:
        """Go on until stopped, then wait for everything that was begun."""
        self._is_done.clear()
        try:
            async with asyncio.TaskGroup() as group:
                while not self._stopping.is_set():
                    if not await self._go_round(group):
                        await self._rest()
        finally:
            self._is_done.set()

    async def stop(self) -> None:
        """Begin nothing new, and return when what was begun is done."""
        self._stopping.set()
        await self._is_done.wait()

    async def _go_round(self, group: asyncio.TaskGroup) -> int:
        try:
            done = await self._step(group)
        except Exception as error:  # noqa: BLE001 (whatever it is, the next round may go better)
            if not self._is_failing:
                logger.warning("rounds_failing", rounds=self._name, error=type(error).__name__)
            self._is_failing = True
            return 0
        if self._is_failing:
            logger.info("rounds_going_on", rounds=self._name)
        self._is_failing = False
        return done

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pause):
                await self._stopping.wait()


SWEEP_SECONDS: Final = 600.0



@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxPace:
    """How often to look for news, how much to claim, and after how long (ms) another worker may claim it."""

    poll_seconds: float = 0.25
    batch: int = 64
    at_once: int = 4
    lease: int = 30_000


class OutboxMetrics:
    """The metrics of news."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.told = Counter(
            "cartagena_news_told", "Tables of which the directory was told", registry=registry
        )
        self.failures = Counter(
            "cartagena_news_failed", "Tables of which it could not be told", registry=registry
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryWriter:
    """Tells the directory, and the lobby, how tables stand."""

    directory: Pool
    tables: Tables
    bus: Bus
    metrics: OutboxMetrics
    pace: OutboxPace = OutboxPace()

    async def tell_due(self, shard: ShardOutbox) -> int:
        """Tell the directory all that one database has to tell now; returns how many tables were told."""
        claimed = await shard.claim(self.pace.batch, lease=self.pace.lease)
        standings = await shard.standings(claimed) if claimed else []
        gate = asyncio.Semaphore(self.pace.at_once)
        told = await asyncio.gather(*(self._tell(shard, standing, gate) for standing in standings))
        return sum(told)

    async def _tell(self, shard: ShardOutbox, standing: TableSummary, gate: asyncio.Semaphore) -> bool:
        async with gate:
            try:
                await self.tell_one(shard, standing)
            except Exception as error:  # noqa: BLE001 (its mark stays, so it is told when the lease ends)
                self.metrics.failures.inc()
                logger.warning("news_not_told", game=str(standing.game_id), error=type(error).__name__)
                return False
        self.metrics.told.inc()
        return True

    async def tell_one(self, shard: ShardOutbox, standing: TableSummary) -> None:
        """Tell of one table; the mark is removed last, so that nothing is forgotten on the way."""
        change = await tell(self.directory, standing)
        if change is not None:
            self.bus.publish(LobbyChange(frame=change.frame()))
        await start_if_full(self.tables, standing.game_id, standing.sheet)
        await shard.told(standing)


class OutboxWorker(Worker):
    """Tells the news of every database until it is stopped; a `Service`."""

    def __init__(self, teller: DirectoryWriter, shards: Sequence[ShardOutbox]) -> None:
        async def tell_due(shard: ShardOutbox, _: asyncio.TaskGroup) -> int:
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
