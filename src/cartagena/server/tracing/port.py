"""What the parts of a node need to know of traces; nothing here needs OpenTelemetry.

Whoever can be traced holds `Traces | None`: None, the usual case, costs one look at it. A step has room for
ids, numbers and routes only, so that no card, name, token or body can ever get into one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal, Protocol
from uuid import UUID

StepName = Literal[
    "commit.wait", "commit.statement", "announce", "wake.tell", "arrive", "frames", "wake", "think"
]
"""The steps after a request, in the order in which a move takes them."""

TRACE_BYTES: Final = 24
"""How a trace goes from node to node: its id (16 bytes), then that of the step (8); it is being followed."""


class Step(Protocol):
    """Something that has begun and is being timed."""

    @property
    def trace(self) -> bytes:
        """What somebody else needs to go on from here."""

    def note(self, **numbers: int) -> None:
        """Add numbers that are known only now."""

    def then(self, name: StepName, **numbers: int) -> "Step":
        """End this step and begin the one that follows it, under the same parent."""

    def answered(self, method: str, route: str, status: int) -> None:
        """End a request: what was asked for, as its template, and the status of the answer."""

    def end(self) -> None:
        """It is done."""


class Traces(Protocol):
    """Decides what is followed, and follows it."""

    def request(self, traceparent: bytes | None, request_id: str) -> Step | None:
        """A request begins; None if it is not followed. Only a trusted proxy's `traceparent` is handed in."""

    def step(self, name: StepName, table: UUID, *, after: bytes | None = None, **numbers: int) -> Step | None:
        """A step at a table begins, after one that another node told of or else within the current one.

        None if neither is followed.
        """

    def expect(self, table: UUID, trace: bytes) -> None:
        """Something at this table was said to be due; who looks after it soon goes on with that trace."""

    def wake(self, table: UUID, *, seq: int, tries: int) -> Step | None:
        """A worker has claimed a table: as it was told to, or by itself; None if that is not followed."""


CURRENT: Final[ContextVar[Step | None]] = ContextVar("current_step", default=None)
"""The step within which this task works, if it is followed."""


@contextmanager
def within(step: Step) -> Iterator[None]:
    """Let what happens in this block belong to a step."""
    token = CURRENT.set(step)
    try:
        yield
    finally:
        CURRENT.reset(token)
