"""A world for tests of workers: tables with bots on a real store, and workers that are run by hand."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from cartagena.fairness import commit
from cartagena.rules.legality import legal
from cartagena.server.bus import Wake
from cartagena.server.bus.announcer import BusAnnouncer
from cartagena.server.bus.interface import LocalBus
from cartagena.server.store.databases import Databases
from cartagena.server.store.due_games import DueGame, ShardTimers
from cartagena.server.store.games import Games
from cartagena.server.worker.bot_players import Players
from cartagena.server.worker.bot_pool import BotPool
from cartagena.server.worker.due_tables import DueTables
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.server.worker.timers import DueTimers, Pace
from cartagena.tables import playing, seating
from cartagena.tables.errors import ServiceError, WithCurrent
from cartagena.tables.ids import new_id
from cartagena.tables.ports import Sender
from cartagena.tables.seating import open_sheet
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Chair, Clock, Stage
from cartagena.tables.table import Change, EventKind, Table
from tests.server.tables_world import Player, terms
from tests.waiting import STARTING, until

QUICK = Pace(poll_seconds=0.05, at_once=4, first_pause=10)


class CountedWakes(ShardTimers):
    """The wakes of every database, and how often a worker has looked for them."""

    looks = 0

    async def claim(self, place: int, most: int, lease: int) -> list[DueGame]:
        """Take what is due."""
        due = await super().claim(place, most, lease)
        self.looks += 1
        return due


class Gate:
    """Holds the bots `worker_bots:Gated`, also those of other processes, by files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._asked, self._let = folder / "asked", folder / "let"
        self._asked.touch()
        self.let(0)

    async def asked(self, times: int = 1) -> None:
        """Wait until they were asked for `times` choices."""
        await until(
            lambda: self._asked.stat().st_size >= times, seconds=STARTING, what=f"choice {times} to begin"
        )

    def let(self, times: int) -> None:
        """Let them finish their first `times` choices."""
        # Written beside it first: a bot never reads half of it.
        new = self._let.with_suffix(".new")
        new.write_text(str(times))
        new.rename(self._let)


