"""The crowd: all open streams of a process, and how many a player or a household may have."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeVar
from uuid import UUID

from cartagena.server.http.client_address import household_of
from cartagena.server.http.streams.ports import Dismissal, Visitor
from cartagena.server.http.streams.stream import LobbyStream, Stream, TableStream
from cartagena.server.shared.errors import Problem, ServiceError

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
