"""Replay one game from its shuffle and its log alone, to compare it with what is stored."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import asyncpg

from cartagena.fairness.shuffle import opening, shuffler
from cartagena.rules.position import NOBODY
from cartagena.rules.refusals import CartagenaError
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.store.rows import milliseconds, past_of
from cartagena.server.store.snapshot import pack
from cartagena.tables.ports import Past
from cartagena.tables.seating import shuffle_of
from cartagena.tables.sheet import MINDER, Sheet, Stage, decode_sheet
from cartagena.tables.table import EventKind, Table, Times

TOLERANCE: Final = dt.timedelta(milliseconds=50)
"""PostgreSQL and this replay keep banks in whole milliseconds, but may round differently."""

_MINDED: Final = {EventKind.EXPIRED: True, EventKind.RESIGNED: True, EventKind.TAKEN_BACK: False}

Row = asyncpg.Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A game as stored: its rows, decoded as little as possible."""

    row: Row = field(repr=False)
    sheet: Sheet = field(repr=False)
    events: tuple[Row, ...] = field(repr=False)
    lines: tuple[Row, ...] = field(repr=False)

    @classmethod
    def of(cls, row: Row, events: list[Row], lines: list[Row]) -> "Stored":
        """Put the rows of a game together."""
        return cls(row=row, sheet=decode_sheet(row["sheet"]), events=tuple(events), lines=tuple(lines))

    @property
    def id(self) -> UUID:
        """The id of the game."""
        game_id: UUID = self.row["game_id"]
        return game_id

    @property
    def cursor(self) -> tuple[int, int]:
        """Where event log and chat end."""
        return self.row["seq"], self.row["chat"]

    def table(self, game: UndoableGame | None) -> Table:
        """The table as a reader of the store would have it, with a game that was replayed."""
        row = self.row
        return Table(
            id=self.id,
            seq=row["seq"],
            chat=row["chat"],
            sheet=self.sheet,
            game=game,
            game_seq=row["seq"],
            turn_seq=row["turn_seq"],
            timeline="",
            times=Times(),
            created=milliseconds(row["created_at"]),
            secret=row["secret"],
        )


class Unplayable(Exception):
    """The log of a game cannot have been written by it."""


