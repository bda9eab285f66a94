"""Standing: what a player or spectator knows of a table, put together from its updates."""

from dataclasses import dataclass, field, replace
from typing import Self
from uuid import UUID

from msgspec.structs import replace as with_fields

from cartagena.messages.tables import ChairMessage, ClockMessage, TableMessage
from cartagena.messages.updates import Update
from cartagena.messages.views import ViewMessage, view_of
from cartagena.messages.wishes import WishesMessage
from cartagena.rules.hidden.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table at `seq`. There is no view before the deal; there are wishes only when the seat is to act."""

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
        """What is known after one more update; an older update changes nothing.

        One that counts `anew` always replaces what is known.
        """
        if update.seq < self.seq and not update.anew:
            return self
        return replace(
            self,
            seq=update.seq,
            table=self._table_after(update),
            view=update.view,
            wishes=update.wishes,
            clock=update.clock,
        )

    def _table_after(self, update: Update) -> TableMessage:
        if update.table is not None:
            return update.table
        # A game that has ended by its rules is over, even where only the view was told.
        if update.view is None or update.view.ending is None:
            return self.table
        ending, winner = update.view.ending, update.view.winner
        return with_fields(self.table, stage="over", ending=ending, winner=winner)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or will never begin."""
        return self.table.stage == "over"

    @property
    def sight(self) -> View:
        """The view as the rules have it, from which any bot can choose; only after the deal."""
        assert self.view is not None, "there is no view before the deal"
        return view_of(self.view)

    def chair_of(self, player_id: UUID) -> ChairMessage | None:
        """The chair on which a player sits, None if there is none."""
        wanted = str(player_id)
        return next((chair for chair in self.table.chairs if chair.player == wanted), None)
