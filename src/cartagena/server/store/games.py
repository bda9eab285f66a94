"""Tables in PostgreSQL: each game in the database that its bucket is assigned to."""

from collections.abc import Iterable, Mapping
from uuid import UUID

import asyncpg

from cartagena.notation.record import RULES_VERSION
from cartagena.server.store import statements
from cartagena.server.store.databases import Databases
from cartagena.server.store.group_commit import GroupCommit
from cartagena.server.store.rows import encode_news, line_of, milliseconds, past_of, table_of
from cartagena.server.tables.ports import Line, Past, Said, Sender
from cartagena.server.tables.sheet import Sheet, encode_sheet
from cartagena.server.tables.table import Change, Kind, News, Table, Times


class Games:
    """The store of tables; it fits the port `tables.ports.Store`."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._writers = {id(pool): GroupCommit(pool) for pool in databases.shards()}

    def _pool(self, table_id: UUID) -> "asyncpg.Pool[asyncpg.Record]":
        return self._databases.shard_of(table_id)

    async def open(self, table_id: UUID, sheet: Sheet, secret: bytes, sender: Sender) -> None:
        """Keep a new table; one that is there already stays as it is."""
        await self._pool(table_id).execute(
            statements.OPEN,
            table_id,
            sheet.stage,
            [0] * len(sheet.chairs),
            RULES_VERSION,
            Kind.OPENED,
            encode_news(News(seat=0, name=sheet.chairs[0].name)),
            sender.key,
            sender.player,
            encode_sheet(sheet),
            secret,
        )

    async def load(self, table_id: UUID) -> Table | None:
        """The table as it stands now, None if there is none."""
        row = await self._pool(table_id).fetchrow(statements.LOAD, table_id)
        return None if row is None else table_of(table_id, row)

    async def commit(self, change: Change, sender: Sender) -> Times | None:
        """Write a change and return the clocks after it; None if it came too late."""
        return await self._writers[id(self._pool(change.after.id))].commit(change, sender)

    async def seq_of(self, table_id: UUID) -> tuple[int, int] | None:
        """The numbers of the last event and the last line of chat."""
        row = await self._pool(table_id).fetchrow(statements.SEQ_OF, table_id)
        return None if row is None else (row["seq"], row["chat"])

    async def cursors(self, table_ids: Iterable[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """The same for many tables, asked of each database at once."""
        by_pool: dict[int, list[UUID]] = {}
        for table_id in table_ids:
            by_pool.setdefault(id(self._pool(table_id)), []).append(table_id)
        cursors: dict[UUID, tuple[int, int]] = {}
        for pool in self._databases.shards():
            if ids := by_pool.get(id(pool)):
                rows = await pool.fetch(statements.CURSORS, ids)
                cursors.update((row["game_id"], (row["seq"], row["chat"])) for row in rows)
        return cursors

    async def past(self, table_id: UUID, after: int) -> list[Past]:
        """The events after a number."""
        rows = await self._pool(table_id).fetch(statements.EVENTS, table_id, after)
        return [past_of(row) for row in rows]

    async def find_key(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The event that a request left, and whose request it was."""
        row = await self._pool(table_id).fetchrow(statements.EVENT_BY_KEY, table_id, key)
        return None if row is None else (row["seq"], row["player"])

    async def say(self, table_id: UUID, line: Line, key: UUID) -> Said | None:
        """Keep a line of chat; None if the key has been used."""
        row = await self._pool(table_id).fetchrow(
            statements.SAY, table_id, line.player, line.seat, line.name, line.text, key
        )
        if row is None:
            return None
        return Said(seq=row["seq"], number=row["chat"], at=milliseconds(row["at"]))

    async def find_line(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The line of chat that a request left, and whose request it was."""
        row = await self._pool(table_id).fetchrow(statements.CHAT_BY_KEY, table_id, key)
        return None if row is None else (row["number"], row["player"])

    async def chat(self, table_id: UUID, after: int) -> list[Line]:
        """The lines of chat after a number."""
        return [line_of(row) for row in await self._pool(table_id).fetch(statements.CHAT, table_id, after)]

    async def close(self) -> None:
        """Wait until everything that was handed in is written."""
        for writer in self._writers.values():
            await writer.close()
