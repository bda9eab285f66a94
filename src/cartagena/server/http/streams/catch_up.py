"""Catching up: what a stream shows first and what its client missed, read once for all who want it."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

import structlog

from cartagena.endpoints.events import Frame
from cartagena.endpoints.limits import Rate
from cartagena.messages.streams import StreamPosition
from cartagena.server.http.client_address import household_of
from cartagena.server.http.rate_limits import Buckets, Paced, refuse_if
from cartagena.server.http.streams.ports import LobbySource, SessionCheck, StreamSource, Visitor
from cartagena.server.shared.single_flight import Together
from cartagena.tables.access import require_audience
from cartagena.tables.audience_ids import seat_of_audience
from cartagena.tables.frames import MOST_AGAIN, current, encode_lines, events_read, frames_since
from cartagena.tables.ports import Aside, ServiceStore, here
from cartagena.tables.service import Tables

logger = structlog.get_logger(__name__)

BATCH: Final = 1000
"""How many tables one query asks for."""


class Reader:
    """Reads for the streams. After a deploy thousands come back at once, many to the same tables.

    A stream that missed something waits for it no longer than `patience` seconds: the answer may be lost.
    """

    def __init__(
        self, source: StreamSource, lobby: LobbySource, sessions: SessionCheck, *, patience: float
    ) -> None:
        self._source = source
        self._lobby = lobby
        self._sessions = sessions
        self._patience = patience
        self._current = Together(self._read_current)
        self._since = Together(self._read_since)
        self._latest = Together(self._read_latest)
        self._listing = Together(self._read_listing)
        self._ended = Together(self._read_ended)

    def current(self, game_id: UUID, audience: int) -> Awaitable[Frame]:
        """The whole state of a table."""
        return self._current.ask((game_id, audience), None)

    def since(self, game_id: UUID, audience: int, place: StreamPosition) -> "asyncio.Future[Sequence[Frame]]":
        """What an audience was told after a place, and maybe more: others may ask from an earlier one."""
        return self._since.ask((game_id, audience), place)

    async def effort(self, game_id: UUID, place: StreamPosition, latest: StreamPosition) -> int:
        """How much is read to tell what came between two places."""
        events = 0 if place.seq == latest.seq else await self._source.effort(game_id, place.seq)
        return events + latest.chat - place.chat

    async def latest(self, game_id: UUID) -> StreamPosition | None:
        """How far a table is; None if it does not exist."""
        latest = (await self._latest.ask(None, game_id)).get(game_id)
        return None if latest is None else StreamPosition(*latest)

    async def latest_of(self, game_ids: Sequence[UUID]) -> AsyncIterator[tuple[UUID, StreamPosition]]:
        """How far many tables are."""
        for start in range(0, len(game_ids), BATCH):
            latest = await self._source.cursors(game_ids[start : start + BATCH])
            for game_id, place in latest.items():
                yield game_id, StreamPosition(*place)

    async def timelines(self) -> str:
        """The timelines that the databases write."""
        return await self._source.timelines()

    def listing(self) -> Awaitable[bytes]:
        """All that the lobby shows."""
        return self._listing.ask(None, None)

    async def has_ended(self, session_id: UUID) -> bool:
        """Whether a session is over."""
        return session_id in await self._ended.ask(None, session_id)

    async def ended_among(self, session_ids: Collection[UUID]) -> Collection[UUID]:
        """Which of these sessions are over."""
        return await self._sessions.ended_among(session_ids)

    async def close(self) -> None:
        """Stop reading."""
        for readings in (self._current, self._since, self._latest, self._listing, self._ended):
            await readings.close()

    async def _read_current(self, key: tuple[UUID, int], _: list[None]) -> Frame:
        return await self._source.current(*key)

    async def _read_since(self, key: tuple[UUID, int], places: list[StreamPosition]) -> Sequence[Frame]:
        seq, chat = min(place.seq for place in places), min(place.chat for place in places)
        async with asyncio.timeout(self._patience):
            return await self._source.since(*key, seq, chat)

    async def _read_latest(self, _: None, game_ids: list[UUID]) -> Mapping[UUID, StreamPosition]:
        return {game_id: place async for game_id, place in self.latest_of(list(set(game_ids)))}

    async def _read_listing(self, _: None, __: list[None]) -> bytes:
        return await self._lobby.listing()

    async def _read_ended(self, _: None, session_ids: list[UUID]) -> Collection[UUID]:
        return await self._sessions.ended_among(sorted(set(session_ids)))


OF_PLAYER: Final = Rate(1_000, 20)
OF_ADDRESS: Final = Rate(4_000, 400)
"""Both rates count events that are read, and lines of chat; a whole game is about a hundred."""


class CatchingUp:
    """Counts what is read to tell it again, for each player and each household; raises `too_many`."""

    def __init__(self, *, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._paced = Paced(pace)
        self._clock = clock
        self._buckets = Buckets()

    def count(self, visitor: Visitor, read: int) -> None:
        """Count the events and lines that are read for a visitor who missed something."""
        if read <= 0:
            return
        now = self._clock()
        address = ("address", household_of(visitor.address))
        refuse_if(self._buckets.wait(address, self._paced.rate(OF_ADDRESS), now, read))
        if visitor.player_id is not None:
            player = ("player", visitor.player_id)
            refuse_if(self._buckets.wait(player, self._paced.rate(OF_PLAYER), now, read))


MOST_LINES: Final = 500
"""How many lines of chat are sent again; a client that missed more gets the newest."""


class Watching:
    """What the streams of tables read from the store, for one audience at a time."""

    def __init__(self, tables: Tables, store: ServiceStore, *, aside: Aside = here) -> None:
        self._tables = tables
        self._store = store
        self._aside = aside

    async def current(self, table_id: UUID, audience: int) -> Frame:
        """The whole state of a table now."""
        table = await self._tables.newest(table_id)
        require_audience(table, audience)
        return Frame(event="update", seq=table.seq, chat=table.chat, data=current(table, audience))

    async def effort(self, table_id: UUID, seq: int) -> int:
        """How many events are read to tell what came after `seq`; 1 if only the state of now is told."""
        read = events_read(await self._tables.newest(table_id), seq)
        return read if read <= MOST_AGAIN else 1

    async def since(self, table_id: UUID, audience: int, seq: int, chat: int) -> list[Frame]:
        """Return the events and lines of chat after these numbers, in order, unless they are too many."""
        table = await self._tables.newest(table_id)
        require_audience(table, audience)
        missed = [
            Frame(event="update", seq=one.seq, chat=chat, data=one.frame)
            for one in await frames_since(self._store, table, audience, seq, aside=self._aside)
        ]
        hidden = table.sheet.told_after(seat_of_audience(audience))
        lines = await self._store.chat(table_id, max(chat, hidden, table.chat - MOST_LINES))
        seq = missed[-1].seq if missed else seq
        pairs = zip(lines, encode_lines(lines), strict=True)
        return [*missed, *(Frame(event="chat", seq=seq, chat=line.number, data=data) for line, data in pairs)]

    async def timelines(self) -> str:
        """The timelines that the databases write."""
        return await self._store.timelines()

    async def cursors(self, table_ids: Sequence[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """Return the numbers of the last event and the last line of chat of each table."""
        return await self._store.cursors(table_ids)


async def again_and_again(pause: float, step: Callable[[], Awaitable[None]]) -> None:
    """Do something every `pause` seconds; what fails may go well the next time."""
    while True:
        await asyncio.sleep(pause)
        try:
            await step()
        except Exception:
            logger.exception("streams_step_failed", step=getattr(step, "__name__", ""))
