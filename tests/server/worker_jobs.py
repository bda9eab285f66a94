"""Slow jobs for tests: runners on a real queue, and jobs that behave as they are told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from uuid import UUID, uuid4

import asyncpg
from msgspec.structs import replace
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.models import QueueEntrypoint, QueueManagerId
from pgqueuer.queries import EntrypointExecutionParameter

from cartagena.rules.legality import legal
from cartagena.server.shared.settings import Settings
from cartagena.server.store.analyses import DirectoryAnalyses, DirectoryHints
from cartagena.server.store.job_queue import Job, JobQueue, JobRunner, Load, queries_on
from cartagena.server.store.shards import Connection, Pool
from cartagena.server.worker.analysis_jobs import AnalysisJob, HintJob
from cartagena.tables import playing
from cartagena.tables.ports import Sender
from cartagena.tables.table import Table
from tests.server.worker_world import Node, nobody, person
from tests.waiting import until

QUICK_LOAD = Load(lease=1.0, poll=0.2, delay=0.02, attempts=4)
PROGRAM = "cartagena test jobs"


@dataclass
class Errand:
    """A job that notes what it was told to do, and fails the first `failures` times."""

    name: str = "errand"
    failures: int = 0
    failure: Exception = field(default_factory=lambda: ValueError("the stock holds two skulls"))
    seconds: float = 0.0
    done: list[bytes] = field(default_factory=list)
    tried: list[bytes] = field(default_factory=list)
    given_up: list[bytes] = field(default_factory=list)

    async def do(self, payload: bytes) -> None:
        self.tried.append(payload)
        await asyncio.sleep(self.seconds)
        if len(self.tried) <= self.failures:
            raise self.failure
        self.done.append(payload)

    async def give_up(self, payload: bytes) -> None:
        self.given_up.append(payload)

    def end(self) -> None:
        """Do nothing: nothing of it waits to be begun."""


@asynccontextmanager
async def at_work(settings: Settings, job: Job, load: Load = QUICK_LOAD) -> AsyncIterator[JobRunner]:
    """A runner of one kind of job; it is stopped at the end, and its failure is raised."""
    runner = runner_of(settings, job, load)
    task = asyncio.create_task(runner.run())
    try:
        yield runner
    finally:
        await runner.stop()
        await task


def runner_of(settings: Settings, job: Job, load: Load = QUICK_LOAD) -> JobRunner:
    """A runner with a connection to the directory of these settings."""

    async def connect() -> Connection:
        return await asyncpg.connect(settings.directory, server_settings={"application_name": PROGRAM})

    return JobRunner(connect, job, load)


class Desk:
    """Where hints and analyses are asked for and found, on the tables of a node."""

    def __init__(self, node: Node) -> None:
        directory = node.databases.directory
        self.node = node
        self.queue = JobQueue(directory)
        self.hints = DirectoryHints(directory, self.queue)
        self.analyses = DirectoryAnalyses(directory, self.queue)

    def hint_job(self, simulations: int = 8) -> HintJob:
        """The job that finds hints, with little effort."""
        return HintJob(
            tables=self.node.tables,
            hints=self.hints,
            pool=self.node.pool,
            chance=Random(7).randbytes,
            metrics=self.node.metrics,
            simulations=simulations,
        )

    def analysis_job(self, simulations: int = 2, seconds: float = 60.0) -> AnalysisJob:
        """The job that analyses games, with little effort."""
        return AnalysisJob(
            tables=self.node.tables,
            store=self.node.store,
            analyses=self.analyses,
            pool=self.node.pool,
            metrics=self.node.metrics,
            simulations=simulations,
            seconds=seconds,
        )

    async def jobs(self) -> list[bytes]:
        """What is in the queue."""
        rows = await self.node.databases.directory.fetch("SELECT payload FROM directory.jobs ORDER BY id")
        return [row["payload"] for row in rows]

    async def played(
        self,
        players: tuple[UUID, UUID],
        *,
        actions: int = 8,
        rated: bool = False,
        listed: bool = True,
        hints: bool = True,
    ) -> Table:
        """A running game of two people after some actions."""
        chairs = [
            replace(person(name, player), guest=not rated) for name, player in zip("AB", players, strict=True)
        ]
        table = await self.node.begun(chairs, ruleset="jamaica", rated=rated, listed=listed, hints=hints)
        chance = Random(3)
        for _ in range(actions):
            table = await self.acted(table, chance)
        return table

    async def acted(self, table: Table, chance: Random) -> Table:
        """Return the table one random action later."""
        seat = table.to_act
        assert seat is not None
        assert table.position is not None
        code = chance.choice(legal(table.position))
        sender = Sender(player=table.sheet.chairs[seat].player, key=nobody().key)
        outcome = await self.node.tables.change_at(
            table.id, table.seq, sender, lambda now: playing.act(now, seat, code)
        )
        return outcome.table

    async def over(self, players: tuple[UUID, UUID], *, listed: bool = True) -> Table:
        """A game of two people that one of them has given up."""
        table = await self.played(players, listed=listed)
        outcome = await self.node.tables.change(table.id, nobody(), lambda now: playing.resign(now, 0))
        return outcome.table


async def number_of_jobs(directory: Pool) -> int:
    """How many jobs are waiting or under way."""
    number: int = await directory.fetchval("SELECT count(*) FROM directory.jobs")
    return number


async def until_done(directory: Pool) -> None:
    """Wait until no job is left."""

    async def is_empty() -> bool:
        return await number_of_jobs(directory) == 0

    await until(is_empty, what="an empty queue")


async def pick_and_die(directory: Pool, name: str) -> None:
    """A worker that takes a job and is killed."""
    picked = await queries_on(AsyncpgPoolDriver(directory)).dequeue(
        batch_size=1,
        entrypoints={QueueEntrypoint(name): EntrypointExecutionParameter(concurrency_limit=0)},
        queue_manager_id=QueueManagerId(uuid4()),
        global_concurrency_limit=None,
        heartbeat_timeout=timedelta(seconds=30),
    )
    assert len(picked) == 1
