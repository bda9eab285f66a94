"""The reader of the streams: one read of the store serves all streams that want the same."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from typing import Final
from uuid import UUID

from cartagena.server.http.streams.ports import LobbySource, StreamSource
from cartagena.server.http.streams.sse import Frame, StreamPlace
from cartagena.server.shared.single_flight import Together

BATCH: Final = 1000
"""How many tables one query asks for."""


class Reader:
    """Reads for the streams. After a deploy thousands come back at once, many to the same tables.

    A stream that missed something waits for it no longer than `patience` seconds: the answer may be lost.
    """

    def __init__(self, source: StreamSource, lobby: LobbySource, *, patience: float) -> None:
        self._source = source
        self._lobby = lobby
        self._patience = patience
        self._current = Together(self._read_current)
        self._since = Together(self._read_since)
        self._latest = Together(self._read_latest)
        self._listing = Together(self._read_listing)

    def current(self, game_id: UUID, audience: int) -> Awaitable[Frame]:
        """The whole state of a table."""
        return self._current.ask((game_id, audience), None)

    def since(self, game_id: UUID, audience: int, place: StreamPlace) -> "asyncio.Future[Sequence[Frame]]":
        """What an audience was told after a place, and maybe more: others may ask from an earlier one."""
        return self._since.ask((game_id, audience), place)

    async def latest(self, game_id: UUID) -> StreamPlace | None:
        """How far a table is; None if it does not exist."""
        latest = (await self._latest.ask(None, game_id)).get(game_id)
        return None if latest is None else StreamPlace(*latest)

    async def latest_of(self, game_ids: Sequence[UUID]) -> AsyncIterator[tuple[UUID, StreamPlace]]:
        """How far many tables are."""
        for start in range(0, len(game_ids), BATCH):
            latest = await self._source.cursors(game_ids[start : start + BATCH])
            for game_id, place in latest.items():
                yield game_id, StreamPlace(*place)

    async def timelines(self) -> str:
        """The timelines that the databases write."""
        return await self._source.timelines()

    def listing(self) -> Awaitable[bytes]:
        """All that the lobby shows."""
        return self._listing.ask(None, None)

    async def close(self) -> None:
        """Stop reading."""
        for readings in (self._current, self._since, self._latest, self._listing):
            await readings.close()

    async def _read_current(self, key: tuple[UUID, int], _: list[None]) -> Frame:
        return await self._source.current(*key)

    async def _read_since(self, key: tuple[UUID, int], places: list[StreamPlace]) -> Sequence[Frame]:
        seq, chat = min(place.seq for place in places), min(place.chat for place in places)
        async with asyncio.timeout(self._patience):
            return await self._source.since(*key, seq, chat)

    async def _read_latest(self, _: None, game_ids: list[UUID]) -> Mapping[UUID, StreamPlace]:
        return {game_id: place async for game_id, place in self.latest_of(list(set(game_ids)))}

    async def _read_listing(self, _: None, __: list[None]) -> bytes:
        return await self._lobby.listing()