class Replay:
    """A game from its deal to the end of its log; `clock_troubles` collects what its clocks did wrong."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self.game: UndoableGame | None = None
        self.turn_seq = 0
        self.snapshot: bytes | None = None
        self.minded = [False] * len(stored.sheet.chairs)
        self.ended = False
        self.clocks = Clocks(stored.sheet)

    def run(self) -> None:
        """Do all that the log says; raises Unplayable."""
        for row in self._stored.events:
            past = past_of(row)
            before = self.awaited()
            try:
                self._do(past)
            except (CartagenaError, ValueError, AssertionError, LookupError) as error:
                raise Unplayable(f"event {past.seq} ({past.kind.name}): {error}") from error
            earns = past.kind is EventKind.ACTED and self.turn_seq == past.seq
            self.clocks.hear(past, row["at"], before, self.awaited(), earns=earns)

    def awaited(self) -> tuple[int, str | None] | None:
        """The seat that is to act and the bot that plays there; None if no choice is awaited."""
        if self.game is None or self.ended:
            return None
        seat = self.game.position.to_act
        if seat == NOBODY:
            return None
        return seat, MINDER if self.minded[seat] else self._stored.sheet.chairs[seat].level

    def _do(self, past: Past) -> None:
        if past.kind is EventKind.BEGAN:
            shuffle = shuffle_of(self._stored.table(None))
            sheet = self._stored.sheet
            self._turn(UndoableGame(opening(shuffle, sheet.rules, len(sheet.chairs))), past.seq)
        elif past.kind is EventKind.ACTED:
            self._act(past)
        elif past.kind is EventKind.UNDONE:
            self._running().undo()
        if past.kind in _MINDED and past.seat is not None:
            self.minded[past.seat] = _MINDED[past.kind]
        two = len(self.minded) == 2  # noqa: PLR2004 - a game of two ends when one of them gives up
        self.ended |= past.kind in (EventKind.ABANDONED, EventKind.CLOSED) or (
            two and past.kind is EventKind.RESIGNED
        )

    def _act(self, past: Past) -> None:
        game = self._running()
        turn = game.position.turn
        awaited = self.awaited()
        if awaited is None or awaited[0] != past.seat or past.code is None:
            raise Unplayable(f"event {past.seq}: seat {past.seat} acts, but {awaited} is to act")
        game.act(past.code, shuffler(shuffle_of(self._stored.table(None)), game.position.renewals))
        if game.events[-1].orders != past.orders:
            raise Unplayable(f"event {past.seq}: the order of cards is not that of the shuffle")
        if game.position.turn != turn or game.position.over:
            self._turn(UndoableGame(game.position), past.seq)
        self.ended |= game.position.over

    def _turn(self, game: UndoableGame, seq: int) -> None:
        self.game, self.turn_seq, self.snapshot = game, seq, pack(game.position)

    def _running(self) -> UndoableGame:
        assert self.game is not None, "no cards have been dealt"
        return self.game

    def differences(self) -> Iterator[str]:
        """Where the store differs from the log."""
        row, awaited = self._stored.row, self.awaited()
        if row["stage"] != self._stored.sheet.stage:
            yield f"the stage is {row['stage']} in one row and {self._stored.sheet.stage} in the other"
        if self.ended != (self._stored.sheet.stage is Stage.OVER):
            yield f"by its log the game is {'over' if self.ended else 'not over'}, its sheet says otherwise"
        if row["to_act"] != (-1 if awaited is None else awaited[0]):
            yield f"seat {row['to_act']} is to act, by the log it is {awaited}"
        if row["turn_seq"] != self.turn_seq:
            yield f"the snapshot is of event {row['turn_seq']}, the turn began with {self.turn_seq}"
        if row["snapshot"] != self.snapshot:
            yield "the snapshot is not where the log leads to"


class Clocks:
    """The banks of a game, charged and filled as the log says."""

    def __init__(self, sheet: Sheet) -> None:
        self._clock = sheet.clock
        self.banks = [0] * len(sheet.chairs)
        self.since: dt.datetime | None = None
        self.seat: int | None = None
        self.expired = 0
        self.troubles: list[str] = []

    @property
    def deadline(self) -> dt.datetime | None:
        """When the running clock runs out, None if none is running."""
        if self.since is None or self.seat is None:
            return None
        return self.since + dt.timedelta(milliseconds=self.banks[self.seat])

    def hear(
        self,
        past: Past,
        at: dt.datetime,
        before: tuple[int, str | None] | None,
        after: tuple[int, str | None] | None,
        *,
        earns: bool,
    ) -> None:
        """Note an event, with the seat to act `before` it and `after` it."""
        if past.kind is EventKind.EXPIRED:
            self.expired += 1
            self._judge_expiry(past, at)
        elif (
            past.kind in (EventKind.ACTED, EventKind.UNDONE)
            and self.deadline
            and at > self.deadline + TOLERANCE
        ):
            self.troubles.append(f"event {past.seq} came in {at - self.deadline} after the clock ran out")
        if self._clock is None:
            return
        settles = before != after or past.kind is EventKind.BEGAN
        if settles:
            self._charge(at, earns=earns)
        if past.kind is EventKind.BEGAN:
            self.banks = [self._clock.bank] * len(self.banks)
        elif past.kind is EventKind.TAKEN_BACK and past.seat is not None:
            self.banks[past.seat] = self._clock.bank
        if settles:
            runs = after is not None and after[1] is None
            self.since, self.seat = (at, after[0]) if runs and after is not None else (None, None)

    def _judge_expiry(self, past: Past, at: dt.datetime) -> None:
        if self.deadline is None:
            self.troubles.append(f"event {past.seq}: a clock ran out that was not running")
        elif self.seat != past.seat:
            self.troubles.append(f"event {past.seq}: seat {past.seat} ran out, {self.seat} was running")
        elif at < self.deadline - TOLERANCE:
            self.troubles.append(f"event {past.seq}: a clock ran out {self.deadline - at} too early")

    def _charge(self, at: dt.datetime, *, earns: bool) -> None:
        if self.since is None or self.seat is None or self._clock is None:
            return
        used = round((at - self.since).total_seconds() * 1000)
        left = max(0, self.banks[self.seat] - used) + (self._clock.increment if earns else 0)
        self.banks[self.seat] = left if self._clock.reset is None else self._clock.reset
