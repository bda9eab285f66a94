"""Updates: what one audience is sent after each recorded choice."""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from cartagena.messages.errors import MessageError
from cartagena.messages.happenings import HappeningMessage, happening_message
from cartagena.messages.views import ViewMessage, view_message
from cartagena.messages.wishes import WishMessage, wish_message
from cartagena.rules.explain import wishes
from cartagena.rules.happenings import Happening
from cartagena.rules.position import Position
from cartagena.rules.seen import seen
from cartagena.rules.view import view

VERSION: Final = 1
"""Grows when a reader of the old messages would misread a new one."""


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened with choice number `seq`, and the view after it; the wishes only for the seat to act."""

    version: int
    seq: int
    happened: tuple[HappeningMessage, ...]
    view: ViewMessage
    wishes: tuple[WishMessage, ...] | None = None


def update_for(seat: int | None, seq: int, told: Sequence[Happening], position: Position) -> Update:
    """What a seat, or a spectator for None, is sent: made from what it may know and nothing else."""
    family = position.ruleset.family
    return Update(
        version=VERSION,
        seq=seq,
        happened=tuple(happening_message(seen(happening, seat), family) for happening in told),
        view=view_message(view(position, seat)),
        wishes=tuple(wish_message(wish, family) for wish in wishes(position))
        if position.to_act == seat
        else None,
    )


def encode(update: Update) -> bytes:
    """An update as JSON."""
    return _ENCODER.encode(update)


def decode(data: bytes | str) -> Update:
    """The update of a JSON text; raises MessageError if it is none, or of another version."""
    try:
        version = _ENVELOPES.decode(data).version
        if version != VERSION:
            raise MessageError(f"this is a message of version {version}; version {VERSION} is understood")
        return _UPDATES.decode(data)
    except msgspec.MsgspecError as error:
        raise MessageError(str(error)) from error


class _Envelope(Struct, frozen=True):
    """The part of a message that never changes."""

    version: int


_ENCODER: Final = msgspec.json.Encoder()
_UPDATES: Final = msgspec.json.Decoder(Update)
_ENVELOPES: Final = msgspec.json.Decoder(_Envelope)
