"""Streams: every client is told what it may know of its table, in order, nothing twice and nothing missed."""

import asyncio
import functools
from collections.abc import Awaitable, Callable, Iterable, Sequence
from random import Random
from typing import Final, TypeVar
from uuid import UUID

import structlog

from cartagena.endpoints.events import Frame, farewell, retry_after, written
from cartagena.messages.streams import StreamPosition, stream_position
from cartagena.messages.updates import to_be_taken_anew
from cartagena.server.http.streams.catch_up import CatchingUp, Reader, again_and_again
from cartagena.server.http.streams.connections import (
    SLOTS,
    WITHOUT_PAUSE,
    LobbyStream,
    OpenStreams,
    Pages,
    Stream,
    TableStream,
    shared_forms,
)
from cartagena.server.http.streams.player_streams import PlayerStream, PlayerStreams
from cartagena.server.http.streams.ports import (
    Dismissal,
    ListingFrame,
    LobbySource,
    SessionCheck,
    StreamCounts,
    StreamSettings,
    StreamSource,
    Told,
    Visitor,
)
from cartagena.server.http.streams.presence import TELL_EVERY, PresenceBoard
from cartagena.server.http.streams.sse import HEARTBEAT, Connection, SseConnection
from cartagena.server.tracing.spans import Span, Traces, within
from cartagena.tables.errors import Problem, ServiceError

ANEW_SECONDS: Final = 300.0
"""How long after a failover returning clients get the whole state, whatever they say they know."""

REVOKED: Final = "revoked"
"""The code of a stream that ends because its session was ended."""

_OUR_FAULT: Final = 500
_Answer = TypeVar("_Answer")

logger = structlog.get_logger(__name__)


