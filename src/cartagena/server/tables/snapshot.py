"""Snapshots: a position as bytes, so that a table is loaded in one read and replays only its running turn."""

from typing import Final

import msgspec

from cartagena.rules.board import Board
from cartagena.rules.crew import Crew, Crowd
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset

FORMAT: Final = 1
"""Grows when an attribute comes or goes; a reader of the old number stays."""

CROWD: Final = ("first", "second", "third")
CREW: Final = (*CROWD, "at_start", "aboard", "home", "most_home", "hand", "gold")
NUMBERS: Final = (
    "row_head",
    "stock_top",
    "seat",
    "actions_used",
    "dock",
    "crossing_open",
    "phase",
    "trimmer",
    "order_due",
    "laying",
    "owed",
    "turn",
    "last_progress",
    "renewals",
    "barriers",
    "ending",
    "winner",
)
LISTS: Final = ("discard", "trimmed", "log")


class SnapshotError(ValueError):
    """Bytes that are no snapshot of this program, or of a newer one."""


class _Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """The attributes of a position in the order of the tuples above."""

    format: int
    board: bytes
    order: bytes
    crowd: tuple[int, ...]
    crews: tuple[tuple[int, ...], ...]
    numbers: tuple[int | bool, ...]
    lists: tuple[list[int], ...]


def pack(position: Position) -> bytes:
    """A position as bytes; its ruleset is kept elsewhere, because it never changes."""
    return _ENCODER.encode(
        _Snapshot(
            format=FORMAT,
            board=bytes(position.board.signs),
            order=position.order,
            crowd=_values(position.crowd, CROWD),
            crews=tuple(_values(crew, CREW) for crew in position.crews),
            numbers=_values(position, NUMBERS),
            lists=tuple(getattr(position, name) for name in LISTS),
        )
    )


def unpack(ruleset: Ruleset, data: bytes) -> Position:
    """The position that was packed; raises SnapshotError if this program cannot read it."""
    try:
        packed = _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise SnapshotError(str(error)) from error
    if packed.format != FORMAT:
        raise SnapshotError(f"a snapshot of format {packed.format}; format {FORMAT} is understood")
    crews = [Crew() for _ in packed.crews]
    for crew, values in zip(crews, packed.crews, strict=True):
        _fill(crew, CREW, values)
    position = Position(ruleset, Board(ruleset.family, tuple(packed.board)), crews)
    position.order = packed.order
    _fill(position.crowd, CROWD, packed.crowd)
    _fill(position, NUMBERS, packed.numbers)
    for name, cards in zip(LISTS, packed.lists, strict=True):
        setattr(position, name, cards)
    position.mover = crews[position.seat]
    return position


def _values(thing: Position | Crowd, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(getattr(thing, name) for name in names)


def _fill(thing: Position | Crowd, names: tuple[str, ...], values: tuple[int, ...]) -> None:
    for name, value in zip(names, values, strict=True):
        setattr(thing, name, value)


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_Snapshot)
