"""Snapshots: a position as bytes, so that a table is loaded in one read and replays only its running turn."""

from functools import cache
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from cartagena.rules.board import Board, BoardError
from cartagena.rules.crew import Crew, Crowd
from cartagena.rules.laws import broken_law
from cartagena.rules.places import PLACES
from cartagena.rules.position import (
    CHANCE,
    LOG_DREW,
    LOG_LAID,
    LOG_RENEWED,
    LOG_TAKEN_BACK,
    NOBODY,
    QUIET,
    Position,
)
from cartagena.rules.ruleset import CREW_SIZE, FEWEST_SEATS, GOLD, MOST_SEATS, Ruleset

FORMAT: Final = 1
"""Grows when an attribute is added or removed; a reader of the old format stays."""

_MOST_CARDS: Final = 105
_CARDS: Final = frozenset(range(2 * GOLD))

# The compiled engine takes no number of more than 64 bits, and the laws count no sign beyond 255.
_Number = Annotated[int, Meta(ge=0, lt=1 << 62)]
_Pirates = Annotated[int, Meta(ge=0, le=CREW_SIZE)]
_Places = Annotated[int, Meta(ge=0, lt=1 << PLACES)]
_Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
_FewCards = Annotated[int, Meta(ge=0, le=_MOST_CARDS)]
_Cards = Annotated[list[int], Meta(max_length=_MOST_CARDS)]


class SnapshotError(ValueError):
    """Bytes that cannot be read as a snapshot of this format."""


class _Array(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Attributes as an array, in the order of the fields."""


class _Crowd(_Array, frozen=True, array_like=True, forbid_unknown_fields=True):
    first: _Places
    second: _Places
    third: _Places


class _Crew(_Crowd, frozen=True, array_like=True, forbid_unknown_fields=True):
    at_start: _Pirates
    aboard: _Pirates
    home: _Pirates
    most_home: _Pirates
    hand: _Number
    gold: Annotated[int, Meta(ge=0, lt=1 << GOLD)]


class _Numbers(_Array, frozen=True, array_like=True, forbid_unknown_fields=True):
    row_head: _Number
    stock_top: _Number
    seat: _Seat
    actions_used: _Number
    dock: _Number
    crossing_open: bool
    phase: _Number
    trimmer: _Seat
    order_due: bool
    laying: bool
    owed: _FewCards
    turn: _Number
    last_progress: _Number
    renewals: _Number
    barriers: _Number
    ending: Annotated[int, Meta(ge=0, le=QUIET)]
    winner: Annotated[int, Meta(ge=NOBODY, lt=MOST_SEATS)]


class _Lists(_Array, frozen=True, array_like=True, forbid_unknown_fields=True):
    discard: _Cards
    trimmed: _Cards
    log: list[int]


class _Format(Struct, frozen=True, array_like=True):
    """The beginning of a snapshot in any format."""

    format: int


class _Snapshot(_Array, frozen=True, array_like=True, forbid_unknown_fields=True):
    format: int
    board: bytes
    order: bytes
    crowd: _Crowd
    crews: Annotated[tuple[_Crew, ...], Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]
    numbers: _Numbers
    lists: _Lists


_AnyArray = TypeVar("_AnyArray", bound=_Array)

CROWD: Final = _Crowd.__struct_fields__
CREW: Final = _Crew.__struct_fields__
NUMBERS: Final = _Numbers.__struct_fields__
LISTS: Final = _Lists.__struct_fields__


def pack(position: Position) -> bytes:
    """A position as bytes; its ruleset is kept elsewhere, because it never changes."""
    return _ENCODER.encode(
        _Snapshot(
            format=FORMAT,
            board=bytes(position.board.signs),
            order=position.order,
            crowd=_taken(_Crowd, position.crowd),
            crews=tuple(_taken(_Crew, crew) for crew in position.crews),
            numbers=_taken(_Numbers, position),
            lists=_taken(_Lists, position),
        )
    )


def unpack(ruleset: Ruleset, data: bytes) -> Position:
    """The position that was packed; raises SnapshotError if it cannot be read, or cannot occur in a game."""
    packed = _decoded(data)
    _check_names(packed)
    crews = [Crew() for _ in packed.crews]
    for crew, values in zip(crews, packed.crews, strict=True):
        _fill(crew, values)
    try:
        board = Board(ruleset.family, tuple(packed.board))
    except BoardError as error:
        raise SnapshotError(str(error)) from error
    position = Position(ruleset, board, crews)
    position.order = packed.order
    _fill(position.crowd, packed.crowd)
    _fill(position, packed.numbers)
    _fill(position, packed.lists)
    position.mover = crews[position.seat]
    law = broken_law(position)
    if law is not None:
        raise SnapshotError(law)
    return position


def _decoded(data: bytes) -> _Snapshot:
    try:
        said = _FORMAT_DECODER.decode(data).format
        if said != FORMAT:
            raise SnapshotError(f"a snapshot of format {said}; format {FORMAT} is understood")
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise SnapshotError(str(error)) from error


def _check_names(packed: _Snapshot) -> None:
    """Check that every seat and card named by a number exists at this table; the laws rely on that."""
    seats, numbers, lists = len(packed.crews), packed.numbers, packed.lists
    if max(numbers.seat, numbers.trimmer, numbers.winner) >= seats or numbers.winner == CHANCE:
        raise SnapshotError("a seat is named that does not play")
    held, logged = _names(seats)
    named = (_CARDS, packed.order), (_CARDS, lists.discard), (held, lists.trimmed), (logged, lists.log)
    if not all(known.issuperset(numbers) for known, numbers in named):
        raise SnapshotError("a card is named that does not exist")


@cache
def _names(seats: int) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers that stand for a card of a seat, and all numbers that the log may hold."""
    held = frozenset(16 * seat + card for seat in range(seats) for card in _CARDS)
    marks = (LOG_DREW, LOG_LAID, LOG_TAKEN_BACK)
    return held, frozenset([LOG_RENEWED, *(mark + one for mark in marks for one in held)])


def _taken(kind: type[_AnyArray], thing: Position | Crowd) -> _AnyArray:
    return kind(*(getattr(thing, name) for name in kind.__struct_fields__))


def _fill(thing: Position | Crowd, values: _Array) -> None:
    for name in values.__struct_fields__:
        setattr(thing, name, getattr(values, name))


_ENCODER: Final = msgspec.msgpack.Encoder()
_FORMAT_DECODER: Final = msgspec.msgpack.Decoder(_Format)
_DECODER: Final = msgspec.msgpack.Decoder(_Snapshot)
