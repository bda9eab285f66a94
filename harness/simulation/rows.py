"""The rows of a simulated database of games, at one moment of many that share most of them."""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias
from uuid import UUID

Row: TypeAlias = dict[str, Any]
"""A row is never changed, only replaced, so that several moments of a database can share it."""
Answer: TypeAlias = list[Row]

KINDS: Final = ("games", "tables", "events", "chat", "records", "leaving", "departures")


class Rows:
    """All rows of one database at one moment."""

    def __init__(self, identity: UUID, failovers: int = 0) -> None:
        self.identity = identity
        self.failovers = failovers
        self.games: dict[UUID, Row] = {}
        self.tables: dict[UUID, Row] = {}
        self.events: dict[UUID, tuple[Row, ...]] = {}
        self.chat: dict[UUID, tuple[Row, ...]] = {}
        self.records: dict[UUID, Row] = {}
        self.leaving: dict[UUID, Row] = {}
        self.departures: dict[int, Row] = {}

    @property
    def timeline(self) -> str:
        """The timeline that is written here."""
        return f"{self.failovers + 1:08X}"

    def copy(self, *, after_failover: bool = False) -> "Rows":
        """Return a copy of these rows, to go on with."""
        copied = Rows(self.identity, self.failovers + after_failover)
        for kind in KINDS:
            setattr(copied, kind, dict(getattr(self, kind)))
        return copied


class Asked:
    """One statement as a database receives it: the rows it works on, the time, and its arguments."""

    __slots__ = ("args", "now", "rows", "said_before")

    def __init__(self, rows: Rows, now: dt.datetime, args: Sequence[Any]) -> None:
        self.rows = rows
        self.now = now
        self.args = args
        self.said_before = False
        """What a condition on other rows found when the statement came in, before it waited for a lock."""

    def after(self, milliseconds: int) -> dt.datetime:
        """The moment `milliseconds` from now."""
        return self.now + dt.timedelta(milliseconds=milliseconds)

    @property
    def game(self) -> Row | None:
        """The game that the first argument names."""
        return self.rows.games.get(self.args[0])

    def put(self, game: Row, **changed: object) -> Row:
        """Replace the row of a game."""
        row = self.rows.games[game["game_id"]] = {**game, **changed}
        return row


Run: TypeAlias = Callable[[Asked], Answer]
"""What a statement does, and answers."""
