"""The messages of the bus, how they are encoded, and the few subjects under which they travel."""

import re
from typing import Any, Final, Literal, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from cartagena.rules.refusals import CartagenaError
from cartagena.tables.ids import bucket_of

VERSION: Final = 1
"""Grows when a node of the old version would misread a message; a new field at the end does not count."""


class BusMessage(Struct, frozen=True, kw_only=True, array_like=True):
    """A message on the bus: one of the kinds below."""


AnnouncementKind = Literal["update", "chat"]


class Announcement(BusMessage, frozen=True, kw_only=True, array_like=True):
    """Something happened at a table: what each audience is told, made before it left its process.

    `frames` has the JSON for each audience, by its number; an audience that is missing is told nothing. An
    update is number `seq` of its game, a line of chat number `chat`.
    """

    game_id: UUID
    seq: int
    chat: int
    kind: AnnouncementKind
    frames: dict[int, bytes]
    trace: bytes | None = None
    """The trace to go on with (`tracing.spans`), if this change is traced."""

    def __repr__(self) -> str:
        # The frames of a seat tell its hidden cards, and a repr may end up in a log.
        return f"Announcement({self.kind} {self.seq}.{self.chat} of {self.game_id} for {sorted(self.frames)})"


class Closing(BusMessage, frozen=True, kw_only=True, array_like=True):
    """Streams must end now, with a code that says why: all those that match every field that is given."""

    code: str
    game_id: UUID | None = None
    player_id: UUID | None = None
    session_id: UUID | None = None
    audience: int | None = None

    def __post_init__(self) -> None:
        if (self.game_id, self.player_id, self.session_id) == (None, None, None):
            raise ValueError("a closing names a table, a player or a session")


class Wake(BusMessage, frozen=True, kw_only=True, array_like=True, repr_omit_defaults=True):
    """A bot is to act, or a clock runs out, in a game of this bucket; `game_id` is given if it is traced."""

    bucket: int
    game_id: UUID | None = None
    trace: bytes | None = None


class LobbyChange(BusMessage, frozen=True, kw_only=True, array_like=True):
    """The lobby has changed; `frame` is the change as JSON, for everybody."""

    frame: bytes


class Attendance(NamedTuple):
    """The seats from which a table is followed, and the number of spectators."""

    game_id: UUID
    seats: tuple[int, ...]
    watchers: int


class PresenceReport(BusMessage, frozen=True, kw_only=True, array_like=True):
    """Who is at some tables, by the streams of one node; `asks` requests the same from the other nodes."""

    node: bytes
    tables: tuple[Attendance, ...]
    asks: bool


class PlayerChange(BusMessage, frozen=True, kw_only=True, array_like=True):
    """What concerns these players is to be read anew: where they sit, or who challenges them."""

    players: tuple[UUID, ...]


AnyMessage = TypeVar("AnyMessage", bound=BusMessage)


class UnreadableMessage(CartagenaError):
    """Bytes that are not a message of this version."""


def pack(message: BusMessage) -> bytes:
    """A message as bytes: its version, then msgpack."""
    return _VERSION + _ENCODER.encode(message)


def unpack(kind: type[AnyMessage], data: bytes) -> AnyMessage:
    """Decode a message; raises UnreadableMessage if `data` is not of this kind and version.

    >>> unpack(Wake, pack(Wake(bucket=7)))
    Wake(bucket=7)
    """
    if data[:1] != _VERSION:
        raise UnreadableMessage(f"a message of version {data[:1].hex()}; version {VERSION} is understood")
    try:
        message: AnyMessage = _DECODERS[kind].decode(memoryview(data)[1:])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        # The original error would quote what it found, and that may be a hidden card.
        raise UnreadableMessage(f"no {kind.__name__}") from None
    return message


_VERSION: Final = bytes([VERSION])
_ENCODER: Final = msgspec.msgpack.Encoder(uuid_format="bytes")
# Each kind has the decoder that returns it, which the type of a dictionary cannot express.
_DECODERS: Final[dict[type[BusMessage], msgspec.msgpack.Decoder[Any]]] = {
    kind: msgspec.msgpack.Decoder(kind)
    for kind in (Announcement, Closing, Wake, LobbyChange, PresenceReport, PlayerChange)
}

PARTITIONS: Final = 64
"""How many names the tables are spread over; all announcements of one game have the same name."""

_PREFIX: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


class Subjects:
    """The names under one prefix; nodes with another prefix hear none of these messages.

    >>> Subjects("cartagena").of(Wake(bucket=7))
    'cartagena.wakes'
    """

    def __init__(self, prefix: str) -> None:
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(f"a prefix is made of letters, digits, dots, - and _, not {prefix!r}")
        self._names: dict[type[BusMessage], tuple[str, ...]] = {
            Announcement: tuple(f"{prefix}.tables.{number}" for number in range(PARTITIONS)),
            Closing: (f"{prefix}.closings",),
            Wake: (f"{prefix}.wakes",),
            LobbyChange: (f"{prefix}.lobby",),
            PresenceReport: (f"{prefix}.presence",),
            PlayerChange: (f"{prefix}.players",),
        }

    def of(self, message: BusMessage) -> str:
        """The name under which a message travels."""
        names = self._names[type(message)]
        if isinstance(message, Announcement):
            return names[bucket_of(message.game_id) % PARTITIONS]
        return names[0]

    def all_of(self, kind: type[BusMessage]) -> tuple[str, ...]:
        """Every name under which messages of a kind travel."""
        return self._names[kind]
