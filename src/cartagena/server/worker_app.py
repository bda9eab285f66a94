"""A worker on its resources: bots and clocks, slow jobs, news for the directory, notices, sweeping."""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Final
from uuid import UUID

import asyncpg
from prometheus_client import CollectorRegistry

from cartagena.server.accounts.notices.delivery import Notices
from cartagena.server.accounts.notices.safe_http import Poster
from cartagena.server.accounts.personal_data import erase_lost_guests, sweep
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.bus.messages import PlayerChange, Wake
from cartagena.server.lobby.results import forget_player
from cartagena.server.resources import Resources
from cartagena.server.store.challenge_tables import ChallengeTables
from cartagena.server.store.databases import COMMAND_SECONDS, CONNECT_SECONDS
from cartagena.server.store.due_games import ShardTimers
from cartagena.server.store.erasure import Forgetting
from cartagena.server.store.group_commit import DirectoryCreations
from cartagena.server.store.job_queue import JobQueue, JobRunner, Load
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.store.shards import Connection
from cartagena.server.tracing.spans import Traces
from cartagena.server.worker.analysis_jobs import AnalysisJob, HintJob
from cartagena.server.worker.bot_players import Players, Service, Worker
from cartagena.server.worker.bot_pool import BotPool
from cartagena.server.worker.due_tables import DueTables
from cartagena.server.worker.erasure import Eraser
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.server.worker.outbox import (
    DirectoryWriter,
    Messenger,
    NoticeMetrics,
    NoticeRounds,
    OutboxMetrics,
    OutboxWorker,
    Rounds,
)
from cartagena.server.worker.timers import DueTimers, Pace
from cartagena.tables.creating import NewTable

PROGRAM: Final = "cartagena worker"
BOT_SECONDS: Final = 2.0
"""How long a bot may think about a choice."""
LEASE: Final = 10_000
"""How many milliseconds a claimed game is reserved for its worker; a killed worker blocks it that long."""
AT_ONCE: Final = 32
"""How many games a worker looks after at once; a killed worker blocks that many."""
SWEEP_SECONDS: Final = 600.0
FORGET_SECONDS: Final = 30.0
CHALLENGE_SECONDS: Final = 5.0

Broom = Callable[[], Awaitable[object]]
"""Deletes what is old and no longer needed."""


@asynccontextmanager
async def opened_worker(resources: Resources, registry: CollectorRegistry) -> AsyncIterator[Worker]:
    """A worker that is ready to run."""
    metrics = WorkerMetrics(registry)
    processes = resources.settings.bot_workers
    async with AsyncExitStack() as opened:
        quick = await opened.enter_async_context(_pool(processes))
        # Analyses take minutes, so they have a process of their own: no bot and no hint waits behind them.
        patient = await opened.enter_async_context(_pool(min(1, processes)))
        poster = await opened.enter_async_context(Poster(private=resources.settings.private_notices))
        wakes = _wakes(resources, quick, metrics)
        await resources.bus.subscribe(Wake, partial(_hear, wakes, resources.traces))
        yield Worker(
            [
                wakes,
                *_jobs(resources, quick, patient, metrics),
                _news(resources, registry),
                _notices(resources, poster, registry),
                _forgetting(resources),
                _challenges(resources),
                *_sweeping(resources),
            ]
        )


def _hear(wakes: DueTimers, traces: Traces | None, wake: Wake) -> None:
    if traces is not None and wake.game_id is not None and wake.trace is not None:
        traces.expect(wake.game_id, wake.trace)
    wakes.nudge(wake.bucket)


@asynccontextmanager
async def _pool(processes: int) -> AsyncIterator[BotPool]:
    pool = BotPool(processes)
    try:
        yield pool
    finally:
        await pool.close()


def _wakes(resources: Resources, pool: BotPool, metrics: WorkerMetrics) -> DueTimers:
    attendant = DueTables(
        claims=ShardTimers(resources.databases),
        tables=resources.tables,
        players=Players(pool, seconds=BOT_SECONDS, chance=secrets.token_bytes, metrics=metrics),
        chance=secrets.token_bytes,
        metrics=metrics,
        lease=LEASE,
        traces=resources.traces,
    )
    # Nearly all of them wait for their turn to think; an expired clock must not wait with them.
    return DueTimers(attendant, Pace(at_once=AT_ONCE))


def _jobs(resources: Resources, quick: BotPool, patient: BotPool, metrics: WorkerMetrics) -> list[Service]:
    connect = partial(_connect, resources.settings.directory)
    hint = HintJob(
        tables=resources.tables,
        hints=resources.hints,
        pool=quick,
        chance=secrets.token_bytes,
        metrics=metrics,
    )
    analysis = AnalysisJob(
        tables=resources.tables,
        store=resources.store,
        analyses=resources.analyses,
        pool=patient,
        metrics=metrics,
    )
    # More than can be worked out at once: the worker decides whose turn it is, not the queue.
    load = Load(at_once=AT_ONCE)
    return [JobRunner(connect, hint, load), JobRunner(connect, analysis, load)]


async def _connect(dsn: str) -> Connection:
    return await asyncpg.connect(
        dsn,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        server_settings={"application_name": PROGRAM},
    )


def _news(resources: Resources, registry: CollectorRegistry) -> Service:
    teller = DirectoryWriter(
        directory=resources.databases.directory,
        tables=resources.tables,
        bus=resources.bus,
        metrics=OutboxMetrics(registry),
    )
    return OutboxWorker(teller, AllOutboxes(resources.databases).shards)


def _notices(resources: Resources, poster: Poster, registry: CollectorRegistry) -> Service:
    notices = Notices(directory=resources.directory, poster=poster, vapid=resources.settings.vapid)
    messenger = Messenger(
        directory=resources.databases.directory,
        source=AllOutboxes(resources.databases),
        tell=notices.tell,
        metrics=NoticeMetrics(registry),
    )
    return NoticeRounds(messenger)


def _forgetting(resources: Resources) -> Service:
    eraser = Eraser(tables=resources.tables, forgetting=Forgetting(resources.databases))
    return Rounds("forgetting", eraser.round, pause=FORGET_SECONDS)


def _challenges(resources: Resources) -> Service:
    def changed(players: tuple[UUID, ...]) -> None:
        resources.bus.publish(PlayerChange(players=players))

    opened = ChallengeTables(
        directory=resources.directory,
        source=AllOutboxes(resources.databases),
        store=resources.store,
        new=lambda: NewTable(time.time_ns() // 1_000_000, os.urandom),
        changed=changed,
    )

    async def open_left(_: asyncio.TaskGroup) -> int:
        return await opened.open_left()

    return Rounds("challenges", open_left, pause=CHALLENGE_SECONDS)


def _sweeping(resources: Resources) -> list[Service]:
    directory = resources.databases.directory
    brooms: dict[str, Broom] = {
        "accounts": partial(_sweep_accounts, resources),
        "creations": DirectoryCreations(directory).forget_old,
        "hints": resources.hints.forget_old,
        "jobs": JobQueue(directory).forget_old,
    }
    return [
        Rounds(f"sweep {name}", partial(_sweep, broom), pause=SWEEP_SECONDS) for name, broom in brooms.items()
    ]


async def _sweep_accounts(resources: Resources) -> None:
    # The sessions of a lost guest have all ended, and no node believes one of a bot without an owner.
    sessions = SessionCache(resources.directory, on_close=lambda _: None)
    while await erase_lost_guests(sessions, [forget_player]):
        pass
    await sweep(resources.directory)


async def _sweep(broom: Broom, _: asyncio.TaskGroup) -> int:
    await broom()
    return 0
