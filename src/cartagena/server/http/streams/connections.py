"""The crowd: all open streams of a process, and how many a player or a household may have."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from cartagena.endpoints.events import Frame, written
from cartagena.messages.compact import Compact, compact
from cartagena.messages.patches import patch
from cartagena.messages.streams import StreamPosition
from cartagena.server.http.client_address import household_of
from cartagena.server.http.streams.ports import Dismissal, Told, Visitor
from cartagena.server.http.streams.sse import SseConnection
from cartagena.tables.errors import Problem, ServiceError

# A stream: how far one client has been told, and what it is to be told next.

MOST_WAITING: Final = 64
"""How many messages wait while the store is read; those that fall out are read from the store again."""

PATCHES_KEPT: Final = 256
"""How many patches are kept for other streams that missed the same; a whole game has about a hundred."""

WHOLE_EVERY: Final = 64
"""How often an update is told whole to a client that is told patches, by its number."""


class Form(NamedTuple):
    """How updates are told to clients that apply patches: in which form, and the patch of two of them."""

    form: Callable[[bytes], Compact]
    patch: Callable[[bytes, bytes], bytes]


Pages = dict[tuple[int, StreamPosition, Form | None, Compact | None], bytes]
"""One announcement, already written, by audience, place, form and what it patches, for streams to share."""

FORMS: Final[Mapping[str, Callable[[bytes], Compact]]] = {"compact=1": compact, "patches": Compact}
"""By what a client prefers, the shortest first; nodes of earlier releases do not know all of it."""


def shared_forms() -> Mapping[str, Form]:
    """Make each update and each patch once for all streams that miss the same, one after the other."""
    find = lru_cache(PATCHES_KEPT)(patch)
    return {wish: Form(lru_cache(PATCHES_KEPT)(form), find) for wish, form in FORMS.items()}


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

    `presence` is the last frame it sent about who is there, `before` the last update if the client is told
    patches of it, as the `form` says.
    """

    __slots__ = ("backlog", "before", "chat", "form", "game_id", "presence", "seq")

    def __init__(
        self, game_id: UUID, visitor: Visitor, pipe: SseConnection, *, form: Form | None = None
    ) -> None:
        super().__init__(visitor, pipe)
        self.form = form
        self.before: Compact | None = None
        self.game_id = game_id
        self.seq = -1
        self.chat = -1
        self.presence = b""
        self.backlog: deque[Told] | None = deque(maxlen=MOST_WAITING)

    @property
    def place(self) -> StreamPosition:
        """How far the client has been told."""
        return StreamPosition(self.seq, self.chat)

    def stand_at(self, place: StreamPosition) -> None:
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

    def missed(self, frames: Iterable[Frame], floor: StreamPosition) -> bytes:
        """Return those of `frames` that are news here, written for the wire.

        The store had at least `floor` when it was read: this audience is not told of anything up to there
        that is not among the frames.
        """
        parts = [self._missed(frame) for frame in frames]
        self.seq, self.chat = max(self.seq, floor.seq), max(self.chat, floor.chat)
        return b"".join(parts)

    def whole(self, data: bytes) -> bytes:
        """Write an update that is told whole."""
        words = self._written_whole(data)
        self._remember("update", data)
        return words

    def floor_under(self, told: Told) -> StreamPosition:
        """Return what the store must have once an announcement is heard: all that came before it."""
        return (
            StreamPosition(told.seq - 1, self.chat)
            if told.kind == "update"
            else StreamPosition(self.seq, told.chat - 1)
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

    def _page(self, told: Told, place: StreamPosition, pages: Pages) -> bytes:
        audience = self.visitor.audience
        frame = told.frames.get(audience)
        if frame is None:
            return b""
        # By its words: what is patched may be gone, and its address reused, before the last stream is told.
        key = audience, place, self.form, self.before
        page = pages.get(key)
        if page is None:
            page = pages[key] = self._written(told.kind, frame)
        self._remember(told.kind, frame)
        return page

    def _written(self, kind: str, data: bytes) -> bytes:
        """Write an update or a line of chat; an update as a patch, if the client knows the one before."""
        if kind != "update":
            return written(kind, data, self.place)
        if self.form and self.before and self.seq % WHOLE_EVERY:
            now = self.form.form(data)
            # A patch leaves the catalogue as it was told, if it was.
            if now.catalogue == self.before.catalogue:
                return written("patch", self.form.patch(self.before.told, now.told), self.place)
        return self._written_whole(data)

    def _written_whole(self, data: bytes) -> bytes:
        return written("update", self.form.form(data).whole if self.form else data, self.place)

    def _remember(self, kind: str, data: bytes) -> None:
        if kind == "update" and self.form:
            self.before = self.form.form(data)

    def _missed(self, frame: Frame) -> bytes:
        if frame.event == "update" and frame.seq > self.seq:
            self.seq = frame.seq
        elif frame.event == "chat" and frame.chat > self.chat:
            self.chat = frame.chat
        else:
            return b""
        words = self._written(frame.event, frame.data)
        self._remember(frame.event, frame.data)
        return words


WITHOUT_PAUSE: Final = 300
"""How many streams are served before the event loop may turn to something else."""

SLOTS: Final = 60
"""Heartbeats go round in this many steps, so that no step holds up the event loop."""

_TRY_AGAIN: Final = 5
_Key = TypeVar("_Key", str, UUID)


class OpenStreams:
    """Finds streams by table, in the lobby, by their visitor and by the slot of their heartbeat."""

    def __init__(self, *, per_player: int, per_address: int) -> None:
        self._per_player = per_player
        self._per_address = per_address
        self._of_player: Counter[UUID] = Counter()
        self._of_address: Counter[str] = Counter()
        # Dictionaries, because a set has no order: the first to come is told first.
        self._slots: list[dict[Stream, None]] = [{} for _ in range(SLOTS)]
        self._slot_of: dict[Stream, int] = {}
        self._next_slot = 0
        self._tables: dict[UUID, dict[TableStream, None]] = {}
        self._lobby: dict[LobbyStream, None] = {}

    def __len__(self) -> int:
        return len(self._slot_of)

    def __iter__(self) -> Iterator[Stream]:
        return iter(tuple(self._slot_of))

    def add(self, stream: Stream) -> None:
        """Let a stream in; raises ServiceError if its player or its address has too many."""
        self._count(stream.visitor)
        self._next_slot = (self._next_slot + 1) % SLOTS
        self._slot_of[stream] = self._next_slot
        self._slots[self._next_slot][stream] = None
        if isinstance(stream, TableStream):
            self._tables.setdefault(stream.game_id, {})[stream] = None
        elif isinstance(stream, LobbyStream):
            self._lobby[stream] = None

    def remove(self, stream: Stream) -> None:
        """Forget a stream; doing so twice does no harm."""
        slot = self._slot_of.pop(stream, None)
        if slot is None:
            return
        del self._slots[slot][stream]
        self._discount(stream.visitor)
        if isinstance(stream, TableStream):
            at_table = self._tables[stream.game_id]
            del at_table[stream]
            if not at_table:
                del self._tables[stream.game_id]
        elif isinstance(stream, LobbyStream):
            del self._lobby[stream]

    def at(self, game_id: UUID) -> tuple[TableStream, ...]:
        """The streams of a table."""
        return tuple(self._tables.get(game_id, ()))

    def in_lobby(self) -> tuple[LobbyStream, ...]:
        """The streams of the lobby."""
        return tuple(self._lobby)

    def in_slot(self, number: int) -> tuple[Stream, ...]:
        """The streams whose heartbeat is in slot `number`."""
        return tuple(self._slots[number % SLOTS])

    def games(self) -> list[UUID]:
        """The tables that have streams here."""
        return list(self._tables)

    def sessions(self) -> list[UUID]:
        """The sessions whose streams are open here, each once."""
        known = {stream.visitor.session_id for stream in self._slot_of}
        return [session_id for session_id in known if session_id is not None]

    def of_sessions(self, session_ids: Collection[UUID]) -> list[Stream]:
        """The streams of these sessions."""
        return [stream for stream in self if stream.visitor.session_id in session_ids]

    def meant_by(self, dismissal: Dismissal) -> list[Stream]:
        """The streams that match everything that a dismissal names."""
        # Without a table all are checked: sessions are revoked now and then, but streams open all the time.
        streams: Iterable[Stream] = self if dismissal.game_id is None else self.at(dismissal.game_id)
        return [stream for stream in streams if _is_meant(stream.visitor, dismissal)]

    def _count(self, visitor: Visitor) -> None:
        # A household counts as one address: the owner of an IPv6 site has 2**64 of them.
        player_id, address = visitor.player_id, household_of(visitor.address)
        if player_id is not None and self._of_player[player_id] >= self._per_player:
            raise ServiceError(Problem.TOO_MANY, "you have too many streams open", retry_after=_TRY_AGAIN)
        if self._of_address[address] >= self._per_address:
            raise ServiceError(
                Problem.TOO_MANY, "this address has too many streams open", retry_after=_TRY_AGAIN
            )
        self._of_address[address] += 1
        if player_id is not None:
            self._of_player[player_id] += 1

    def _discount(self, visitor: Visitor) -> None:
        _take_one(self._of_address, household_of(visitor.address))
        if visitor.player_id is not None:
            _take_one(self._of_player, visitor.player_id)


def _take_one(counter: "Counter[_Key]", key: _Key) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def _is_meant(visitor: Visitor, dismissal: Dismissal) -> bool:
    return (
        dismissal.player_id in {None, visitor.player_id}
        and dismissal.session_id in {None, visitor.session_id}
        and dismissal.audience in {None, visitor.audience}
    )
