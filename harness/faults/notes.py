"""What the clients of `make faults` write down: every acknowledgement, and the last that each was told."""

import enum
from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from cartagena.client.table_state import TableState
from cartagena.server.tables.table import EventKind
from harness.linearizability import Operation, Told


class Fault(enum.Enum):
    """What may be wrong with a game afterwards."""

    LOST = "lost"
    """Acknowledged, but not in the store."""
    DOUBLED = "doubled"
    """One request that left two events, or the other way round."""
    DENIED = "denied"
    """Refused for good, although it was done."""
    BROKEN = "broken"
    """The log does not lead to what the store says of the game."""
    DIVERGED = "diverged"
    """A client whose state differs from the store."""
    STUCK = "stuck"
    """There is no one left to continue the game."""
    CLOCK = "clock"
    """A clock ran out too early, twice, or not at all."""
    ORDER = "order"
    """Answers that no order of events explains."""
    RECORD = "record"
    """A record that does not verify."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that the checker has found."""

    fault: Fault
    game: UUID
    sentence: str

    def __str__(self) -> str:
        return f"{self.fault.value}: game {self.game}: {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """An acknowledged request; `seq`, `kind` and `code` are None where the answer does not determine them."""

    game: UUID
    key: UUID
    seq: int | None = None
    kind: EventKind | None = None
    code: int | None = None
    line: int | None = None
    """The number of a line of chat."""
    may_be_nothing: bool = False
    """A wish that changed nothing is granted, and leaves no event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A request that was refused for good."""

    game: UUID
    key: UUID
    verb: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a client knows of its table in the end; `chat` is the number of the last line it was told."""

    game: UUID
    player: UUID
    standing: TableState = field(repr=False)
    chat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer that a client got about a table, with the moments of question and answer by its own clock."""

    game: UUID
    told: Operation[Told]


@dataclass(slots=True)
class Notebook:
    """What all clients wrote down."""

    acks: list[Ack] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    first_asked: dict[UUID, float] = field(default_factory=dict)
    """When each request was sent for the first time, by its key."""
    counted: set[UUID] = field(default_factory=set)
    """The keys of choices that were acknowledged at least once."""
    answers: Counter[str] = field(default_factory=Counter)
    """How often each status came, with the code of a refusal."""
    mischief: Counter[str] = field(default_factory=Counter)
    """How often a client did something unusual that must do no harm."""
    surprises: Counter[str] = field(default_factory=Counter)
    """What a client did not expect, for the readers of the ledger."""
