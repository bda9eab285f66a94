"""Presence: who is at which table, put together from what every node says about its own streams.

Presence is known only from open streams, and nothing of it is stored: the next repetition makes up for a lost
message, and a node that falls silent is forgotten.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar
from uuid import UUID

from cartagena.endpoints.events import written
from cartagena.messages.tables import PresenceMessage
from cartagena.messages.updates import encode
from cartagena.server.bus.messages import Attendance
from cartagena.server.http.streams.connections import WITHOUT_PAUSE, TableStream
from cartagena.tables.audience_ids import seat_of_audience

TELL_EVERY: Final = 1.0
"""Seconds; all changes within this time are told together."""
REPEAT_EVERY: Final = 20.0
FORGOTTEN_AFTER: Final = 3 * REPEAT_EVERY
LINGERS: Final = 6.0
"""Seconds; a reader who reloads the page, or moves to another node, is back by then."""
AWAY: Final = 60.0
"""Seconds after that in which a seat counts as away: its player is likely to come back."""
BATCH: Final = 500
"""How many tables one message covers."""

_Key = TypeVar("_Key")


class PresenceShare(Protocol):
    """How a node tells the others who is at its tables."""

    def __call__(self, tables: tuple[Attendance, ...], *, asks: bool) -> None:
        """Tell them; with `asks`, ask them who is at these tables on their side."""


class NodeReport(Protocol):
    """What another node reports, as it comes from the bus."""

    @property
    def node(self) -> bytes:
        """Which node."""

    @property
    def tables(self) -> Sequence[Attendance]:
        """Who is there."""

    @property
    def asks(self) -> bool:
        """Whether it asks for our report in return."""


class PresenceBoard:
    """Knows who is at the tables that are followed from here, and tells their streams when that changes."""

    def __init__(
        self, node: bytes, share: PresenceShare, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._node = node
        self._share = share
        self._clock = clock
        self._tables: dict[UUID, _Table] = {}
        # Dictionaries, because a set has no order: what changed first is told first.
        self._changed: dict[UUID, None] = {}
        self._owed: dict[UUID, None] = {}
        self._repeated = clock()

    def enter(self, stream: TableStream) -> bytes:
        """Note that a stream has begun; returns who is there, as the stream tells it."""
        table = self._tables.setdefault(stream.game_id, _Table(stream.game_id))
        table.add(stream)
        self._changed[stream.game_id] = None
        stream.presence = table.frame(self._clock())
        return stream.presence

    def leave(self, stream: TableStream) -> None:
        """Note that a stream has ended; doing so twice does no harm."""
        table = self._tables.get(stream.game_id)
        if table is not None and stream in table.streams:
            table.remove(stream)
            self._changed[stream.game_id] = None

    def hear(self, report: NodeReport) -> None:
        """Take in another node's report of who is at its tables."""
        if report.node == self._node:
            return
        for attendance in report.tables:
            table = self._tables.get(attendance.game_id)
            if table is None:
                continue
            table.hear(report.node, attendance, self._clock())
            self._changed[attendance.game_id] = None
            if report.asks:
                self._owed[attendance.game_id] = None

    async def tell(self, push: Callable[[TableStream, bytes], None]) -> None:
        """Tell streams, and the other nodes, who has come to their tables and who has gone."""
        for number, (stream, words) in enumerate(self.news(), 1):
            push(stream, words)
            if not number % WITHOUT_PAUSE:
                await asyncio.sleep(0)

    def news(self) -> Iterator[tuple[TableStream, bytes]]:
        """Yield the streams to be told something, with their words; the other nodes are told first."""
        now = self._clock()
        if now - self._repeated >= REPEAT_EVERY:
            self._repeated = now
            for table in self._tables.values():
                table.forget(now - FORGOTTEN_AFTER)
                self._changed[table.game_id] = self._owed[table.game_id] = None
        changed = [self._tables[game_id] for game_id in self._changed if game_id in self._tables]
        self._tell_others(changed)
        self._changed, self._owed = {}, {}
        for table in changed:
            yield from self._told(table, now)

    def _told(self, table: "_Table", now: float) -> Iterator[tuple[TableStream, bytes]]:
        if not table.streams:
            # A stream that came while the others were told may have created the table anew.
            if self._tables.get(table.game_id) is table:
                del self._tables[table.game_id]
            return
        words = table.frame(now)
        if table.left:
            self._changed[table.game_id] = None
        for stream in tuple(table.streams):
            if stream.presence == words:
                continue
            if stream.pipe.is_busy:
                # Presence can wait; it is no reason to cut off a slow client.
                self._changed[table.game_id] = None
                continue
            stream.presence = words
            yield stream, words

    def _tell_others(self, changed: Sequence["_Table"]) -> None:
        asking, telling = list[Attendance](), list[Attendance]()
        for table in changed:
            before, table.shared = table.shared, table.attendance()
            if before is None:
                asking.append(table.shared)
            elif before != table.shared or table.game_id in self._owed:
                telling.append(table.shared)
        for tables, asks in ((asking, True), (telling, False)):
            for start in range(0, len(tables), BATCH):
                self._share(tuple(tables[start : start + BATCH]), asks=asks)