@dataclass
class Node:
    """One worker with a bus of its own: what it does, the others learn from the database alone."""

    databases: Databases
    pool: BotPool = field(default_factory=lambda: BotPool(0))
    pace: Pace = QUICK
    lease: int = 10_000
    seconds: float = 0.2
    grace: float = 30.0
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    def __post_init__(self) -> None:
        self.bus = LocalBus()
        self.store = Games(self.databases)
        self.tables = Tables(self.store, BusAnnouncer(self.bus))
        self.metrics = WorkerMetrics(self.registry)
        self.players = Players(
            self.pool,
            seconds=self.seconds,
            grace=self.grace,
            chance=secrets.token_bytes,
            metrics=self.metrics,
        )
        self.claims = CountedWakes(self.databases)
        self.attendant = DueTables(
            claims=self.claims,
            tables=self.tables,
            players=self.players,
            chance=secrets.token_bytes,
            metrics=self.metrics,
            lease=self.lease,
        )
        self.wakes = DueTimers(self.attendant, self.pace)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Node"]:
        """Run the worker; it is stopped at the end, and its failure is raised."""
        await self.bus.subscribe(Wake, lambda wake: self.wakes.nudge(wake.bucket))
        task = asyncio.create_task(self.wakes.run())
        try:
            yield self
        finally:
            await self.wakes.stop()
            await task
            await self.pool.close()

    async def looked(self) -> None:
        """Wait until the worker has looked for what is due; the second look began after this."""
        seen = self.claims.looks
        await until(lambda: self.claims.looks >= seen + 2, what="another look")

    def counted(self, name: str, **labels: str) -> float:
        """What a counter says."""
        return self.registry.get_sample_value(name, labels) or 0.0

    # Tables.

    async def open(  # noqa: PLR0913 (the terms that a test may want)
        self,
        chairs: Sequence[Chair],
        *,
        ruleset: str = "tortuga",
        clock: Clock | None = None,
        rated: bool = False,
        listed: bool = True,
        household: str = "",
        hints: bool = False,
        host: Player | None = None,
    ) -> UUID:
        """A table with these chairs."""
        host = host or Player(uuid4(), "Host")
        secret = secrets.token_bytes(32)
        sheet = open_sheet(
            terms(ruleset, seats=len(chairs), clock=clock),
            host.sitter(),
            invite="invite",
            commitment=commit(secret),
        )
        table_id = new_id(int(time.time() * 1000), secrets.token_bytes(10))
        seated = replace(
            sheet, chairs=tuple(chairs), rated=rated, listed=listed, household=household, hints=hints
        )
        await self.store.open(table_id, seated, secret, host.sends())
        return table_id

    async def start(self, table_id: UUID) -> Table:
        """Let its game begin."""
        return (await self.tables.change(table_id, nobody(), seating.start)).table

    async def begun(
        self,
        chairs: Sequence[Chair],
        *,
        ruleset: str = "tortuga",
        clock: Clock | None = None,
        rated: bool = False,
        listed: bool = True,
        hints: bool = False,
    ) -> Table:
        """A table with these chairs whose game has begun."""
        return await self.start(
            await self.open(chairs, ruleset=ruleset, clock=clock, rated=rated, listed=listed, hints=hints)
        )

    async def until_over(self, table_id: UUID, seconds: float = STARTING) -> Table:
        """The table once its game is over."""

        async def is_over() -> bool:
            return (await self.tables.newest(table_id)).sheet.stage is Stage.OVER

        await until(is_over, seconds=seconds, what="the end of the game")
        return await self.tables.newest(table_id)

    async def row(self, table_id: UUID) -> dict[str, object]:
        """The row of a game, with what PostgreSQL thinks of its wake."""
        row = await self.databases.shard_of(table_id).fetchrow(
            "SELECT *, wake_at - now() AS wake_in FROM shard.games WHERE game_id = $1", table_id
        )
        assert row is not None
        return dict(row)

    async def let_time_run_out(self, table_id: UUID) -> None:
        """Let the deadline of a game pass, as far as PostgreSQL knows."""
        await self.databases.shard_of(table_id).execute(
            """UPDATE shard.games
            SET deadline = now() - interval '1 second', wake_at = now() - interval '1 second'
            WHERE game_id = $1""",
            table_id,
        )

    async def kinds(self, table_id: UUID) -> list[int]:
        """The kinds of all events of a table."""
        return [past.kind for past in await self.store.past(table_id, -1)]


def bot(level: str) -> Chair:
    """A chair on which a bot sits."""
    return Chair(level=level, name=level)


def person(name: str, player: UUID | None = None) -> Chair:
    """The chair of a person who promised no number."""
    return Chair(player=player or uuid4(), name=name, guest=True)


def nobody() -> Sender:
    """A sender that is no player."""
    return Sender(player=None, key=uuid4())


async def until_happened(node: Node, table_id: UUID, kind: EventKind, times: int = 1) -> Table:
    """The table once something of this kind has happened `times` times."""

    async def has_happened() -> bool:
        return (await node.kinds(table_id)).count(kind) >= times

    # A bot may think in a process that is not there yet.
    await until(has_happened, seconds=STARTING, what=f"{kind.name}, {times} times")
    return await node.tables.newest(table_id)


async def until_counted(node: Node, name: str) -> None:
    """Wait until a worker has counted something."""
    await until(lambda: node.counted(name), what=name)


def in_time(table: Table) -> tuple[Sender, Callable[[Table], Change]]:
    """What the person whose turn it is sends: the first thing that is allowed."""
    seat = table.to_act
    assert seat is not None
    assert table.position is not None
    code = legal(table.position)[0]
    sender = Sender(player=table.sheet.chairs[seat].player, key=uuid4())
    return sender, lambda now: playing.act(now, seat, code)


def code_of(answer: object) -> str | None:
    """The code of the problem with which a request was refused, None if it was not."""
    if isinstance(answer, WithCurrent):
        answer = answer.error
    return answer.problem.code if isinstance(answer, ServiceError) else None


@asynccontextmanager
async def row_held(databases: Databases, table_id: UUID) -> AsyncIterator[None]:
    """Hold the row of a game, so that every other writer waits."""
    async with databases.shard_of(table_id).acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM shard.games WHERE game_id = $1 FOR UPDATE", table_id)
        yield
