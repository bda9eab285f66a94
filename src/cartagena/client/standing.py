"""Standing: what somebody at a table knows of it, put together from what he was told."""

from dataclasses import dataclass, field, replace
from typing import Self
from uuid import UUID

from cartagena.messages.tables import ChairMessage, ClockMessage, TableMessage
from cartagena.messages.updates import Update
from cartagena.messages.views import ViewMessage
from cartagena.messages.wishes import WishesMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A table at `seq`. There is no view before the deal; the wishes are there on one's own turn only."""

    seq: int
    table: TableMessage
    view: ViewMessage | None = field(default=None, repr=False)
    wishes: WishesMessage | None = field(default=None, repr=False)
    clock: ClockMessage | None = None

    @classmethod
    def of(cls, update: Update) -> Self:
        """What a whole state tells."""
        assert update.table is not None, "a whole state tells the table"
        return cls(
            seq=update.seq, table=update.table, view=update.view, wishes=update.wishes, clock=update.clock
        )

    def after(self, update: Update) -> Self:
        """What is known after one more update; what is older than what is known changes nothing."""
        if update.seq < self.seq:
            return self
        return replace(
            self,
            seq=update.seq,
            table=self.table if update.table is None else update.table,
            view=update.view,
            wishes=update.wishes,
            clock=update.clock,
        )

    def chair_of(self, player_id: UUID) -> ChairMessage | None:
        """The chair on which a player sits, None if he has none."""
        wanted = str(player_id)
        return next((chair for chair in self.table.chairs if chair.player == wanted), None)
