"""How a table stands, as far as the directory is concerned: no position, no secret."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from cartagena.server.tables.sheet import Sheet, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A table after event number `seq`; `since` is when the clock of the seat to act started."""

    game_id: UUID
    seq: int
    to_act: int | None
    since: datetime | None
    deadline: datetime | None
    created_at: datetime
    ended_at: datetime | None
    sheet: Sheet = field(repr=False)

    @property
    def by_mail(self) -> bool:
        """Whether it is played by correspondence; only then does the directory hear of every turn."""
        clock = self.sheet.clock
        return clock is not None and clock.kind == "correspondence"

    @property
    def is_listed(self) -> bool:
        """Whether the lobby shows it."""
        return self.sheet.listed and self.sheet.stage is not Stage.OVER

    @property
    def has_result(self) -> bool:
        """Whether a game was played here and is over; a table that never began leaves nothing behind."""
        return self.sheet.stage is Stage.OVER and self.sheet.ending not in {None, "closed"}

    @property
    def people(self) -> tuple[UUID, ...]:
        """The players who sit there, in the order of their seats."""
        return people_of(self.sheet)


def people_of(sheet: Sheet) -> tuple[UUID, ...]:
    """The players of a sheet, in the order of their seats."""
    return tuple(chair.player for chair in sheet.chairs if chair.player is not None)


class SummarySource(Protocol):
    """Where tables really live; the directory only follows."""

    async def standings(self, game_ids: Sequence[UUID]) -> list[TableSummary]:
        """How these tables stand now; tables that do not exist are left out."""

    async def existing(self, game_ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of these tables that exist."""

    def walk(self, most: int) -> AsyncIterator[list[UUID]]:
        """Every table there is, up to `most` at a time."""
