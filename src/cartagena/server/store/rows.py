"""Rows of a shard and the values they stand for."""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

import asyncpg
import msgspec

from cartagena.rules.ruleset import RULES_VERSION
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.store.log_compaction import FOLD_AFTER, Folded
from cartagena.server.store.snapshot import pack, unpack
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import redo
from cartagena.tables.ports import ChatLine, Past, Sender
from cartagena.tables.sheet import Sheet, Stage, decode_sheet, encode_sheet
from cartagena.tables.table import NO_NEWS, Change, EventKind, News, Table, Times

Orders = tuple[tuple[int, ...], ...]

Row = asyncpg.Record


def milliseconds(moment: dt.datetime) -> int:
    """A moment of PostgreSQL as milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


def encode_orders(orders: Orders) -> bytes | None:
    """Orders of cards as they are stored; None for an action without any."""
    return msgspec.msgpack.encode([bytes(order) for order in orders]) if orders else None


def decode_orders(data: bytes | None) -> Orders:
    """The orders of cards that were stored."""
    return tuple(tuple(order) for order in _ORDERS.decode(data)) if data else ()


def encode_news(news: News) -> bytes | None:
    """What an event was about, as it is stored."""
    return None if news == NO_NEWS else msgspec.json.encode(news)


def decode_news(data: bytes | None) -> News:
    """What an event was about."""
    return _NEWS.decode(data) if data else NO_NEWS


def table_of(table_id: UUID, row: Row) -> Table:
    """A table from its rows, its running turn replayed from the snapshot."""
    if row["rules_version"] > RULES_VERSION:
        raise ServiceError(Problem.UNAVAILABLE, "this game is played by newer rules than this server knows")
    sheet = decode_sheet(row["sheet"])
    game = _game_of(sheet, row["snapshot"], row["turn"])
    return Table(
        id=table_id,
        seq=row["seq"],
        chat=row["chat"],
        sheet=sheet,
        game=game,
        game_seq=row["seq"] if game is None else max([row["turn_seq"], *(event[0] for event in row["turn"])]),
        turn_seq=row["turn_seq"],
        times=times_of(row, row["to_act"]),
        timeline=row["timeline"],
        created=milliseconds(row["created_at"]),
        secret=row["secret"],
    )


def _game_of(sheet: Sheet, snapshot: bytes | None, turn: Sequence[Sequence[Any]]) -> UndoableGame | None:
    if snapshot is None:
        return None
    game = UndoableGame(unpack(sheet.rules, snapshot))
    for seq, kind, code, orders in turn:
        redo(game, Past(seq=seq, kind=EventKind(kind), code=code, orders=decode_orders(orders)))
    return game


def times_of(row: Row, to_act: int | None) -> Times:
    """The clocks of a row."""
    deadline = row["deadline"]
    return Times(
        banks=tuple(row["banks"]),
        running=to_act if row["ticking"] else None,
        deadline=None if deadline is None else milliseconds(deadline),
        now=milliseconds(row["at"]),
    )


def past_of(row: Row) -> Past:
    """An event from its row."""
    return unfolded(Folded(*(row[name] for name in Folded._fields)), key=row["key"])


def unfolded(event: Folded, key: UUID | None = None) -> Past:
    """An event from the values that are stored of it."""
    return Past(
        seq=event.seq,
        kind=EventKind(event.kind),
        seat=event.seat,
        code=event.code,
        orders=decode_orders(event.orders),
        news=decode_news(event.detail),
        key=key,
        player=event.player,
        at=milliseconds(event.at),
    )


def line_of(row: Row) -> ChatLine:
    """A line of chat from its row."""
    return ChatLine(
        number=row["number"],
        player=row["player"],
        seat=row["seat"],
        name=row["name"],
        text=row["text"],
        at=milliseconds(row["at"]),
        removes=row["removes"],
    )


def wish_of(change: Change, sender: Sender) -> tuple[object, ...]:
    """A change as the values of the commit statement, in the order of its columns."""
    before, after = change.before, change.after
    clock = after.sheet.clock
    position = after.position
    runs = after.to_act is not None and after.bot_to_act is None and clock is not None
    return (
        after.id,
        before.seq,
        change.kind,
        change.seat,
        change.code,
        encode_orders(change.orders),
        encode_news(change.news),
        sender.key,
        sender.player,
        change.guard,
        after.sheet.stage,
        -1 if after.to_act is None else after.to_act,
        after.turn_seq,
        pack(position) if position is not None and after.turn_seq == after.seq else None,
        encode_sheet(after.sheet) if change.sheet_changed else None,
        after.secret if after.secret is not before.secret else None,
        change.settle,
        runs,
        change.tell_directory,
        len(after.sheet.chairs),
        change.refill,
        0 if clock is None else clock.bank,
        clock.increment if clock is not None and turn_ended(change) else 0,
        None if clock is None else clock.reset,
        change.deadline_in,
        _wake_in(after),
        before.timeline,
        change.last_line,
    )


def _wake_in(table: Table) -> int | None:
    """In how many milliseconds a worker must look, whatever the clock says: at once, or to fold the log."""
    if table.sheet.stage is Stage.OVER:
        return FOLD_AFTER // dt.timedelta(milliseconds=1)
    return 0 if table.bot_to_act is not None else None


def turn_ended(change: Change) -> bool:
    """Whether the running clock stops because its seat's turn is over, which earns the increment."""
    return change.kind is EventKind.ACTED and change.after.turn_seq == change.after.seq


def columns_of(wishes: Iterable[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Wishes row by row, transposed into the arrays of the statement."""
    return list(zip(*wishes, strict=True))


_NEWS: Final = msgspec.json.Decoder(News)
_ORDERS: Final = msgspec.msgpack.Decoder(list[bytes])