class _Table:
    """One table: our streams, what other nodes said and when, and when seats were left.

    Seats and watchers are counted as streams come and go, because thousands may watch one table.
    """

    __slots__ = ("_elsewhere", "_here", "_seats", "_watchers", "game_id", "left", "shared", "streams")

    def __init__(self, game_id: UUID) -> None:
        self.game_id = game_id
        self.streams: dict[TableStream, None] = {}
        self.left: dict[int, float] = {}
        self.shared: Attendance | None = None
        self._elsewhere: dict[bytes, tuple[Attendance, float]] = {}
        self._here: frozenset[int] = frozenset()
        self._seats: dict[int, int] = {}
        self._watchers: dict[UUID | TableStream, int] = {}

    def add(self, stream: TableStream) -> None:
        """Add a stream; several tabs of one player count once."""
        self.streams[stream] = None
        self._count(stream, 1)

    def remove(self, stream: TableStream) -> None:
        """Remove a stream."""
        del self.streams[stream]
        self._count(stream, -1)

    def _count(self, stream: TableStream, step: int) -> None:
        seat = seat_of_audience(stream.visitor.audience)
        if seat is None:
            _add(self._watchers, stream.visitor.player_id or stream, step)
        else:
            _add(self._seats, seat, step)

    def attendance(self) -> Attendance:
        """Who is here, judging by our own streams."""
        return Attendance(self.game_id, tuple(sorted(self._seats)), len(self._watchers))

    def hear(self, node: bytes, attendance: Attendance, now: float) -> None:
        """Take in what another node says."""
        if attendance.seats or attendance.watchers:
            self._elsewhere[node] = (attendance, now)
        else:
            self._elsewhere.pop(node, None)

    def forget(self, before: float) -> None:
        """Forget the nodes that have said nothing since `before`."""
        self._elsewhere = {node: told for node, told in self._elsewhere.items() if told[1] >= before}

    def frame(self, now: float) -> bytes:
        """Who is here now, as streams tell it."""
        everywhere = [self.attendance(), *(attendance for attendance, _ in self._elsewhere.values())]
        here = frozenset(seat for attendance in everywhere for seat in attendance.seats)
        for seat in self._here - here:
            self.left[seat] = now
        self.left = {
            seat: since
            for seat, since in self.left.items()
            if seat not in here and now - since < LINGERS + AWAY
        }
        self._here = here
        lingering = {seat for seat, since in self.left.items() if now - since < LINGERS}
        message = PresenceMessage(
            here=tuple(sorted(here | lingering)),
            away=tuple(sorted(self.left.keys() - lingering)),
            watching=sum(attendance.watchers for attendance in everywhere),
        )
        return written("presence", encode(message))


def _add(counts: dict[_Key, int], key: _Key, step: int) -> None:
    """Add `step` to a count; a count that reaches zero is removed."""
    number = counts.get(key, 0) + step
    if number:
        counts[key] = number
    else:
        del counts[key]
