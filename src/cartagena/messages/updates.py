"""Updates: what one audience is sent after each event of a table."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct, field
from msgspec.structs import replace

from cartagena.messages.errors import MessageError
from cartagena.messages.happenings import HappeningMessage, happening_message
from cartagena.messages.tables import ClockMessage, NewsMessage, ProblemMessage, TableMessage
from cartagena.messages.views import ViewMessage, view_message
from cartagena.messages.wishes import WishesMessage, wishes_message
from cartagena.rules.happenings import Happening
from cartagena.rules.play import legal
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.seen import seen
from cartagena.rules.view import view

VERSION: Final = 1
"""Grows when a reader of the old messages would misread a new one."""

Audience: TypeAlias = int | None
"""A seat, or None for everybody who only watches."""

_Message = TypeVar("_Message", bound=Struct)


def _version() -> int:
    return VERSION


def _nothing() -> tuple[()]:
    return ()


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened with event number `seq`, and the view after it.

    `news` tells what happened around the game, and `table` how things stand there if that changed. There
    is no `view` before the deal. The `wishes` are for the seat to act only.
    """

    # Made by a factory, so that they are never left out though they have a default.
    version: int = field(default_factory=_version)
    seq: int
    news: NewsMessage | None = None
    happened: tuple[HappeningMessage, ...] = field(default_factory=_nothing)
    view: ViewMessage | None = None
    wishes: WishesMessage | None = None
    table: TableMessage | None = None
    # The last one, since `with_clock` puts it there.
    clock: ClockMessage | None = None


class ErrorMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every refusal; `current` is the asker's own update that tells where the table really is."""

    error: ProblemMessage
    current: Update | None = None


def update_for(
    seat: Audience,
    seq: int,
    told: Sequence[Happening],
    position: Position,
    *,
    news: NewsMessage | None = None,
    table: TableMessage | None = None,
) -> Update:
    """What a seat, or a spectator for None, is sent: made from what it may know and nothing else."""
    return Update(
        seq=seq,
        news=news,
        happened=_heard(told, seat, position.ruleset.family),
        view=view_message(view(position, seat)),
        wishes=wishes_message(position) if _awaited(position, table) == seat else None,
        table=table,
    )


def updates_for(
    position: Position | None,
    seq: int,
    told: Sequence[Happening],
    audiences: Iterable[Audience],
    *,
    news: NewsMessage | None = None,
    table: TableMessage | None = None,
) -> dict[Audience, bytes]:
    """What each of several audiences is sent, as JSON: byte for byte that of `update_for`, but sooner.

    There is no position before the deal; then all are sent the same.
    """
    public = Update(seq=seq, news=news, table=table)
    if position is None:
        return dict.fromkeys(audiences, encode(public))
    awaited = _awaited(position, table)
    look = _look_of_open_hands(position) if position.ruleset.hands_open else partial(_look, position)
    return {
        audience: encode(
            replace(
                public,
                happened=_heard(told, audience, position.ruleset.family),
                view=look(audience),
                wishes=wishes_message(position) if audience == awaited else None,
            )
        )
        for audience in audiences
    }


def with_clock(frame: bytes, clock: ClockMessage) -> bytes:
    """An encoded update that has no clock yet, with a clock: what is only known when all else is written."""
    assert _CLOCK not in frame, "an update has one clock"
    return b"".join((frame[:-1], b',"clock":', _ENCODER.encode(clock), b"}"))


def error_body(problem: ProblemMessage, current: bytes | None = None) -> bytes:
    """The JSON of an ErrorMessage whose update is already written."""
    return encode(_Refusal(error=problem, current=None if current is None else Raw(current)))


def encode(message: Struct) -> bytes:
    """An update, or another message, as JSON."""
    return _ENCODER.encode(message)


def decode(data: bytes | str) -> Update:
    """The update of a JSON text; raises MessageError if it is none, or of another version."""
    version = read(_Envelope, data).version
    if version != VERSION:
        raise MessageError(f"this is a message of version {version}; version {VERSION} is understood")
    return read(Update, data)


def read(kind: type[_Message], data: bytes | str) -> _Message:
    """The message of one kind that a JSON text tells; raises MessageError if it is none."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise MessageError(str(error)) from error


# Parts of an update.


def _heard(told: Iterable[Happening], audience: Audience, family: str) -> tuple[HappeningMessage, ...]:
    return tuple([happening_message(seen(happening, audience), family) for happening in told])


def _awaited(position: Position, table: TableMessage | None) -> int:
    """The seat whose choice is awaited, if any: a game may be given up before it ends by its rules."""
    return position.to_act if table is None or table.stage == "running" else NOBODY


def _look(position: Position, audience: Audience) -> ViewMessage:
    return view_message(view(position, audience))


def _look_of_open_hands(position: Position) -> Callable[[Audience], ViewMessage]:
    """Views of a game with open hands, all made from what a spectator sees, who knows least.

    R7.3: no hand is hidden, so that there is nothing for a memory to keep, and a game with open hands knows
    no trim: a seat's view is the spectator's, but for its number and the choices it has.
    """
    public = _look(position, None)

    def look(audience: Audience) -> ViewMessage:
        if audience is None:
            return public
        if audience not in range(position.seats):
            raise PositionError(f"there is no seat {audience!r} to look from")
        choices = tuple(legal(position)) if audience == position.to_act else None
        return replace(public, seat=audience, legal=choices)

    return look


class _Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An ErrorMessage on its way out."""

    error: ProblemMessage
    current: Raw | None = None


class _Envelope(Struct, frozen=True):
    """The part of a message that never changes."""

    version: int


_ENCODER: Final = msgspec.json.Encoder()
_CLOCK: Final = b'"clock":{"banks":'
