"""Group commit: changes that arrive while a commit is under way go together into the next one."""

import asyncio
from typing import Final
from uuid import UUID

import asyncpg
import structlog
from msgspec import Struct

from cartagena.server.store.databases import AWAY, fetch_confirmed, fetch_seen
from cartagena.server.store.rows import columns_of, times_of, wish_of
from cartagena.server.store.shards import Pool
from cartagena.server.store.statements import COMMIT, FOUND
from cartagena.server.tracing.spans import Span, Traces
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Sender
from cartagena.tables.table import Change, Times

# Creations: which table a player's request opened, remembered for a day in the directory.

CLAIM: Final = """
INSERT INTO directory.creations (player_id, key, game_id) VALUES ($1, $2, $3)
ON CONFLICT (player_id, key) DO UPDATE SET key = excluded.key
RETURNING game_id
"""
"""The update changes nothing, but makes an existing row come back."""

FORGET: Final = "DELETE FROM directory.creations WHERE created_at < now() - interval '1 day'"


class DirectoryCreations:
    """Implements the port `tables.creating.Creations`."""

    def __init__(self, directory: Pool) -> None:
        self._directory = directory

    async def claim(self, player: UUID, key: UUID, table_id: UUID) -> UUID:
        """The table that this request stands for: this one, unless the key was used before."""
        claimed: UUID = await self._directory.fetchval(CLAIM, player, key, table_id)
        return claimed

    async def forget_old(self) -> None:
        """Drop keys that no client will use again."""
        await self._directory.execute(FORGET)


MOST_AT_ONCE: Final = 256

logger = structlog.get_logger(__name__)


class _Waiting(Struct, frozen=True, kw_only=True):
    change: Change
    sender: Sender
    answer: "asyncio.Future[Times | None]"
    step: Span | None = None


class GroupCommit:
    """The writer of one database: one statement at a time, each with all changes that came in meanwhile."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", traces: Traces | None = None) -> None:
        self._pool = pool
        self._traces = traces
        self._waiting: list[_Waiting] = []
        self._writer: asyncio.Task[None] | None = None

    async def commit(self, change: Change, sender: Sender) -> Times | None:
        """Write a change; returns the clocks after it once it is on disk, None if it did not count."""
        waiting = _Waiting(
            change=change,
            sender=sender,
            answer=asyncio.get_running_loop().create_future(),
            step=None if self._traces is None else self._traces.step("commit.wait", change.after.id),
        )
        self._waiting.append(waiting)
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_all())
        return await waiting.answer

    async def close(self) -> None:
        """Wait until everything that was handed in is answered."""
        if self._writer is not None:
            await self._writer

    async def _write_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = one_of_each_game(self._waiting)
                await (self._write(batch) if self._traces is None else self._write_timed(batch))
        finally:
            self._writer = None

    async def _write_timed(self, batch: list[_Waiting]) -> None:
        """Like `_write`, with a span of the shared statement for each traced request."""
        size = len(batch)
        steps = [one.step.then("commit.statement", batch=size) for one in batch if one.step is not None]
        try:
            await self._write(batch)
        finally:
            for step in steps:
                step.end()

    async def _write(self, batch: list[_Waiting]) -> None:
        try:
            rows = await fetch_confirmed(
                self._pool, COMMIT, *columns_of(wish_of(one.change, one.sender) for one in batch)
            )
        except asyncpg.LockNotAvailableError as error:
            await self._write_apart(batch, error)
        except AWAY as error:
            logger.warning("commit_unknown", changes=len(batch), error=type(error).__name__)
            await self._find_out(batch)
        except Exception as error:  # noqa: BLE001 - each waiting request must get its answer
            await self._write_apart(batch, error)
        else:
            written = {row["game_id"]: row for row in rows}
            for one in batch:
                row = written.get(one.change.after.id)
                _answer(one, None if row is None else times_of(row, one.change.after.to_act))

    async def _write_apart(self, batch: list[_Waiting], error: Exception) -> None:
        """Write each change by itself, so that one that cannot be written does not hold up the others."""
        if len(batch) == 1:
            _fail(batch[0], error)
            return
        for one in batch:
            await self._write([one])

    async def _find_out(self, batch: list[_Waiting]) -> None:
        """The connection broke after the statement was sent: only the log tells whether it counts."""
        try:
            rows = await asyncio.gather(*(self._found(one) for one in batch))
        except AWAY:
            rows = [None] * len(batch)
        for one, row in zip(batch, rows, strict=True):
            if row is not None:
                _answer(one, times_of(row, one.change.after.to_act))
            else:
                _fail(one, ServiceError(Problem.UNAVAILABLE, "try again with the same key", retry_after=1))

    async def _found(self, one: _Waiting) -> "asyncpg.Record | None":
        after = one.change.after
        return await fetch_seen(self._pool, FOUND, after.id, after.seq, one.sender.key)


def one_of_each_game(waiting: list[_Waiting]) -> tuple[list[_Waiting], list[_Waiting]]:
    """The next batch, and what has to wait because another change of the same game goes first."""
    games: set[UUID] = set()
    batch: list[_Waiting] = []
    later: list[_Waiting] = []
    for one in waiting:
        first = one.change.after.id not in games and len(batch) < MOST_AT_ONCE
        games.add(one.change.after.id)
        (batch if first else later).append(one)
    return batch, later


def _answer(one: _Waiting, times: Times | None) -> None:
    if not one.answer.done():
        one.answer.set_result(times)


def _fail(one: _Waiting, error: Exception) -> None:
    if not one.answer.done():
        one.answer.set_exception(error)
