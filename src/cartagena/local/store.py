"""The log of a device: one line of JSON for each event of any table; tables are replayed from it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartagena.messages.replays import AnalysisFound
from cartagena.rules.ruleset import RULES_VERSION
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import redo
from cartagena.tables.ports import Past, Sender
from cartagena.tables.seating import dealt
from cartagena.tables.sheet import Sheet
from cartagena.tables.table import BESIDE_THE_GAME, NO_NEWS, Change, EventKind, News, Table, Times, step

Append: TypeAlias = Callable[[str], Awaitable[None]]
"""Keeps a line of the log for good, before it returns."""

TIMELINE: Final = "device"
Orders: TypeAlias = tuple[tuple[int, ...], ...]


class _Line(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="line"):
    """A line of the log, about one table."""

    table: UUID

    def __repr__(self) -> str:
        # Keep cards and secrets out of anything that prints a line.
        return f"{type(self).__name__}(table={self.table})"


class OpenedLine(_Line, frozen=True, kw_only=True, omit_defaults=True, tag="opened"):
    """A new table."""

    at: int
    rules: int
    sheet: Sheet
    secret: bytes
    player: UUID | None
    key: UUID


class EventLine(_Line, frozen=True, kw_only=True, omit_defaults=True, tag="event"):
    """An event; sheet and secret only if it changed them. `to_act` is whose choice is awaited after it."""

    seq: int
    at: int
    kind: EventKind
    key: UUID
    player: UUID | None = None
    seat: int | None = None
    code: int | None = None
    orders: Orders = ()
    news: News = NO_NEWS
    sheet: Sheet | None = None
    secret: bytes | None = None
    to_act: int | None = None


class AnalysedLine(_Line, frozen=True, kw_only=True, omit_defaults=True, tag="analysed"):
    """The analysis of a game that is over."""

    found: AnalysisFound


class DroppedLine(_Line, frozen=True, kw_only=True, omit_defaults=True, tag="dropped"):
    """A table that is deleted."""


LogLine: TypeAlias = OpenedLine | EventLine | AnalysedLine | DroppedLine


@dataclass(slots=True, kw_only=True)
class KeptTable:
    """What the log says of a table; `table` is how it stands, once somebody has asked."""

    opened: OpenedLine
    sheet: Sheet
    openings: list[OpenedLine] = field(default_factory=list)
    """Every line that opened it, in the order in which they were kept."""
    events: list[EventLine] = field(default_factory=list)
    analysis: AnalysisFound | None = None
    table: Table | None = None

    @property
    def seq(self) -> int:
        """The number of the last event; the opening is number 0."""
        return len(self.events)

    @property
    def last_at(self) -> int:
        """When something last happened here."""
        return self.events[-1].at if self.events else self.opened.at

    @property
    def to_act(self) -> int | None:
        """The seat whose choice is awaited."""
        return self.events[-1].to_act if self.events else None

    def add(self, event: EventLine) -> None:
        """Add an event; one that stands there under the same number was never acknowledged."""
        if not 1 <= event.seq <= self.seq + 1:
            return
        del self.events[event.seq - 1 :]
        self.events.append(event)

    def settle(self) -> None:
        """Find the opening that counts, and the newest sheet, after all lines are read."""
        # Overlapping requests once kept two openings of one table, with different secrets. The game was dealt
        # from the one that its first event was committed to; without an event, the later one was shown last.
        first = next((event.sheet for event in self.events[:1] if event.sheet is not None), None)
        fitting = [line for line in self.openings if first and line.sheet.commitment == first.commitment]
        self.opened = (fitting or self.openings)[-1]
        sheets = (event.sheet for event in reversed(self.events) if event.sheet is not None)
        self.sheet = next(sheets, self.opened.sheet)

    def replayed(self) -> Table:
        """The table as its events leave it."""
        if self.opened.rules > RULES_VERSION:
            raise ServiceError(Problem.UNAVAILABLE, "this game is played by newer rules than are known here")
        if self.table is None:
            table = self._as_opened()
            for event in self.events:
                table = _after(table, event)
            self.table = table
        return self.table

    def _as_opened(self) -> Table:
        opened = self.opened
        return Table(
            id=opened.table,
            seq=0,
            chat=0,
            sheet=opened.sheet,
            game=None,
            game_seq=0,
            turn_seq=0,
            times=Times(),
            timeline=TIMELINE,
            created=opened.at,
            secret=opened.secret,
        )

    def past(self) -> list[Past]:
        """Every event, beginning with the opening."""
        opened = self.opened
        first = Past(
            seq=0,
            kind=EventKind.OPENED,
            code=None,
            orders=(),
            news=News(seat=0, name=opened.sheet.chairs[0].name),
            key=opened.key,
            player=opened.player,
            at=opened.at,
        )
        return [first, *map(_past, self.events)]


def _past(event: EventLine) -> Past:
    return Past(
        seq=event.seq,
        kind=event.kind,
        code=event.code,
        orders=event.orders,
        seat=event.seat,
        news=event.news,
        key=event.key,
        player=event.player,
        at=event.at,
    )


def _after(table: Table, event: EventLine) -> Table:
    sheet = event.sheet or table.sheet
    secret = event.secret or table.secret
    game = None if table.game is None else table.game.fork()
    if event.kind is EventKind.BEGAN:
        game = UndoableGame(dealt(replace(table, sheet=sheet, secret=secret)).position)
    elif game is not None:
        redo(game, _past(event))
    return replace(step(table, event.kind, sheet=sheet, game=game).after, secret=secret)


class LocalStore:
    """Keeps the tables of a device; implements the port `tables.ports.Store`, and `Creations`."""

    def __init__(self, append: Append, now: Callable[[], int], lines: Iterable[str] = ()) -> None:
        self._append = append
        self._now = now
        self._kept: dict[UUID, KeptTable] = {}
        self._claimed: dict[tuple[UUID | None, UUID], UUID] = {}
        """Which table a person's request opened, or is about to open."""
        self._opening = asyncio.Lock()
        for line in lines:
            self._read(line)
        for kept in self._kept.values():
            kept.settle()
            self._claimed.setdefault((kept.opened.player, kept.opened.key), kept.opened.table)

    def _read(self, text: str) -> None:
        try:
            line = _DECODER.decode(text)
        except msgspec.MsgspecError:
            # Torn off when the device went out, so nobody was told of it.
            return
        kept = self._kept.get(line.table)
        match line:
            case OpenedLine():
                kept = self._kept.setdefault(line.table, KeptTable(opened=line, sheet=line.sheet))
                kept.openings.append(line)
            case EventLine() if kept is not None:
                kept.add(line)
            case AnalysedLine() if kept is not None:
                kept.analysis = line.found
            case DroppedLine():
                self._kept.pop(line.table, None)
            case EventLine() | AnalysedLine():
                pass  # of a table that was deleted

    async def _write(self, line: LogLine) -> None:
        try:
            await self._append(_ENCODER.encode(line).decode())
        except Exception as error:
            raise ServiceError(Problem.UNAVAILABLE, "the game cannot be kept on this device") from error

    # What the tables need.

    async def open(self, table_id: UUID, sheet: Sheet, secret: bytes, sender: Sender) -> None:
        """Keep a new table; a table that exists already stays as it is."""
        # Requests may overlap, and while a line is written another one of the table must not be.
        async with self._opening:
            if table_id in self._kept:
                return
            opened = OpenedLine(
                table=table_id,
                at=self._now(),
                rules=RULES_VERSION,
                sheet=sheet,
                secret=secret,
                player=sender.player,
                key=sender.key,
            )
            await self._write(opened)
            self._kept[table_id] = KeptTable(opened=opened, sheet=sheet)
            self._claimed.setdefault((sender.player, sender.key), table_id)

    async def load(self, table_id: UUID) -> Table | None:
        """The table as it stands now, None if it does not exist."""
        kept = self._kept.get(table_id)
        return None if kept is None else kept.replayed()

    async def commit(self, change: Change, sender: Sender) -> Times | None:
        """Write a change; None if another came first."""
        before, after = change.before, change.after
        kept = self._kept.get(after.id)
        if kept is None or kept.seq != before.seq:
            return None
        event = EventLine(
            table=after.id,
            seq=after.seq,
            at=self._now(),
            kind=change.kind,
            key=sender.key,
            player=sender.player,
            seat=change.seat,
            code=change.code,
            orders=change.orders,
            news=change.news,
            sheet=after.sheet if change.sheet_changed else None,
            secret=after.secret if after.secret != before.secret else None,
            to_act=after.to_act,
        )
        await self._write(event)
        kept.add(event)
        kept.sheet = after.sheet
        kept.table = replace(after, times=Times())
        return kept.table.times

    async def is_newest(self, table: Table) -> bool:
        """Whether a table that was read earlier is still current."""
        kept = self._kept.get(table.id)
        return kept is not None and kept.seq == table.seq

    async def past(self, table_id: UUID, after: int, *, beside_after: int = -1) -> list[Past]:
        """The events after number `after`; those beside the game only if they came after `beside_after`."""
        kept = self._kept.get(table_id)
        return [
            event
            for event in ([] if kept is None else kept.past())
            if event.seq > after and (event.seq > beside_after or event.kind not in BESIDE_THE_GAME)
        ]

    async def find_key(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The event that a request left, and whose request it was."""
        kept = self._kept.get(table_id)
        if kept is None:
            return None
        if kept.opened.key == key:
            return 0, kept.opened.player
        return next(((event.seq, event.player) for event in kept.events if event.key == key), None)

    async def claim(self, player: UUID, key: UUID, table_id: UUID) -> UUID:
        """The table that this request stands for: this one, unless the key was used before."""
        return self._claimed.setdefault((player, key), table_id)

    # What else the device keeps.

    def kept(self, table_id: UUID) -> KeptTable | None:
        """What the log says of a table."""
        return self._kept.get(table_id)

    def everything(self) -> Sequence[KeptTable]:
        """Every table that is kept, the last played first."""
        return sorted(self._kept.values(), key=lambda kept: (-kept.last_at, kept.opened.table))

    async def keep_analysis(self, table_id: UUID, found: AnalysisFound) -> None:
        """Keep the analysis of a game."""
        await self._write(AnalysedLine(table=table_id, found=found))
        kept = self._kept.get(table_id)
        if kept is not None:
            kept.analysis = found

    async def drop(self, table_id: UUID) -> None:
        """Forget a table."""
        if table_id in self._kept:
            await self._write(DroppedLine(table=table_id))
            self._kept.pop(table_id, None)
            self._claimed = {
                asked: claimed for asked, claimed in self._claimed.items() if claimed != table_id
            }


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(LogLine)
