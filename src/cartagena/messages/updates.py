"""Updates: what one audience is sent after each event of a table."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Raw, Struct, field

from cartagena.messages.cards import MessageError
from cartagena.messages.happenings import HappeningMessage, happening_message
from cartagena.messages.json_writer import play_json
from cartagena.messages.tables import ClockMessage, NewsKind, NewsMessage, ProblemMessage, TableMessage
from cartagena.messages.views import ViewMessage, view_message
from cartagena.messages.wishes import WishesMessage, wishes_message
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import seen, view
from cartagena.rules.position import NOBODY, Position

VERSION: Final = 1
"""Grows when a reader of the old messages would misread a new one."""

Audience: TypeAlias = int | None
"""A seat, or None for all spectators."""

_Message = TypeVar("_Message")


def _version() -> int:
    return VERSION


def _nothing() -> tuple[()]:
    return ()


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened with event number `seq`, and the view after it.

    `news` tells what happened around the game, and `table` how things stand there if that changed. There
    is no `view` before the deal. The `wishes` are for the seat to act only, and so is `undo`: whether it may
    take its last choice back. A whole state that counts `anew` is to be taken whatever was told before: a
    database was lost, and with it what had been shown and not yet acknowledged.
    """

    # Made by a factory, so that they are never left out though they have a default.
    version: int = field(default_factory=_version)
    seq: int
    news: NewsMessage | None = None
    happened: tuple[HappeningMessage, ...] = field(default_factory=_nothing)
    view: ViewMessage | None = None
    wishes: WishesMessage | None = None
    undo: bool = False
    table: TableMessage | None = None
    clock: ClockMessage | None = None
    anew: bool = False


class ErrorMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every refusal; `current` is the asker's own update that tells where the table really is."""

    error: ProblemMessage
    current: Update | None = None


class TableAnswer(Struct, frozen=True, kw_only=True):
    """A table as the asker sees it: his seat, the invitation code if he sits there, the whole state."""

    id: str
    seat: int | None
    invite: str | None
    current: Update

    @property
    def table(self) -> TableMessage:
        """The table around the game."""
        assert self.current.table is not None, "a whole state has the table"
        return self.current.table


class Reached(Struct, frozen=True, kw_only=True):
    """How far a table is, for a client that a stream tells the rest: an update that is nothing but `seq`."""

    seq: int


class Said(Struct, frozen=True, kw_only=True):
    """The number of a line of chat."""

    number: int


def update_for(  # noqa: PLR0913 - the keys of an update
    seat: Audience,
    seq: int,
    told: Sequence[Happening],
    position: Position,
    *,
    news: NewsMessage | None = None,
    table: TableMessage | None = None,
    clock: ClockMessage | None = None,
    undo: bool = False,
) -> Update:
    """What a seat, or a spectator for None, is sent: made from what it may know and nothing else."""
    awaited = _awaited(position, table) == seat
    return Update(
        seq=seq,
        news=news,
        happened=_heard(told, seat, position.ruleset.family),
        view=view_message(view(position, seat)),
        wishes=wishes_message(position) if awaited else None,
        undo=undo and awaited,
        table=table,
        clock=clock,
    )


def updates_for(  # noqa: PLR0913 - the keys of an update
    position: Position | None,
    seq: int,
    told: Sequence[Happening],
    audiences: Iterable[Audience],
    *,
    news: NewsMessage | None = None,
    table: TableMessage | None = None,
    clock: ClockMessage | None = None,
    undo: bool = False,
) -> dict[Audience, bytes]:
    """What each of several audiences is sent, as JSON: byte for byte that of `update_for`, but sooner.

    There is no position before the deal; then all are sent the same.
    """
    if position is None:
        return dict.fromkeys(audiences, encode(Update(seq=seq, news=news, table=table, clock=clock)))
    play = play_json(position, told, audiences, awaited=_awaited(position, table), undo=undo)
    begins = f'{{"version":{VERSION},"seq":{seq}{_part("news", news)},'
    ends = f"{_part('table', table)}{_part('clock', clock)}}}"
    return {audience: f"{begins}{part}{ends}".encode() for audience, part in play.items()}


def to_be_taken_anew(whole: bytes) -> bytes:
    """A whole state, as it is written, that counts whatever was told before."""
    return whole[:-1] + b',"anew":true}'


def error_body(problem: ProblemMessage, current: bytes | None = None) -> bytes:
    """The JSON of an ErrorMessage whose update is already written."""
    return encode(_Refusal(error=problem, current=None if current is None else Raw(current)))


def encode(message: Struct) -> bytes:
    """An update, or another message, as JSON."""
    return _ENCODER.encode(message)


def decode(data: bytes | str) -> Update:
    """The update of a JSON text; raises MessageError if it is not an update, or of another version.

    News of a kind that this release does not know yet is left out.
    """
    if _is_understood(read(_Envelope, data)):
        return read(Update, data)
    return decoded(read(dict[str, object], data))


def decoded(told: object) -> Update:
    """The update that JSON tells that was read already, as patches need it; raises MessageError."""
    try:
        # A patch may change the version, as it may change everything.
        if not _is_understood(msgspec.convert(told, _Envelope)):
            assert isinstance(told, dict), "it was read as an envelope"
            told = {**told, "news": None}
        return msgspec.convert(told, Update)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise MessageError(str(error)) from error


def read(kind: type[_Message], data: bytes | str) -> _Message:
    """The message of one kind that a JSON text tells; raises MessageError if it is not one."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(str(error)) from error


def _is_understood(envelope: "_Envelope") -> bool:
    """Whether the kind of its news is known here, if it has any; raises MessageError for other versions."""
    version, news = envelope.version, envelope.news
    if version != VERSION:
        raise MessageError(f"this is a message of version {version}; version {VERSION} is understood")
    return news is None or news.kind in _KINDS_OF_NEWS


# Parts of an update.


def _heard(told: Iterable[Happening], audience: Audience, family: str) -> tuple[HappeningMessage, ...]:
    return tuple([happening_message(seen(happening, audience), family) for happening in told])


def _awaited(position: Position, table: TableMessage | None) -> int:
    """The seat whose choice is awaited, if any: a game may be given up before it ends by its rules."""
    return position.to_act if table is None or table.stage == "running" else NOBODY


def _part(key: str, message: Struct | None) -> str:
    """One more key of an update, nothing if there is no such message."""
    return "" if message is None else f',"{key}":{encode(message).decode()}'


class _Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An ErrorMessage on its way out."""

    error: ProblemMessage
    current: Raw | None = None


class _EnvelopedNews(Struct, frozen=True):
    kind: str


class _Envelope(Struct, frozen=True):
    """The part of a message that never changes."""

    version: int
    news: _EnvelopedNews | None = None


_KINDS_OF_NEWS: Final = frozenset(get_args(NewsKind))


_ENCODER: Final = msgspec.json.Encoder()
