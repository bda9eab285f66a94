"""Answers that only a service gives and only a client reads."""

from msgspec import Struct

from cartagena.client.request import understood
from cartagena.messages.errors import MessageError
from cartagena.messages.tables import TableMessage
from cartagena.messages.updates import Update, read


class TableAnswer(Struct, frozen=True, kw_only=True):
    """A table as the client sees it: its seat, the invitation code if it sits there, the whole state."""

    id: str
    seat: int | None
    invite: str | None
    current: Update

    @property
    def table(self) -> TableMessage:
        """The table around the game."""
        assert self.current.table is not None, "`read_table` lets nothing else pass"
        return self.current.table


class Said(Struct, frozen=True, kw_only=True):
    """The number of a line of chat."""

    number: int


def read_table(content: bytes) -> TableAnswer:
    """A table as it was answered."""
    answer = read(TableAnswer, content)
    if understood(answer.current).table is None:
        raise MessageError("this is not the whole state of a table")
    return answer
