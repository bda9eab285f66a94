"""Records of a table's game: as a text that can be verified after the end, and step by step."""

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec.structs import replace as with_fields

from cartagena.fairness.record import headers_of_shuffle
from cartagena.messages.happenings import happening_message
from cartagena.messages.memories import MemoryMessage
from cartagena.messages.replays import ReplayMessage, ReplayStep, view_change
from cartagena.messages.studies import MOST_ACTIONS
from cartagena.messages.views import ViewMessage, view_message
from cartagena.notation import parse_record, record_of, record_of_view
from cartagena.notation.record import Ending, Headers, Record, Result
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.position import Position
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.audience_ids import seat_of_audience
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import redo, table_message
from cartagena.tables.ports import Aside, Past, Store, here
from cartagena.tables.seating import dealt, shuffle_of
from cartagena.tables.sheet import Sheet, Stage
from cartagena.tables.table import EventKind, Table


async def record_for(store: Store, table: Table, audience: int, *, aside: Aside = here) -> Record:
    """What an audience may read of a table's game: all of it after the end, only its own view before."""
    record = await whole_record(store, table, aside=aside)
    return await aside(lambda: record_of_view(record, seat_of_audience(audience)))


async def whole_record(store: Store, table: Table, *, aside: Aside = here) -> Record:
    """The whole game with everything that proves its shuffle; raises WRONG_STAGE before the deal."""
    return await Recorder(table).record(store, table, aside=aside)


class Recorder:
    """The record of one table's game, which is read on from where it was read last."""

    def __init__(self, table: Table) -> None:
        if table.game is None:
            raise ServiceError(Problem.WRONG_STAGE, "the cards of this table have not been dealt")
        self._begun: tuple[UndoableGame, Headers] | None = None
        self._read = -1
        self._reading = asyncio.Lock()

    async def record(self, store: Store, table: Table, *, aside: Aside = here) -> Record:
        """The whole game up to this state of its table."""
        async with self._reading:
            log = await store.past(table.id, self._read, beside_after=table.seq)
            # A long game, or a branch late in one, takes a while.
            return await aside(lambda: self._read_on(table, log))

    def _read_on(self, table: Table, log: Sequence[Past]) -> Record:
        game, headers = self._begun or (dealt(table), _headers(table))
        for past in log:
            if past.seq > table.seq:
                break
            if past.kind is EventKind.BEGAN:
                date = dt.datetime.fromtimestamp(past.at / 1000, tz=dt.UTC).date()
                headers = replace(headers, date=date)
            redo(game, past)
            self._read = past.seq
        self._begun = game, headers
        return record_of(game, headers, _result(table.sheet))


def _headers(table: Table) -> Headers:
    sheet, names = table.sheet, tuple(chair.name for chair in table.sheet.chairs)
    if sheet.branch is None or not sheet.branch.record:
        return headers_of_shuffle(shuffle_of(table), sheet.rules, names)
    return replace(parse_record(sheet.branch.record).headers, names=names, date=None)


def _result(sheet: Sheet) -> Result:
    if sheet.stage is not Stage.OVER or sheet.ending is None:
        return Result(Ending.RUNNING)
    return Result(Ending(sheet.ending), sheet.winner)


async def require_short(store: Store, table: Table) -> None:
    """Raise UNFIT for a game of more actions than anybody looks into; what was undone does not count."""
    branch = table.sheet.branch
    before = 0 if branch is None else len(branch.codes)
    if branch is not None and branch.record:
        before = len(parse_record(branch.record).steps)
    if before + table.seq <= MOST_ACTIONS:
        return
    kinds = Counter(past.kind for past in await store.past(table.id, -1, beside_after=table.seq))
    if before + kinds[EventKind.ACTED] - kinds[EventKind.UNDONE] > MOST_ACTIONS:
        raise ServiceError(Problem.UNFIT, f"a game of more than {MOST_ACTIONS} actions is not analysed")


Look: TypeAlias = Callable[[Position], View]
"""What the reader may know of a position."""
Hear: TypeAlias = Callable[[Happening], Happening]
"""What the reader is told of a happening."""

_NO_MEMORY: Final = MemoryMessage(discard="", hands=(), log="")
_CARDS: Final = 16
"""A chosen trim is one number: its seat times this, and the card."""


async def replay_for(
    store: Store, table: Table, audience: int, *, analysis: bool, aside: Aside
) -> ReplayMessage:
    """The game for an audience: with open hands after the end, before that as the audience saw it.

    Raises WRONG_STAGE before the deal. Undone actions are left out, as in the record.
    `analysis` is passed through.
    """
    seat = seat_of_audience(audience)
    record = await whole_record(store, table, aside=aside)
    return await aside(lambda: _told(table, record, seat, analysis=analysis))


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
