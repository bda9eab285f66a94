"""Watching: what a stream of a table shows first, and what it must catch up with, read from the store."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from cartagena.server.http.streams.frames import Frame
from cartagena.server.tables.access import require_audience
from cartagena.server.tables.history import frames_since
from cartagena.server.tables.ports import Store
from cartagena.server.tables.tables import Tables
from cartagena.server.tables.telling import current, encode_lines

MOST_LINES: Final = 500
"""How many lines of chat are sent again; a client that missed more gets the newest."""


class Watching:
    """What the streams of tables read from the store, for one audience at a time."""

    def __init__(self, tables: Tables, store: Store) -> None:
        self._tables = tables
        self._store = store

    async def current(self, table_id: UUID, audience: int) -> Frame:
        """The whole state of a table now."""
        table = await self._tables.newest(table_id)
        require_audience(table, audience)
        return Frame(event="update", seq=table.seq, chat=table.chat, data=current(table, audience))

    async def since(self, table_id: UUID, audience: int, seq: int, chat: int) -> list[Frame]:
        """Return the events and lines of chat after these numbers, in order, unless they are too many."""
        table = await self._tables.newest(table_id)
        require_audience(table, audience)
        missed = [
            Frame(event="update", seq=one.seq, chat=chat, data=one.frame)
            async for one in frames_since(self._store, table, audience, seq)
        ]
        lines = await self._store.chat(table_id, max(chat, table.chat - MOST_LINES))
        seq = missed[-1].seq if missed else seq
        pairs = zip(lines, encode_lines(lines), strict=True)
        return [*missed, *(Frame(event="chat", seq=seq, chat=line.number, data=data) for line, data in pairs)]

    async def timelines(self) -> str:
        """The timelines that the databases write."""
        return await self._store.timelines()

    async def cursors(self, table_ids: Sequence[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """Return the numbers of the last event and the last line of chat of each table."""
        return await self._store.cursors(table_ids)
