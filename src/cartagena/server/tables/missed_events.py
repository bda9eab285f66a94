"""History: the events that an audience missed, retold from the log exactly as they were first told."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from cartagena.rules.game import Event, Game
from cartagena.rules.happenings import Happening
from cartagena.server.tables.frames import NEWS, TableMoment, current, news_message, table_message
from cartagena.server.tables.ports import Past, Store
from cartagena.server.tables.starting import dealt
from cartagena.server.tables.table import EventKind, Table

MOST_AGAIN: Final = 1_000
"""The most events that are retold one by one; even a long game has fewer, unless players are malicious."""
WITHOUT_PAUSE: Final = 100
"""How many events of a log are processed before the event loop gets a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """An event that an audience missed, as its update."""

    seq: int
    frame: bytes


def redo(game: Game, past: Past) -> list[Happening]:
    """Apply a stored event to the game again, if it changed it, and return what happened."""
    if past.kind is EventKind.ACTED:
        assert past.code is not None
        return game.replay(Event(past.code, past.orders))
    if past.kind is EventKind.UNDONE:
        game.undo()
    return []


async def frames_since(store: Store, table: Table, audience: int, seq: int) -> AsyncIterator[Missed]:
    """The frame of every event after `seq` up to the table's own; the last describes the whole table.

    An audience that missed more than MOST_AGAIN gets only the current state of the table.
    """
    if table.seq - seq > MOST_AGAIN:
        yield Missed(seq=table.seq, frame=current(table, audience))
        return
    in_turn = seq >= table.turn_seq and table.game is not None
    log = await store.past(table.id, table.turn_seq if in_turn else -1, beside_after=seq)
    game = Game(table.game.opening) if in_turn and table.game is not None else None
    for number, past in enumerate(log):
        if past.seq > table.seq:
            return
        if number % WITHOUT_PAUSE == 0:
            await asyncio.sleep(0)
        if past.kind is EventKind.BEGAN:
            game = Game(dealt(table).position)
        happened = redo(game, past) if game is not None else []
        if past.seq > seq:
            yield Missed(
                seq=past.seq, frame=_frame(replace(table, seq=past.seq, game=game), past, happened, audience)
            )


def _frame(table: Table, past: Past, happened: list[Happening], audience: int) -> bytes:
    moment = TableMoment(
        table=table,
        happened=happened,
        news=news_message(past.kind, past.news),
        # How the table around the game looked then is not stored, so each frame shows how it looks now.
        around=table_message(table) if _changed_table(table, past.kind) else None,
    )
    return moment.frames([audience])[audience]


def _changed_table(table: Table, kind: EventKind) -> bool:
    """Whether an event changed more than the game: any news but undo, and the action that ends the game."""
    if kind is EventKind.ACTED:
        return table.position is not None and table.position.over
    return kind in NEWS and kind is not EventKind.UNDONE
