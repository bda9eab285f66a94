"""A table as the store has it: its sheet, its game, its last event, and how one event leads to the next."""

import enum
from typing import Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from cartagena.rules.happenings import Happening
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.sheet import Chair, Sheet, Stage


class EventKind(enum.IntEnum):
    """The kind of an event; the numbers are stored and never change their meaning."""

    OPENED = 0
    ACTED = 1
    UNDONE = 2
    SAT = 3
    LEFT = 4
    KICKED = 5
    BOT_ADDED = 6
    BOT_REMOVED = 7
    SETTINGS_CHANGED = 8
    REORDERED = 9
    PROMISED = 10
    STARTED = 11
    NONCE_SHOWN = 12
    CALLED_OFF = 13
    BEGAN = 14
    RESIGNED = 15
    EXPIRED = 16
    TAKEN_BACK = 17
    ABANDON_ASKED = 18
    ABANDON_WITHDRAWN = 19
    ABANDONED = 20
    REMATCH = 21
    MUTED = 22
    UNMUTED = 23
    CLOSED = 24
    RENAMED = 25


BESIDE_THE_GAME: Final = frozenset(
    {
        EventKind.ABANDON_ASKED,
        EventKind.ABANDON_WITHDRAWN,
        EventKind.REMATCH,
        EventKind.MUTED,
        EventKind.UNMUTED,
        EventKind.RENAMED,
    }
)
"""Kinds that leave the game and its players as they are, so no player's choice becomes stale."""


class TimeGuard(enum.IntEnum):
    """What the clock must say for an event to count; the store, which owns the time, checks it."""

    ANY_TIME = 0
    IN_TIME = 1
    EXPIRED = 2


EVERY_SEAT: Final = -1
"""The value of `Change.refill` that fills all banks."""


class Times(Struct, frozen=True, kw_only=True):
    """The clocks as the store last reported them: each seat's time left, who is running, until when (ms)."""

    banks: tuple[int, ...] = ()
    running: int | None = None
    deadline: int | None = None
    now: int = 0


class Table(Struct, frozen=True, kw_only=True):
    """A table at `seq`; its game is None before the deal, and has not changed since `game_seq`.

    `turn_seq` is the event of the stored snapshot. `timeline` is that of the database when it was read:
    after a failover the database has another one, in which the same seq may be another event.
    """

    id: UUID
    seq: int
    chat: int
    sheet: Sheet
    game: UndoableGame | None
    game_seq: int
    turn_seq: int
    times: Times
    timeline: str
    created: int
    secret: bytes

    def __repr__(self) -> str:
        # Keep secret and cards out of anything that prints a table.
        return f"Table(id={self.id}, seq={self.seq})"

    @property
    def position(self) -> Position | None:
        """Where the game stands, None before the deal."""
        return None if self.game is None else self.game.position

    def stood_at(self, seq: int) -> bool:
        """Whether the game stands as it did at `seq`, whatever has happened beside it since."""
        return self.game_seq <= seq <= self.seq

    @property
    def to_act(self) -> int | None:
        """The seat whose choice is awaited, None if there is none."""
        if self.game is None or self.sheet.stage is not Stage.RUNNING:
            return None
        seat = self.game.position.to_act
        return None if seat == NOBODY else seat

    @property
    def bot_to_act(self) -> str | None:
        """The level of the bot whose choice is awaited, None if it is a person's or no choice is awaited."""
        return None if self.to_act is None else self.sheet.chairs[self.to_act].bot

    def chair(self, seat: int) -> Chair:
        """The chair of a seat; raises UNFIT if the table has no such seat."""
        if not 0 <= seat < len(self.sheet.chairs):
            raise ServiceError(Problem.UNFIT, f"this table has the seats 0 to {len(self.sheet.chairs) - 1}")
        return self.sheet.chairs[seat]

    def require(self, *stages: Stage) -> None:
        """Raise WRONG_STAGE unless the table is at one of these stages."""
        if self.sheet.stage not in stages:
            wanted = " or ".join(stage.name.lower() for stage in stages)
            raise ServiceError(
                Problem.WRONG_STAGE, f"the table is {self.sheet.stage.name.lower()}, not {wanted}"
            )

    def running_game(self) -> UndoableGame:
        """The game while it is running; raises WRONG_STAGE otherwise."""
        self.require(Stage.RUNNING)
        assert self.game is not None
        return self.game


