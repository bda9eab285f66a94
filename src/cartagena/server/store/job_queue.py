"""The queue of slow jobs: PgQueuer on the directory, under names of our own.

A job is a name and some bytes. It is done at least once: a worker that does it marks it alive, and another
worker takes up what a dead one left. None of this holds up a move.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

import structlog
from pgqueuer.adapters.persistence.qb import (
    QueryBuilderEnvironment,
    QueryQueueBuilder,
    QuerySchedulerBuilder,
)
from pgqueuer.db import AsyncpgDriver, AsyncpgPoolDriver, Driver
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.errors import RetryRequested
from pgqueuer.models import Channel
from pgqueuer.models import Job as Picked
from pgqueuer.qm import QueueManager
from pgqueuer.queries import Queries

from cartagena.rules.refusals import CartagenaError
from cartagena.server.store.shards import Connection, Pool

CHANNEL: Final = Channel("cartagena_jobs")
FORGET: Final = "DELETE FROM directory.jobs_log WHERE created < now() - interval '1 day'"

logger = structlog.get_logger(__name__)


def names() -> DBSettings:
    """The names of the tables. Each is set here, so that no environment variable changes one."""
    return DBSettings(
        prefix="",
        db_schema="directory",
        channel=CHANNEL,
        function="jobs_changed",
        trigger="jobs_changed",
        queue_status_type="jobs_status",
        queue_table="jobs",
        queue_table_log="jobs_log",
        statistics_table="jobs_statistics",
        schedules_table="jobs_schedules",
        durability=Durability.durable,
    )


def install_sql() -> str:
    """The statements that create the tables, as the installed library wants them."""
    return QueryBuilderEnvironment(names()).build_install_query(create_schema=False)


def queries_on(driver: Driver) -> Queries:
    """The statements of the library on our tables."""
    settings = names()
    return Queries(
        driver,
        qbe=QueryBuilderEnvironment(settings),
        qbq=QueryQueueBuilder(settings),
        qbs=QuerySchedulerBuilder(settings),
    )


class LeftOff(CartagenaError):
    """A job was not begun because the worker ends; another worker takes it up."""


class Hopeless(CartagenaError):
    """A job would fail again, and keep others waiting again: it is given up at once."""


class Job(Protocol):
    """A kind of slow work."""

    @property
    def name(self) -> str:
        """Its name in the queue."""

    async def do(self, payload: bytes) -> None:
        """Do it, even if it may have been done before; raises whatever prevents it."""

    async def give_up(self, payload: bytes) -> None:
        """Note that it cannot be done."""

    def end(self) -> None:
        """Begin nothing more: whatever waits to be begun raises LeftOff."""


class JobQueue:
    """Where jobs are handed in."""

    def __init__(self, directory: Pool) -> None:
        self._directory = directory
        self._queries = queries_on(AsyncpgPoolDriver(directory))

    async def put(self, name: str, payload: bytes, *, key: str, priority: int = 0) -> None:
        """Hand in a job, unless one with the same key is still to be done."""
        await self._queries.enqueue(name, payload, priority, dedupe_key=f"{name} {key}", on_conflict="skip")

    async def forget_old(self) -> None:
        """Drop what the library has logged about jobs of earlier days."""
        await self._directory.execute(FORGET)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How much a runner takes on, with times in seconds: a job counts as dead after a `lease` of silence.

    A job that fails is tried again after a `delay` that doubles with each of its attempts.
    """

    at_once: int = 2
    lease: float = 30.0
    poll: float = 5.0
    delay: float = 1.0
    attempts: int = 8


class JobRunner:
    """Does the jobs of one name on a connection of its own; a `worker.service.Service`."""

    def __init__(
        self, connect: Callable[[], Awaitable[Connection]], job: Job, load: Load | None = None
    ) -> None:
        self._connect = connect
        self._job = job
        self._load = load or Load()
        self._manager: QueueManager | None = None
        self._under_way: set[asyncio.Task[object]] = set()
        self._is_stopping = asyncio.Event()
        self._is_done = asyncio.Event()
        self._is_done.set()

    async def run(self) -> None:
        """Work until stopped; if the database is away, wait for it."""
        self._is_done.clear()
        try:
            while not self._is_stopping.is_set():
                try:
                    await self._work()
                except Exception as error:  # noqa: BLE001 - whatever it is, the jobs wait and so do we
                    logger.warning("jobs_away", job=self._job.name, error=type(error).__name__)
                    await self._rest()
        finally:
            self._is_done.set()

    async def stop(self) -> None:
        """Take on no more jobs, leave those that wait to others, and finish those under way."""
        self._is_stopping.set()
        self._job.end()
        if self._manager is not None:
            self._manager.shutdown.set()
        await self._is_done.wait()

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._load.delay):
                await self._is_stopping.wait()

    async def _work(self) -> None:
        connection = await self._connect()
        try:
            self._manager = QueueManager(queries_on(AsyncpgDriver(connection)), channel=CHANNEL)
            self._manager.entrypoint(self._job.name)(self._do)
            if not self._is_stopping.is_set():
                await self._manage(self._manager)
        finally:
            self._manager = None
            connection.terminate()

    async def _manage(self, manager: QueueManager) -> None:
        load = self._load
        managing = asyncio.create_task(
            manager.run(
                dequeue_timeout=timedelta(seconds=load.poll),
                batch_size=max(1, load.at_once // 2),
                max_concurrent_tasks=max(2, load.at_once),
                heartbeat_timeout=timedelta(seconds=load.lease),
                log_aggregation_interval=timedelta(0),
            )
        )
        try:
            await asyncio.wait({managing})
        except asyncio.CancelledError:
            # The manager would wait for its jobs, however long they take; they go back into the queue.
            manager.shutdown.set()
            for task in self._under_way:
                task.cancel()
            await asyncio.wait({managing})
            raise
        managing.result()

    # One job.

    async def _do(self, picked: Picked) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            await self._job.do(picked.payload or b"")
        except (asyncio.CancelledError, LeftOff):
            raise RetryRequested(reason="stopped") from None
        except Exception as error:
            logger.exception("job_failed", job=picked.entrypoint, number=picked.id, attempts=picked.attempts)
            await self._after_failure(picked, error)
        finally:
            self._under_way.discard(task)

    async def _after_failure(self, picked: Picked, error: Exception) -> None:
        """Retry later, or give up; the library stores the reason, so it may only name the kind of error."""
        if isinstance(error, Hopeless) or picked.attempts + 1 >= self._load.attempts:
            await self._job.give_up(picked.payload or b"")
            return
        delay = timedelta(seconds=self._load.delay * 2**picked.attempts)
        raise RetryRequested(delay=delay, reason=type(error).__name__) from None
