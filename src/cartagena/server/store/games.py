"""Tables in PostgreSQL: each game in the database that its bucket is assigned to.

A bucket may move to another database at any moment, even between two statements of one request. A game that
is no longer where it was is looked for again, so callers never notice.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, TypeVar
from uuid import UUID

import asyncpg

from cartagena.rules.ruleset import RULES_VERSION
from cartagena.server.store import statements
from cartagena.server.store.databases import Databases, fetch_confirmed, fetch_seen
from cartagena.server.store.group_commit import GroupCommit
from cartagena.server.store.log_compaction import Folded, folded
from cartagena.server.store.rows import Row, encode_news, line_of, milliseconds, past_of, table_of, unfolded
from cartagena.server.store.shards import MOST_MOVES, Pool
from cartagena.server.tracing.spans import Traces
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import ChatLine, ChatPlace, Past, Sender
from cartagena.tables.sheet import Sheet, encode_sheet
from cartagena.tables.table import BESIDE_THE_GAME, Change, EventKind, News, Table, Times

Found = TypeVar("Found")
ENOUGH_MISSES: Final = 2
_BESIDE: Final = sorted(BESIDE_THE_GAME)


class Games:
    """The store of tables; implements the port `tables.ports.Store`."""

    def __init__(self, databases: Databases, traces: Traces | None = None) -> None:
        self._databases = databases
        self._writers = {id(pool): GroupCommit(pool, traces) for pool in databases.shards()}

    def _pool(self, table_id: UUID) -> Pool:
        return self._databases.shard_of(table_id)

    async def _found(
        self, table_id: UUID, ask: Callable[[Pool], Awaitable[Found | None]], *, may_fail: bool = False
    ) -> Found | None:
        """The answer of the database that holds a game now; with `may_fail` it may be None even there."""
        misses = 0
        for _ in range(MOST_MOVES):
            pool = self._pool(table_id)
            found = await ask(pool)
            if found is not None:
                return found
            if may_fail and await pool.fetchrow(statements.SEQ_OF, table_id) is not None:
                return None
            if not await self._databases.look_again(table_id, pool):
                misses += 1
                # Its bucket may have come back between the two questions.
                if misses == ENOUGH_MISSES:
                    return None
        # The notes lead in a circle: a database was restored to a moment before its last move.
        raise ServiceError(Problem.UNAVAILABLE, "the table cannot be found", retry_after=30)

    async def open(self, table_id: UUID, sheet: Sheet, secret: bytes, sender: Sender) -> None:
        """Keep a new table; a table that exists already stays as it is."""
        row = (
            table_id,
            sheet.stage,
            [0] * len(sheet.chairs),
            RULES_VERSION,
            EventKind.OPENED,
            encode_news(News(seat=0, name=sheet.chairs[0].name)),
            sender.key,
            sender.player,
            encode_sheet(sheet),
            secret,
        )

        async def write(pool: Pool) -> bool | None:
            return bool(await fetch_confirmed(pool, statements.OPEN, *row)) or None

        if await self._found(table_id, write, may_fail=True) is not None:
            return
        if await self._found(table_id, lambda pool: fetch_seen(pool, statements.OPENED, table_id)) is None:
            raise ServiceError(Problem.UNAVAILABLE, "try again with the same key", retry_after=1)

    async def load(self, table_id: UUID) -> Table | None:
        """The table as it stands now, None if it does not exist."""
        row = await self._found(table_id, lambda pool: pool.fetchrow(statements.LOAD, table_id, _BESIDE))
        return None if row is None else table_of(table_id, row)

    async def commit(self, change: Change, sender: Sender) -> Times | None:
        """Write a change and return the clocks after it; None if it came too late."""
        return await self._found(
            change.after.id, lambda pool: self._writers[id(pool)].commit(change, sender), may_fail=True
        )

    async def is_newest(self, table: Table) -> bool:
        """Whether a table that was read earlier is still current."""
        row = await self._found(table.id, lambda pool: pool.fetchrow(statements.SEQ_OF, table.id))
        stood = (table.seq, table.chat, table.timeline)
        return row is not None and (row["seq"], row["chat"], row["timeline"]) == stood

    async def seq_of(self, table_id: UUID) -> tuple[int, int] | None:
        """The numbers of the last event and the last line of chat."""
        row = await self._found(table_id, lambda pool: pool.fetchrow(statements.SEQ_OF, table_id))
        return None if row is None else (row["seq"], row["chat"])

    async def timelines(self) -> str:
        """The timelines that the databases write now; they change after a failover of any of them."""
        asked = (pool.fetchval(statements.TIMELINE_NOW) for pool in self._databases.shards())
        return ".".join([await timeline for timeline in asked])

    async def cursors(self, table_ids: Iterable[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """The numbers of the last event and line of chat of each table, queried per database."""
        by_pool: dict[int, list[UUID]] = {}
        for table_id in table_ids:
            by_pool.setdefault(id(self._pool(table_id)), []).append(table_id)
        cursors: dict[UUID, tuple[int, int]] = {}
        for pool in self._databases.shards():
            if ids := by_pool.get(id(pool)):
                rows = await pool.fetch(statements.CURSORS, ids)
                cursors.update((row["game_id"], (row["seq"], row["chat"])) for row in rows)
                for table_id in set(ids) - cursors.keys():
                    if (elsewhere := await self.seq_of(table_id)) is not None:
                        cursors[table_id] = elsewhere
        return cursors

    async def past(self, table_id: UUID, after: int, *, beside_after: int = -1) -> list[Past]:
        """The events after number `after`; those beside the game only if they came after `beside_after`."""

        async def read(pool: Pool) -> list[Past] | None:
            rows = await pool.fetch(statements.EVENTS, table_id, after, beside_after, _BESIDE)
            past = [past_of(row) for row in rows if row["seq"] is not None]
            if past and past[0].seq == after + 1:
                return past
            # Events missing before these, if any, were folded.
            before = await folded(pool, table_id) if rows else None
            if before is None:
                return None
            earlier = (event for event in before if event.seq > after)
            return [*(unfolded(event) for event in earlier if _counts(event, beside_after)), *past]

        return await self._found(table_id, read) or []

    async def find_key(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The event that a request left, and whose request it was."""
        # The caller takes the event for acknowledged.
        row = await self._found(
            table_id, lambda pool: fetch_seen(pool, statements.EVENT_BY_KEY, table_id, key)
        )
        return None if row is None or row["seq"] is None else (row["seq"], row["player"])

    async def say(self, table_id: UUID, line: ChatLine, key: UUID) -> ChatPlace | None:
        """Keep a line of chat; None if the key was used before, or the line to remove is gone already."""
        by = (table_id, line.player, line.seat, line.name)
        statement, said = (
            (statements.SAY, (line.text, key))
            if line.removes is None
            else (statements.REMOVE, (key, line.removes))
        )

        async def write(pool: Pool) -> Row | None:
            try:
                rows = await fetch_confirmed(pool, statement, *by, *said)
            except asyncpg.UniqueViolationError:
                return None  # the same request was under way already
            return rows[0] if rows else None

        row = await self._found(table_id, write, may_fail=True)
        if row is None:
            return None
        return ChatPlace(seq=row["seq"], number=row["chat"], at=milliseconds(row["at"]))

    async def find_line(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The line of chat that a request left, and whose request it was."""
        row = await self._found(
            table_id, lambda pool: fetch_seen(pool, statements.CHAT_BY_KEY, table_id, key)
        )
        return None if row is None or row["number"] is None else (row["number"], row["player"])

    async def line(self, table_id: UUID, number: int) -> ChatLine | None:
        """One line of chat, None if no line has that number."""
        row = await self._found(table_id, lambda pool: pool.fetchrow(statements.LINE, table_id, number))
        return None if row is None or row["number"] is None else line_of(row)

    async def chat(self, table_id: UUID, after: int) -> list[ChatLine]:
        """The lines of chat after a number."""

        async def read(pool: Pool) -> list[ChatLine] | None:
            rows = await pool.fetch(statements.CHAT, table_id, after)
            return [line_of(row) for row in rows if row["number"] is not None] if rows else None

        return await self._found(table_id, read) or []

    async def close(self) -> None:
        """Wait until everything that was handed in is written."""
        for writer in self._writers.values():
            await writer.close()


def _counts(event: Folded, beside_after: int) -> bool:
    return event.seq > beside_after or event.kind not in BESIDE_THE_GAME
