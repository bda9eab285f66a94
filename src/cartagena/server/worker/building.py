"""Building a worker, for `cartagena worker` and for a service that has one inside."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import asyncpg
from prometheus_client import CollectorRegistry

from cartagena.server.bus import Bus, Wake
from cartagena.server.shared.settings import Settings
from cartagena.server.store.creations import DirectoryCreations
from cartagena.server.store.databases import COMMAND_SECONDS, CONNECT_SECONDS, Connection, Databases
from cartagena.server.store.games import Games
from cartagena.server.store.jobs import DirectoryAnalyses, DirectoryHints
from cartagena.server.store.queue import JobQueue, JobRunner
from cartagena.server.store.wakes import ShardWakes
from cartagena.server.tables.creating import Chance
from cartagena.server.tables.tables import Tables
from cartagena.server.worker.attending import Attendant
from cartagena.server.worker.jobs import AnalysisJob, HintJob
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.server.worker.news_rounds import Rounds
from cartagena.server.worker.players import Players
from cartagena.server.worker.service import Service, Worker
from cartagena.server.worker.thinking import Minds
from cartagena.server.worker.wakes import Pace, Wakes

PROGRAM: Final = "cartagena worker"
BOT_SECONDS: Final = 2.0
"""How long a bot may think about a choice."""
LEASE: Final = 30_000
"""How many milliseconds a claimed game is left to whoever claimed it."""
SWEEP_SECONDS: Final = 600.0

Broom = Callable[[], Awaitable[None]]
"""Drops what is old and wanted by nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a worker stands on; a service that has one inside hands it its own."""

    settings: Settings
    databases: Databases
    bus: Bus
    store: Games
    tables: Tables
    registry: CollectorRegistry
    chance: Chance = secrets.token_bytes

    @property
    def hints(self) -> DirectoryHints:
        """Hints, and the queue on which they are found."""
        return DirectoryHints(self.databases.directory, JobQueue(self.databases.directory))

    @property
    def analyses(self) -> DirectoryAnalyses:
        """Analyses, and the queue on which they are made."""
        return DirectoryAnalyses(self.databases.directory, JobQueue(self.databases.directory))


@asynccontextmanager
async def built_worker(ground: Ground, others: Sequence[Service] = ()) -> AsyncIterator[Worker]:
    """A worker that is ready to run: wakes, slow jobs, sweeping, and what else it is given."""
    metrics = WorkerMetrics(ground.registry)
    # What takes minutes has a process of its own: no bot and no hint waits behind it.
    processes = ground.settings.bot_workers
    async with _minds(processes) as quick, _minds(min(1, processes)) as patient:
        wakes = _wakes(ground, quick, metrics)
        await ground.bus.subscribe(Wake, lambda wake: wakes.nudge(wake.bucket))
        yield Worker([wakes, *_jobs(ground, quick, patient, metrics), *_sweeping(ground), *others])


@asynccontextmanager
async def _minds(processes: int) -> AsyncIterator[Minds]:
    minds = Minds(processes)
    try:
        yield minds
    finally:
        await minds.close()


def _wakes(ground: Ground, minds: Minds, metrics: WorkerMetrics) -> Wakes:
    players = Players(minds, seconds=BOT_SECONDS, chance=ground.chance, metrics=metrics)
    attendant = Attendant(
        claims=ShardWakes(ground.databases),
        tables=ground.tables,
        players=players,
        chance=ground.chance,
        metrics=metrics,
        lease=LEASE,
    )
    # Most of them wait for the database or for a mind; too many would wait longer than their lease.
    return Wakes(attendant, Pace(at_once=4 + 4 * ground.settings.bot_workers))


def _jobs(ground: Ground, quick: Minds, patient: Minds, metrics: WorkerMetrics) -> list[Service]:
    connect = partial(_connect, ground.settings.directory)
    hint = HintJob(
        tables=ground.tables, hints=ground.hints, minds=quick, chance=ground.chance, metrics=metrics
    )
    analysis = AnalysisJob(
        tables=ground.tables, store=ground.store, analyses=ground.analyses, minds=patient, metrics=metrics
    )
    return [JobRunner(connect, hint), JobRunner(connect, analysis)]


async def _connect(dsn: str) -> Connection:
    return await asyncpg.connect(
        dsn,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        server_settings={"application_name": PROGRAM},
    )


def _sweeping(ground: Ground) -> list[Service]:
    directory = ground.databases.directory
    brooms: dict[str, Broom] = {
        "creations": DirectoryCreations(directory).forget_old,
        "hints": ground.hints.forget_old,
        "jobs": JobQueue(directory).forget_old,
    }
    return [
        Rounds(f"sweep {name}", partial(_sweep, broom), pause=SWEEP_SECONDS) for name, broom in brooms.items()
    ]


async def _sweep(broom: Broom, _: asyncio.TaskGroup) -> int:
    await broom()
    return 0
