"""Streams of players: each tells what concerns one player, wherever it happens.

A message of the bus only says what to read again; what is told is what the store has. So a message that was
lost is made up for by the next reading, which comes by itself.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Protocol
from uuid import UUID

import structlog

from cartagena.messages.streams import StreamPosition
from cartagena.server.http.streams.catch_up import Reader
from cartagena.server.http.streams.connections import Stream
from cartagena.server.http.streams.ports import Told, Visitor
from cartagena.server.http.streams.sse import SseConnection
from cartagena.server.lobby.player_news import PlayerGame, PlayerPlaces, PlayerReading, PlayerState, news
from cartagena.server.shared.single_flight import Together

AT_ONCE: Final = 500
"""How many players one step of a check looks after."""

logger = structlog.get_logger(__name__)


class PlayerSource(Protocol):
    """The truth about what concerns players."""

    async def places(self, players: Sequence[UUID]) -> Mapping[UUID, PlayerPlaces]:
        """Where each player is concerned, as far as the directory knows."""

    async def games(
        self, asked: Mapping[UUID, Collection[UUID]]
    ) -> Mapping[UUID, Mapping[UUID, PlayerGame | None]]:
        """Some tables for each player, as they stand now; None where they do not sit."""


class ChangedPlayers(Protocol):
    """A change as it comes from the bus."""

    @property
    def players(self) -> Sequence[UUID]:
        """Whom it concerns."""


class PlayerStream(Stream):
    """Tells a player what concerns them, and has told `told`; it hears of what happens to the games `heard`.

    `stale` are the games to read again; with `is_stale` everything is.
    """

    __slots__ = ("heard", "is_reading", "is_stale", "player_id", "stale", "told")

    def __init__(self, player_id: UUID, visitor: Visitor, pipe: SseConnection) -> None:
        super().__init__(visitor, pipe)
        self.player_id = player_id
        self.told = PlayerState()
        self.heard: set[UUID] = set()
        self.stale: set[UUID] = set()
        self.is_stale = False
        self.is_reading = True


Push = Callable[[Stream, bytes], None]
"""Sends words to a stream."""


def _unheard(_: Stream, __: bytes) -> None:
    raise AssertionError("no hub has these streams")


class PlayerStreams:
    """The open streams of players, and which of them to tell of what."""

    def __init__(self, source: PlayerSource, *, patience: float) -> None:
        self._reader: Reader | None = None
        self._push: Push = _unheard
        self._patience = patience
        self._places = Together(self._read_places)
        self._games = Together(self._read_games)
        self._source = source
        # Dictionaries, because a set has no order: the first to come is told first.
        self._of_player: dict[UUID, dict[PlayerStream, None]] = {}
        self._at: dict[UUID, dict[PlayerStream, None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def connect(self, reader: Reader, push: Push) -> None:
        """Belong to a hub: it knows how far tables are, and how to send."""
        self._reader, self._push = reader, push

    # Coming and going.

    def leave(self, stream: PlayerStream) -> None:
        """Forget a stream; doing so twice does no harm."""
        _drop(self._of_player, stream.player_id, stream)
        self._hear_only(stream, frozenset())

    async def first_words(self, stream: PlayerStream) -> bytes:
        """The whole state, for a stream that hears of changes from now on; `release` it once that is sent."""
        self._of_player.setdefault(stream.player_id, {})[stream] = None
        self._stand_at(stream, await self._read(stream, is_whole=True, games=set()))
        return stream.told.whole()

    def release(self, stream: PlayerStream) -> None:
        """Tell from now on what changes, and what has changed since the state was read."""
        stream.is_reading = False
        self._refresh(stream)

    async def close(self) -> None:
        """Stop reading."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._places.close()
        await self._games.close()

    # What has changed.

    def announced(self, told: Told) -> None:
        """Note that something happened at a table."""
        if told.kind == "update":
            for stream in tuple(self._at.get(told.game_id, ())):
                stream.stale.add(told.game_id)
                self._refresh(stream)

    def changed(self, change: ChangedPlayers) -> None:
        """Note that what concerns some players has changed."""
        for player_id in change.players:
            for stream in tuple(self._of_player.get(player_id, ())):
                stream.is_stale = True
                self._refresh(stream)

    async def check(self) -> None:
        """Compare what was told with the store, and tell what the bus lost."""
        players = list(self._of_player)
        for start in range(0, len(players), AT_ONCE):
            await self._check_some(players[start : start + AT_ONCE])

    async def _check_some(self, players: list[UUID]) -> None:
        assert self._reader is not None, "checked by a hub"
        streams = [stream for player in players for stream in self._of_player.get(player, ())]
        known = sorted({game_id for stream in streams for game_id in stream.told.games})
        places = await self._source.places(players)
        latest = {game_id: place async for game_id, place in self._reader.latest_of(known)}
        for stream in streams:
            games, place = stream.told.games, places[stream.player_id]
            stream.is_stale |= not place.games <= games.keys() or place.challenges != stream.told.challenges
            stream.stale |= {game_id for game_id in games if _is_behind(games[game_id], latest.get(game_id))}
            self._refresh(stream)

    # Reading.

    def _refresh(self, stream: PlayerStream) -> None:
        if (stream.is_stale or stream.stale) and not stream.is_reading and not stream.is_over:
            stream.is_reading = True
            task = asyncio.create_task(self._tell_news(stream))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tell_news(self, stream: PlayerStream) -> None:
        try:
            while (stream.is_stale or stream.stale) and not stream.is_over:
                is_whole, stream.is_stale = stream.is_stale, False
                games, stream.stale = stream.stale, set()
                read = await self._read(stream, is_whole=is_whole, games=games)
                words = b"".join(news(stream.told, read))
                self._stand_at(stream, read)
                self._push(stream, words)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next check tries again
            stream.is_stale = True
            logger.warning("player_stream_not_healed", error=type(error).__name__)
        finally:
            stream.is_reading = False
            if stream.is_over:
                self.leave(stream)

    async def _read(self, stream: PlayerStream, *, is_whole: bool, games: set[UUID]) -> PlayerReading:
        challenges = None
        async with asyncio.timeout(self._patience):
            if is_whole:
                place = (await self._places.ask(None, stream.player_id))[stream.player_id]
                games, challenges = games | place.games | stream.told.games.keys(), place.challenges
            # Before the tables are read: what happens at one of them meanwhile is heard.
            for game_id in games:
                self._at.setdefault(game_id, {})[stream] = None
            stream.heard |= games
            found = (await self._games.ask(None, (stream.player_id, games)))[stream.player_id]
        # Others may have asked for more.
        read = {game_id: found[game_id] for game_id in games & found.keys()}
        return PlayerReading(games=read, challenges=challenges)

    def _stand_at(self, stream: PlayerStream, read: PlayerReading) -> None:
        """Treat what was read as told."""
        stream.told = stream.told.after(read)
        self._hear_only(stream, stream.told.games.keys())

    def _hear_only(self, stream: PlayerStream, games: AbstractSet[UUID]) -> None:
        for game_id in stream.heard - games:
            _drop(self._at, game_id, stream)
        stream.heard &= games

    async def _read_places(self, _: None, players: list[UUID]) -> Mapping[UUID, PlayerPlaces]:
        return await self._source.places(sorted(set(players)))

    async def _read_games(
        self, _: None, asked: list[tuple[UUID, set[UUID]]]
    ) -> Mapping[UUID, Mapping[UUID, PlayerGame | None]]:
        wanted: dict[UUID, set[UUID]] = {}
        for player_id, games in asked:
            wanted[player_id] = wanted.get(player_id, set()) | games
        return await self._source.games(wanted)


def _is_behind(game: PlayerGame, latest: StreamPosition | None) -> bool:
    # A table that cannot be found now, because it moves or has newer rules, is no news.
    return latest is not None and game.message.seq != latest.seq


def _drop(streams: dict[UUID, dict[PlayerStream, None]], key: UUID, stream: PlayerStream) -> None:
    found = streams.get(key)
    if found is not None:
        found.pop(stream, None)
        if not found:
            del streams[key]
