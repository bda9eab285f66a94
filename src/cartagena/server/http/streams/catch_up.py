"""Catching up: what a stream shows first, what its client has missed, and how much of that it may ask for."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import UUID

from cartagena.server.http.client_address import household_of
from cartagena.server.http.rate_limits import Buckets, Paced, Rate, refuse_if
from cartagena.server.http.streams.ports import Visitor
from cartagena.server.http.streams.sse import Frame
from cartagena.server.tables.access import require_audience
from cartagena.server.tables.frames import current, encode_lines
from cartagena.server.tables.missed_events import frames_since
from cartagena.server.tables.ports import Store
from cartagena.server.tables.service import Tables

OF_PLAYER: Final = Rate(1_000, 20)
OF_ADDRESS: Final = Rate(4_000, 400)
"""Both rates count updates; a whole game is about a hundred."""


class CatchingUp:
    """Counts updates that are sent again, for each player and each household; raises `too_many`."""

    def __init__(self, *, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._paced = Paced(pace)
        self._clock = clock
        self._buckets = Buckets()

    def count(self, visitor: Visitor, updates: int) -> None:
        """Count the updates that a visitor asks for again."""
        if updates <= 0:
            return
        now = self._clock()
        address = ("address", household_of(visitor.address))
        refuse_if(self._buckets.wait(address, self._paced.rate(OF_ADDRESS), now, updates))
        if visitor.player_id is not None:
            player = ("player", visitor.player_id)
            refuse_if(self._buckets.wait(player, self._paced.rate(OF_PLAYER), now, updates))


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
