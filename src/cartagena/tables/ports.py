"""Ports: what the use cases of tables need of the world outside."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from cartagena.tables.sheet import Sheet
from cartagena.tables.table import NO_NEWS, Change, EventKind, News, Table, Times

Result = TypeVar("Result")


class Sender(Struct, frozen=True, kw_only=True):
    """Who sent a request, and its idempotency key: a repeated key means a repeated request."""

    player: UUID | None
    key: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An event as it was stored."""

    seq: int
    kind: EventKind
    code: int | None
    orders: tuple[tuple[int, ...], ...] = field(repr=False)
    seat: int | None = None
    news: News = NO_NEWS
    key: UUID | None = None
    player: UUID | None = None
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLine:
    """A line of chat; `seat` is None for a spectator.

    A line that `removes` another has no text of its own.
    """

    number: int
    player: UUID | None
    seat: int | None
    name: str
    text: str
    at: int
    removes: int | None = None

    @property
    def is_removed(self) -> bool:
        """Whether it was removed: only a removed line is empty."""
        return not self.text and self.removes is None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlace:
    """Where a new line of chat stands."""

    seq: int
    number: int
    at: int


class Store(Protocol):
    """Where tables are stored. Every method touches one game, or answers for several games separately."""

    async def open(self, table_id: UUID, sheet: Sheet, secret: bytes, sender: Sender) -> None:
        """Keep a new table; a table that exists already stays as it is."""

    async def load(self, table_id: UUID) -> Table | None:
        """The table as it stands now, None if it does not exist."""

    async def commit(self, change: Change, sender: Sender) -> Times | None:
        """Write a change and return the clocks after it; None if another came first or time was up."""

    async def is_newest(self, table: Table) -> bool:
        """Whether a table that was read earlier is still current."""

    async def past(self, table_id: UUID, after: int, *, beside_after: int = -1) -> list[Past]:
        """The events after number `after`; those beside the game only if they came after `beside_after`."""

    async def find_key(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The event that a request left, and whose request it was."""


class ChatStore(Protocol):
    """Where lines of chat are stored."""

    async def say(self, table_id: UUID, line: ChatLine, key: UUID) -> ChatPlace | None:
        """Keep a line of chat; None if the key was used before, or the line to remove is gone already."""

    async def find_line(self, table_id: UUID, key: UUID) -> tuple[int, UUID | None] | None:
        """The line of chat that a request left, and whose request it was."""

    async def line(self, table_id: UUID, number: int) -> ChatLine | None:
        """One line of chat, None if no line has that number."""

    async def chat(self, table_id: UUID, after: int) -> list[ChatLine]:
        """The lines of chat after a number."""


class ServiceStore(Store, ChatStore, Protocol):
    """The store of a service: its streams ask how far many tables are, and what a failover has changed."""

    async def seq_of(self, table_id: UUID) -> tuple[int, int] | None:
        """The numbers of the last event and the last line of chat."""

    async def timelines(self) -> str:
        """The timelines that the databases write now; they change after a failover."""

    async def cursors(self, table_ids: Iterable[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """The numbers of the last event and the last line of chat of each table."""


class Announcer(Protocol):
    """Tells everybody who is watching; a message may get lost, and the receiver recovers by itself."""

    def update(self, table: Table, frames: Mapping[int, bytes]) -> None:
        """Tell each audience what a change did; the frames were made for it alone."""

    def close(
        self, table_id: UUID, code: str, *, player: UUID | None = None, audience: int | None = None
    ) -> None:
        """End the streams of a player at a table, or of an audience."""

    def wake(self, table_id: UUID) -> None:
        """Hint to the workers that a bot is due."""


class ChatAnnouncer(Protocol):
    """Tells everybody who is watching what was said."""

    def chat(self, table_id: UUID, said: ChatPlace, frames: Mapping[int, bytes]) -> None:
        """Tell everybody a line of chat."""


class Aside(Protocol):
    """Puts work that takes a while aside, so that other requests need not wait for it."""

    async def __call__(self, work: Callable[[], Result]) -> Result:
        """Return what the work returns."""


async def here(work: Callable[[], Result]) -> Result:
    """Do the work at once; implements the port `Aside` where there are no threads, or nobody waits."""
    return work()
