"""Streams of a device: what happens at a table, told as the service tells it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol
from uuid import UUID

from cartagena.endpoints.events import farewell, written
from cartagena.local.screen import SharedScreen
from cartagena.messages.streams import StreamPosition, stream_position
from cartagena.messages.updates import to_be_taken_anew
from cartagena.tables.errors import Problem
from cartagena.tables.frames import Missed, current, frames_since
from cartagena.tables.ports import Store
from cartagena.tables.table import Table

_NO_CHAT: Final = 0

logger = logging.getLogger(__name__)


class Listener(Protocol):
    """Hears a stream."""

    def hear(self, words: bytes) -> None:
        """Take the next bytes, as an `EventSource` of the service would get them."""


class LocalStream:
    """What one listener is told of a table, as one audience from its beginning to its end."""

    def __init__(self, table_id: UUID, audience: int, player: UUID | None, listener: Listener) -> None:
        self.table_id = table_id
        self.audience = audience
        self.player = player
        self.seq = -1
        self.is_over = asyncio.Event()
        self._listener = listener
        self._backlog: dict[int, bytes] | None = {}

    def announce(self, seq: int, frame: bytes) -> None:
        """Tell an update, or gather it until what came before has been read."""
        if self._backlog is not None:
            self._backlog[seq] = frame
        elif seq > self.seq:
            self.tell(seq, frame)

    def tell(self, seq: int, frame: bytes) -> None:
        """Tell an update at once."""
        self.seq = seq
        self._hear(written("update", frame, StreamPosition(seq, _NO_CHAT)))

    def release(self) -> None:
        """Tell what was gathered."""
        backlog, self._backlog = self._backlog or {}, None
        for seq, frame in backlog.items():
            self.announce(seq, frame)

    def end(self, code: str) -> None:
        """End the stream, and say why."""
        if not self.is_over.is_set():
            self._hear(farewell(code))
            self.is_over.set()

    def _hear(self, words: bytes) -> None:
        try:
            self._listener.hear(words)
        except Exception:
            # A page that is gone must not keep others from playing on.
            logger.exception("a listener failed")
            self.is_over.set()


class LocalAnnouncer:
    """Tells the streams of this device what happens; implements the port `tables.ports.Announcer`.

    The frames of the last event of each table are kept for the answer to the request that caused it.
    """

    def __init__(self, screen: SharedScreen, wake: Callable[[UUID], None]) -> None:
        self._screen = screen
        self._wake = wake
        self._streams: dict[UUID, list[LocalStream]] = {}
        self._last: dict[UUID, tuple[int, Mapping[int, bytes]]] = {}
        self._audiences: dict[UUID, int] = {}
        self._looked_since: dict[UUID, int] = {}

    # For the tables.

    def update(self, table: Table, frames: Mapping[int, bytes]) -> None:
        """Tell each audience what a change did."""
        self._last[table.id] = table.seq, frames
        self._screen.turn(table)
        self.look(table)
        for stream in self._at(table.id):
            if stream.audience in frames:
                stream.announce(table.seq, frames[stream.audience])

    def close(
        self, table_id: UUID, code: str, *, player: UUID | None = None, audience: int | None = None
    ) -> None:
        """End the streams of a player at a table, or of an audience."""
        for stream in self._at(table_id):
            if player in {None, stream.player} and audience in {None, stream.audience}:
                self._end(stream, code)

    def wake(self, table_id: UUID) -> None:
        """Let the bot that is due think."""
        self._wake(table_id)

    # For the device.

    def look(self, table: Table) -> None:
        """End the streams of a table that no longer tell what the device looks at."""
        audience = self._screen.audience(table)
        if self._audiences.get(table.id) != audience:
            self._audiences[table.id] = audience
            self._looked_since[table.id] = table.seq
        for stream in self._at(table.id):
            if stream.audience != audience:
                self._end(stream, Problem.FORBIDDEN.code)

    def told(self, table: Table, audience: int) -> bytes:
        """What an audience was told of the last event of a table."""
        seq, frames = self._last.get(table.id, (-1, {}))
        return frames[audience] if seq == table.seq and audience in frames else current(table, audience)

    async def follow(self, store: Store, table: Table, listener: Listener, last: str | None) -> None:
        """Tell a listener what happens at a table, from the place it has reached, until the stream ends."""
        self.look(table)
        stream = LocalStream(table.id, self._audiences[table.id], self._screen.player(table), listener)
        self._streams.setdefault(table.id, []).append(stream)
        try:
            await self._catch_up(store, table, stream, last)
            stream.release()
            await stream.is_over.wait()
        finally:
            self._forget(stream)

    async def _catch_up(self, store: Store, table: Table, stream: LocalStream, last: str | None) -> None:
        place = stream_position(last)
        if place is not None and self._may_resume(table, place.seq):
            stream.seq = place.seq
            for missed in await frames_since(store, table, stream.audience, place.seq):
                self._tell_missed(stream, missed)
            return
        state = current(table, stream.audience)
        stream.tell(table.seq, state if place is None else to_be_taken_anew(state))

    def _may_resume(self, table: Table, seq: int) -> bool:
        """Whether what happened since `seq` is all that a client needs: at that moment the look was the same.

        What is told after an earlier moment shows the whole table anyway, to those who look now.
        """
        return seq <= table.seq and seq != self._looked_since[table.id]

    @staticmethod
    def _tell_missed(stream: LocalStream, missed: Missed) -> None:
        if not stream.is_over.is_set():
            stream.tell(missed.seq, missed.frame)

    def drop(self, table_id: UUID) -> None:
        """End every stream of a table that is deleted."""
        self.close(table_id, Problem.NO_SUCH_TABLE.code)
        for known in (self._last, self._audiences, self._looked_since):
            known.pop(table_id, None)

    def close_all(self) -> None:
        """End every stream; the client may come back."""
        for table_id in list(self._streams):
            self.close(table_id, "restart")

    def _at(self, table_id: UUID) -> list[LocalStream]:
        return list(self._streams.get(table_id, ()))

    def _end(self, stream: LocalStream, code: str) -> None:
        self._forget(stream)
        stream.end(code)

    def _forget(self, stream: LocalStream) -> None:
        streams = self._streams.get(stream.table_id, [])
        if stream in streams:
            streams.remove(stream)
        if not streams:
            self._streams.pop(stream.table_id, None)