class StreamHub:
    """Owns all open streams of a process; the bus calls `announce`, `dismiss` and `lobby_changed`."""

    def __init__(  # noqa: PLR0913 (what the streams of a process are made of, each part by its name)
        self,
        source: StreamSource,
        lobby: LobbySource,
        sessions: SessionCheck,
        *,
        chance: Random,
        settings: StreamSettings | None = None,
        traces: Traces | None = None,
        presence: PresenceBoard | None = None,
        players: PlayerStreams | None = None,
    ) -> None:
        self.counts = StreamCounts()
        self._settings = settings or StreamSettings()
        self._reader = Reader(source, lobby, sessions, patience=self._settings.patience)
        self._forms = shared_forms()
        self._chance = chance
        self._traces = traces
        self._presence = presence
        self._players = players
        if players is not None:
            players.connect(self._reader, self._push)
        most, pace = self._settings, self._settings.pace
        self._crowd = OpenStreams(
            per_player=round(most.per_player * pace), per_address=round(most.per_address * pace)
        )
        self._catching_up = CatchingUp(pace=pace)
        self._tasks: list[asyncio.Task[None]] = []
        self._slot = 0
        self._serving = 0
        self._all_left = asyncio.Event()
        self._is_draining = False
        self._timelines: str | None = None
        self._anew_until = 0.0

    def __len__(self) -> int:
        """How many streams are open."""
        return len(self._crowd)

    def start(self) -> None:
        """Start the tasks for heartbeats, lost messages, failovers, the lobby, sessions and presence."""
        settings = self._settings
        steps: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (settings.heartbeat / SLOTS, self._beat),
            (settings.check_every, self._check),
            (settings.check_every, self._check_timelines),
            (settings.lobby_every, self._refresh_lobby),
            (settings.sessions_every, self._check_sessions),
        ]
        if self._presence is not None:
            steps.append((TELL_EVERY, functools.partial(self._presence.tell, self._push)))
        if self._players is not None:
            steps.append((settings.check_every, self._players.check))
        self._tasks = [asyncio.create_task(again_and_again(*step)) for step in steps]

    async def drain(self) -> None:
        """Disconnect all clients, to come back with their place within a few seconds; accept no new ones."""
        self._is_draining = True
        await self._send_back()
        if self._presence is not None:
            await self._presence.tell(self._push)
        if self._serving:
            self._all_left.clear()
            try:
                await asyncio.wait_for(self._all_left.wait(), self._settings.patience)
            except TimeoutError:
                logger.warning("streams_left_over", streams=self._serving)

    async def _send_back(self) -> None:
        for number, stream in enumerate(self._crowd):
            self._end(stream, self._retry() + farewell("restart"))
            if number % WITHOUT_PAUSE == WITHOUT_PAUSE - 1:
                await asyncio.sleep(0)

    async def close(self) -> None:
        """Stop everything that runs for the streams."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._players is not None:
            await self._players.close()
        await self._reader.close()

    # --- for clients -------------------------------------------------------------------------------

    async def table(
        self,
        game_id: UUID,
        visitor: Visitor,
        connection: Connection,
        *,
        last: str | None = None,
        form: str | None = None,
    ) -> None:
        """Stream a table to a visitor until they leave; `last` is the id of the last event they received.

        Raises ServiceError, before anything is sent, if they cannot be served.
        """
        told = None if form is None else self._forms[form]
        stream = TableStream(game_id, visitor, SseConnection(connection), form=told)
        await self._serve(stream, functools.partial(self._begin_at_table, stream, stream_position(last)))

    async def lobby(self, visitor: Visitor, connection: Connection) -> None:
        """Stream the lobby to a visitor until they leave: first all of it, then each change."""
        stream = LobbyStream(visitor, SseConnection(connection))
        await self._serve(stream, functools.partial(self._begin_in_lobby, stream))

    async def player(self, player_id: UUID, visitor: Visitor, connection: Connection) -> None:
        """Stream what concerns this player to a visitor until they leave: all of it, then each change."""
        assert self._players is not None, "a hub with streams of players"
        stream = PlayerStream(player_id, visitor, SseConnection(connection))
        await self._serve(stream, functools.partial(self._begin_for_player, stream, self._players))

    async def soon(self, reading: Awaitable[_Answer]) -> _Answer:
        """What must be read before a stream begins; raises TimeoutError if the answer may be lost."""
        # A client waits for the beginning of its stream without end; one that is refused comes back.
        async with asyncio.timeout(self._settings.patience):
            return await reading

    async def _serve(self, stream: Stream, begin: Callable[[], Awaitable[None]]) -> None:
        if self._is_draining:
            # Over this connection the client would be refused for as long as the process lives.
            raise ServiceError(Problem.UNAVAILABLE, "this node restarts", retry_after=1, hangs_up=True)
        # The stream hears announcements before the store is read, so that none falls between the two.
        self._crowd.add(stream)
        self.counts.opened += 1
        self._serving += 1
        try:
            await begin()
            await stream.pipe.until_gone()
        finally:
            self._forget(stream)
            self._serving -= 1
            if not self._serving:
                self._all_left.set()
            await stream.pipe.stop()

    async def _begin_at_table(self, stream: TableStream, asked: StreamPosition | None) -> None:
        words = await self.soon(self._first_words(stream, asked))
        await self._begin(stream)
        if self._presence is not None and not stream.is_over:
            words += self._presence.enter(stream)
        self._catch_up(stream, self._retry() + words)

    async def _begin_in_lobby(self, stream: LobbyStream) -> None:
        words = written("lobby", await self.soon(self._reader.listing()))
        await self._begin(stream)
        self._push(stream, self._retry() + words + stream.release())

    async def _begin_for_player(self, stream: PlayerStream, players: PlayerStreams) -> None:
        words = await self.soon(players.first_words(stream))
        await self._begin(stream)
        self._push(stream, self._retry() + words)
        players.release(stream)

    async def _begin(self, stream: Stream) -> None:
        # A session may have ended while its stream was being opened, and was in no crowd to be found in.
        session = stream.visitor.session_id
        if session is not None and await self.soon(self._reader.has_ended(session)):
            self._end(stream, farewell(REVOKED))
        await stream.pipe.begin()
        if stream.is_over:
            stream.pipe.finish(stream.farewell)

    async def _first_words(self, stream: TableStream, asked: StreamPosition | None) -> bytes:
        """Return what was missed since `asked`, or else the whole state."""
        game_id, audience = stream.game_id, stream.visitor.audience
        if self._timelines is None:
            # Only a change from the timelines before reveals a failover.
            await self._check_timelines()
        if asked is not None and asyncio.get_running_loop().time() >= self._anew_until:
            latest = await self._reader.latest(game_id)
            if latest is not None and asked.seq <= latest.seq and asked.chat <= latest.chat:
                self._catching_up.count(stream.visitor, await self._reader.effort(game_id, asked, latest))
                stream.stand_at(asked)
                missed = () if asked == latest else await self._reader.since(game_id, audience, asked)
                return stream.missed(missed, latest)
        state = await self._reader.current(game_id, audience)
        stream.stand_at(StreamPosition(state.seq, state.chat))
        # A client that already knows something may know what a failover has undone.
        data = state.data if asked is None else to_be_taken_anew(state.data)
        return stream.whole(data)

    # --- for the bus -------------------------------------------------------------------------------

    def announce(self, told: Told) -> None:
        """Tell the streams of a table what their audience may know."""
        streams, traces, arrival = self._crowd.at(told.game_id), self._traces, None
        if traces is not None and told.trace is not None:
            arrival = traces.step("arrive", told.game_id, after=told.trace, seq=told.seq)
        if traces is None or arrival is None:
            self._announce_to(streams, told, {})
            return
        with within(arrival):
            frames = traces.step("frames", told.game_id, streams=len(streams)) if streams else None
            self._announce_to(streams, told, {}, frames)
        arrival.end()

    def _announce_to(
        self, streams: tuple[TableStream, ...], told: Told, pages: Pages, step: Span | None = None
    ) -> None:
        for stream in streams[:WITHOUT_PAUSE]:
            if stream.backlog is not None:
                stream.backlog.append(told)
                continue
            words = stream.words_for(told, pages)
            if words is None:
                self._heal(stream, stream.floor_under(told), told)
            else:
                self._push(stream, words)
        rest = streams[WITHOUT_PAUSE:]
        if rest:
            # Thousands may watch a table; the other tables must not wait until all of them were told.
            asyncio.get_running_loop().call_soon(self._announce_to, rest, told, pages, step)
        elif step is not None:
            step.end()

    def dismiss(self, dismissal: Dismissal) -> None:
        """End at once the streams that a dismissal matches."""
        self._send_away(self._crowd.meant_by(dismissal), dismissal.code)

    def _send_away(self, streams: Iterable[Stream], code: str) -> None:
        words = farewell(code)
        for stream in streams:
            self.counts.dismissed += 1
            self._end(stream, words)

    def lobby_changed(self, change: ListingFrame) -> None:
        """Send a change to all streams of the lobby."""
        words = written("listing", change.frame)
        for stream in self._crowd.in_lobby():
            if stream.backlog is not None:
                stream.backlog.append(words)
            else:
                self._push(stream, words)

    # --- healing -----------------------------------------------------------------------------------

    def _heal(self, stream: TableStream, floor: StreamPosition, *told: Told) -> None:
        """Read what a stream missed; the store has at least `floor`, and `told` waits until it is read."""
        stream.hold(*told)
        missed = self._reader.since(stream.game_id, stream.visitor.audience, stream.place)
        missed.add_done_callback(functools.partial(self._healed, stream, floor))

    def _healed(
        self, stream: TableStream, floor: StreamPosition, missed: "asyncio.Future[Sequence[Frame]]"
    ) -> None:
        if missed.cancelled() or stream.is_over:
            return
        error = missed.exception()
        if error is None:
            self.counts.healed += 1
            self._catch_up(stream, stream.missed(missed.result(), floor))
        elif isinstance(error, ServiceError) and error.problem.status < _OUR_FAULT:
            self._end(stream, farewell(error.problem.code))
        else:
            # The next announcement, or the next check, will find it behind again.
            logger.warning("stream_not_healed", error=type(error).__name__)
            stream.release()

    def _catch_up(self, stream: TableStream, words: bytes) -> None:
        """Send what was read and what has been announced since, in one go: it may be a lot."""
        parts = [words]
        backlog = stream.release()
        while backlog:
            told = backlog.popleft()
            part = stream.words_for(told, {})
            if part is None:
                self._heal(stream, stream.floor_under(told), told, *backlog)
                break
            parts.append(part)
        self._push(stream, b"".join(parts))

    async def _check(self) -> None:
        """Compare every stream with the store, and send what the bus lost."""
        async for game_id, latest in self._reader.latest_of(self._crowd.games()):
            for stream in self._crowd.at(game_id):
                if stream.is_behind(latest):
                    self._heal(stream, latest)

    async def _check_timelines(self) -> None:
        """After a failover, make all clients come back for the whole state.

        What they saw before may be lost, and its number may be another event's by now.
        """
        before, self._timelines = self._timelines, await self._reader.timelines()
        if before not in {None, self._timelines}:
            self._anew_until = asyncio.get_running_loop().time() + ANEW_SECONDS
            logger.warning("failover_noticed", streams=len(self))
            await self._send_back()

    async def _check_sessions(self) -> None:
        """End the streams of sessions that are over, in case the bus lost the closing."""
        sessions = self._crowd.sessions()
        if sessions:
            ended = await self._reader.ended_among(sessions)
            self._send_away(self._crowd.of_sessions(ended), REVOKED)

    async def _refresh_lobby(self) -> None:
        """Send the whole lobby again, in case the bus lost a change."""
        streams = [stream for stream in self._crowd.in_lobby() if stream.backlog is None]
        for stream in streams:
            stream.hold()
        words = b""
        try:
            words = written("lobby", await self._reader.listing()) if streams else b""
        finally:
            for stream in streams:
                self._push(stream, words + stream.release())

    # --- pushing and ending ------------------------------------------------------------------------

    async def _beat(self) -> None:
        self._slot += 1
        for stream in self._crowd.in_slot(self._slot):
            if stream.pipe.has_begun:
                self._push(stream, HEARTBEAT)

    def _push(self, stream: Stream, words: bytes) -> None:
        """Send `words`; a client that has not read the last is cut off, and may come back with its place."""
        if words and not stream.is_over and not stream.pipe.push(words):
            self.counts.slow += 1
            self._forget(stream)
            stream.pipe.cut()

    def _end(self, stream: Stream, words: bytes) -> None:
        self._forget(stream)
        if stream.pipe.has_begun:
            stream.pipe.finish(words)
        else:
            stream.farewell = words

    def _forget(self, stream: Stream) -> None:
        stream.is_over = True
        self._crowd.remove(stream)
        if self._presence is not None and isinstance(stream, TableStream):
            self._presence.leave(stream)
        if self._players is not None and isinstance(stream, PlayerStream):
            self._players.leave(stream)

    def _retry(self) -> bytes:
        """Return a random retry delay, to spread the clients that come back after a break."""
        return retry_after(self._chance.randint(*self._settings.retry))