class News(Struct, frozen=True, kw_only=True):
    """What an event was about, besides the action itself; stored with it and told to everybody."""

    seat: int | None = None
    name: str | None = None
    text: str | None = None


NO_NEWS: Final = News()


class Change(Struct, frozen=True, kw_only=True):
    """One event on its way to the store, and the table as it will be once it is stored.

    `settle` stops the running clock and starts the next one. `refill` gives a seat, or every one, a full
    bank. `deadline_in` sets a deadline without a clock, for a start that awaits its numbers.
    """

    kind: EventKind
    before: Table
    after: Table
    seat: int | None = None
    code: int | None = None
    orders: tuple[tuple[int, ...], ...] = ()
    news: News = NO_NEWS
    told: tuple[Happening, ...] = ()
    guard: TimeGuard = TimeGuard.ANY_TIME
    settle: bool = False
    refill: int | None = None
    deadline_in: int | None = None
    tell_directory: bool = False

    def __repr__(self) -> str:
        # Keep orders and cards out of anything that prints a change.
        return f"Change(kind={self.kind!r}, after={self.after!r})"

    @property
    def changes_nothing(self) -> bool:
        """Whether the table stays exactly as it was; then there is no event to store."""
        return (
            self.after.game is self.before.game
            and self.after.sheet == self.before.sheet
            and self.after.secret == self.before.secret
        )

    @property
    def last_line(self) -> int | None:
        """The line of chat that must still be the last: a table that becomes public hides those before."""
        is_published = self.after.sheet.listed and not self.before.sheet.listed
        return self.before.chat if is_published else None

    @property
    def sheet_changed(self) -> bool:
        """Whether the table's cold row must be written as well."""
        return self.after.sheet is not self.before.sheet


MOST_BESIDE: Final = 100
"""The most events beside the game in a row; a table is loaded with all events since its last turn."""


def step(
    before: Table, kind: EventKind, *, sheet: Sheet | None = None, game: UndoableGame | None = None
) -> Change:
    """The change that an event makes; its effect on the clocks follows from who is to act afterwards."""
    seq = before.seq + 1
    sheet = before.sheet if sheet is None else sheet
    turned = game is not None and has_turned(before.game, game)
    beside = kind in BESIDE_THE_GAME and before.game is not None
    after = replace(
        before,
        seq=seq,
        sheet=sheet,
        game=before.game if game is None else UndoableGame(game.position) if turned else game,
        game_seq=before.game_seq if beside else seq,
        turn_seq=seq if turned else before.turn_seq,
    )
    return Change(
        kind=kind,
        before=before,
        after=after,
        settle=(before.to_act, before.bot_to_act) != (after.to_act, after.bot_to_act),
        tell_directory=concerns_directory(before, after),
    )


def require_calm(table: Table) -> None:
    """Raise TOO_MANY after too many events beside a game that does not go on."""
    if table.game is not None and table.seq - table.game_seq >= MOST_BESIDE:
        raise ServiceError(Problem.TOO_MANY, "wait until somebody has moved", retry_after=60)


def by_seat(change: Change, seat: int) -> Change:
    """The change, attributed to a seat."""
    name = change.after.sheet.chairs[seat].name or change.before.sheet.chairs[seat].name
    return replace(change, seat=seat, news=News(seat=seat, name=name))


def has_turned(before: UndoableGame | None, after: UndoableGame) -> bool:
    """Whether a new turn has begun, or the game has ended: nothing before this can be undone."""
    return before is None or after.position.turn != before.position.turn or after.position.over


def concerns_directory(before: Table, after: Table) -> bool:
    """Whether lobby, player pages or notices must hear of it; they ignore the actions of a live game."""
    if after.sheet is not before.sheet:
        return True
    by_mail = after.sheet.clock is not None and after.sheet.clock.kind == "correspondence"
    return after.sheet.stage is Stage.RUNNING and by_mail and after.to_act != before.to_act
