"""A stream: how far one client has been told, and what it is to be told next."""

from collections import deque
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from cartagena.server.http.streams.ports import Told, Visitor
from cartagena.server.http.streams.sse import Frame, SseConnection, StreamPlace, written

MOST_WAITING: Final = 64
"""How many messages wait while the store is read; those that fall out are read from the store again."""

Pages = dict[tuple[int, StreamPlace], bytes]
"""One announcement, already written, by audience and place: streams share the bytes."""


class Stream:
    """An open answer to one client."""

    __slots__ = ("farewell", "is_over", "pipe", "visitor")

    def __init__(self, visitor: Visitor, pipe: SseConnection) -> None:
        self.visitor = visitor
        self.pipe = pipe
        self.is_over = False
        self.farewell = b""


class LobbyStream(Stream):
    """Tells of the lobby. `backlog` gathers changes while the whole listing is read."""

    __slots__ = ("backlog",)

    def __init__(self, visitor: Visitor, pipe: SseConnection) -> None:
        super().__init__(visitor, pipe)
        self.backlog: deque[bytes] | None = deque(maxlen=MOST_WAITING)

    def hold(self) -> None:
        """Gather changes from now on."""
        self.backlog = deque(maxlen=MOST_WAITING)

    def release(self) -> bytes:
        """Stop gathering; returns what was gathered."""
        backlog, self.backlog = self.backlog, None
        return b"".join(backlog or ())


class TableStream(Stream):
    """Tells one audience of a table. `backlog` gathers announcements while the store is read.

    `presence` is the last frame it sent about who is there.
    """

    __slots__ = ("backlog", "chat", "game_id", "presence", "seq")

    def __init__(self, game_id: UUID, visitor: Visitor, pipe: SseConnection) -> None:
        super().__init__(visitor, pipe)
        self.game_id = game_id
        self.seq = -1
        self.chat = -1
        self.presence = b""
        self.backlog: deque[Told] | None = deque(maxlen=MOST_WAITING)

    @property
    def place(self) -> StreamPlace:
        """How far the client has been told."""
        return StreamPlace(self.seq, self.chat)

    def stand_at(self, place: StreamPlace) -> None:
        """Treat everything up to `place` as told."""
        self.seq, self.chat = place

    def is_behind(self, latest: tuple[int, int]) -> bool:
        """Whether there is something that it has not told, and is not about to read."""
        return self.backlog is None and (self.seq < latest[0] or self.chat < latest[1])

    def hold(self, *told: Told) -> None:
        """Gather announcements from now on, beginning with these."""
        self.backlog = deque(told, MOST_WAITING)

    def release(self) -> "deque[Told]":
        """Stop gathering; returns what was gathered."""
        backlog, self.backlog = self.backlog, None
        return backlog or deque()

    def missed(self, frames: Iterable[Frame], floor: StreamPlace) -> bytes:
        """Return those of `frames` that are news here, written for the wire.

        The store had at least `floor` when it was read: this audience is not told of anything up to there
        that is not among the frames.
        """
        parts = [self._missed(frame) for frame in frames]
        self.seq, self.chat = max(self.seq, floor.seq), max(self.chat, floor.chat)
        return b"".join(parts)

    def floor_under(self, told: Told) -> StreamPlace:
        """Return what the store must have once an announcement is heard: all that came before it."""
        return (
            StreamPlace(told.seq - 1, self.chat)
            if told.kind == "update"
            else StreamPlace(self.seq, told.chat - 1)
        )

    def words_for(self, told: Told, pages: Pages) -> bytes | None:
        """Return what the audience is told, maybe nothing; None if an earlier announcement is missing."""
        is_update = told.kind == "update"
        step = told.seq - self.seq if is_update else told.chat - self.chat
        if step <= 0:
            return b""
        if step > 1:
            return None
        if is_update:
            self.seq = told.seq
        else:
            self.chat = told.chat
        return self._page(told, self.place, pages)

    def _page(self, told: Told, place: StreamPlace, pages: Pages) -> bytes:
        audience = self.visitor.audience
        frame = told.frames.get(audience)
        if frame is None:
            return b""
        page = pages.get((audience, place))
        if page is None:
            page = pages[audience, place] = written(told.kind, frame, place)
        return page

    def _missed(self, frame: Frame) -> bytes:
        if frame.event == "update" and frame.seq > self.seq:
            self.seq = frame.seq
        elif frame.event == "chat" and frame.chat > self.chat:
            self.chat = frame.chat
        else:
            return b""
        return written(frame.event, frame.data, self.place)
