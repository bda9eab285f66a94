"""Records of a table's game: as a text that can be verified after the end, and step by step."""

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec.structs import replace as with_fields

from cartagena.fairness.record import headers_of_shuffle
from cartagena.messages.happenings import happening_message
from cartagena.messages.memories import MemoryMessage
from cartagena.messages.replays import ReplayMessage, ReplayStep, view_change
from cartagena.messages.views import ViewMessage, view_message
from cartagena.notation import record_of, record_of_view
from cartagena.notation.record import Ending, Record, Result
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.position import Position
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.shared.callers import seat_of_audience
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.frames import WITHOUT_PAUSE, redo, table_message
from cartagena.server.tables.ports import Store
from cartagena.server.tables.seating import dealt, shuffle_of
from cartagena.server.tables.sheet import Sheet, Stage
from cartagena.server.tables.table import EventKind, Table


async def record_for(store: Store, table: Table, audience: int) -> Record:
    """What an audience may read of a table's game: all of it after the end, only its own view before."""
    record = await whole_record(store, table)
    return record_of_view(record, seat_of_audience(audience))


async def whole_record(store: Store, table: Table) -> Record:
    """The whole game with everything that proves its shuffle; raises WRONG_STAGE before the deal."""
    if table.game is None:
        raise ServiceError(Problem.WRONG_STAGE, "the cards of this table have not been dealt")
    sheet = table.sheet
    game = dealt(table)
    date: dt.date | None = None
    for number, past in enumerate(await store.past(table.id, -1, beside_after=table.seq)):
        if past.seq > table.seq:
            break
        if number % WITHOUT_PAUSE == 0:
            await asyncio.sleep(0)
        if past.kind is EventKind.BEGAN:
            date = dt.datetime.fromtimestamp(past.at / 1000, tz=dt.UTC).date()
        redo(game, past)
    names = [chair.name for chair in sheet.chairs]
    headers = replace(headers_of_shuffle(shuffle_of(table), sheet.rules, names), date=date)
    return record_of(game, headers, _result(sheet))


def _result(sheet: Sheet) -> Result:
    if sheet.stage is not Stage.OVER or sheet.ending is None:
        return Result(Ending.RUNNING)
    return Result(Ending(sheet.ending), sheet.winner)


Look: TypeAlias = Callable[[Position], View]
"""What the reader may know of a position."""
Hear: TypeAlias = Callable[[Happening], Happening]
"""What the reader is told of a happening."""

_NO_MEMORY: Final = MemoryMessage(discard="", hands=(), log="")
_CARDS: Final = 16
"""A chosen trim is one number: its seat times this, and the card."""


async def replay_for(store: Store, table: Table, audience: int, *, analysis: bool) -> ReplayMessage:
    """The game for an audience: with open hands after the end, before that as the audience saw it.

    Raises WRONG_STAGE before the deal. Undone actions are left out, as in the record.
    `analysis` is passed through.
    """
    seat = seat_of_audience(audience)
    record = await whole_record(store, table)
    # A long game takes a tenth of a second, which would keep other requests waiting.
    return await asyncio.to_thread(_told, table, record, seat, analysis=analysis)


def _told(table: Table, record: Record, seat: int | None, *, analysis: bool) -> ReplayMessage:
    game, over = begin(record.headers), table.sheet.stage is Stage.OVER
    telling = Telling(
        game,
        look=everything if over else lambda position: view(position, seat),
        hear=(lambda told: told) if over else lambda told: seen(told, seat),
    )
    # What the reader may know of the codes is decided where records of views are made.
    codes = [step.code for step in record_of_view(record, seat).steps]
    steps = tuple(
        telling.step(step.turn, step.seat, code, replay_step(game, step))
        for step, code in zip(record.steps, codes, strict=True)
    )
    return ReplayMessage(
        seat=seat, table=table_message(table), first=telling.first, steps=steps, analysis=analysis
    )


class Telling:
    """Tells one reader a game while it is replayed."""

    def __init__(self, game: UndoableGame, *, look: Look, hear: Hear) -> None:
        self._game, self._look, self._hear = game, look, hear
        self.first = self._before = self._view()

    def _view(self) -> ViewMessage:
        told = view_message(self._look(self._game.position))
        return with_fields(told, legal=None, memory=_NO_MEMORY)

    def step(self, turn: int, seat: int, code: int | None, happened: Sequence[Happening]) -> ReplayStep:
        """An action that was just played, with what it changed."""
        family, before, after = self._game.position.ruleset.family, self._before, self._view()
        self._before = after
        return ReplayStep(
            turn=turn,
            seat=seat,
            code=code,
            happened=tuple(happening_message(self._hear(told), family) for told in happened),
            changed=view_change(before, after),
        )


def everything(position: Position) -> View:
    """A position with nothing hidden but the stock, which the record has; for after the end."""
    return view(position, None)._replace(
        hands=tuple(tuple(crew.cards()) for crew in position.crews),
        trimmed=tuple(divmod(choice, _CARDS) for choice in position.trimmed),
    )
