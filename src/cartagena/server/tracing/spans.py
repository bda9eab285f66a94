"""What the parts of a node need to know about traces; nothing here needs OpenTelemetry."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal, Protocol
from uuid import UUID

StepName = Literal[
    "commit.wait", "commit.statement", "announce", "wake.tell", "arrive", "frames", "wake", "think"
]
"""The steps after a request, in the order in which a move takes them."""

TRACE_BYTES: Final = 24
"""The size of a trace sent between nodes: its id (16 bytes), then the step's (8); it is always sampled."""


class Span(Protocol):
    """Something that has begun and is being timed."""

    @property
    def trace(self) -> bytes:
        """What another node needs to go on from here."""

    def note(self, **numbers: int) -> None:
        """Add numbers that are known only now."""

    def then(self, name: StepName, **numbers: int) -> "Span":
        """End this step and begin the one that follows it, under the same parent."""

    def answered(self, method: str, route: str, status: int) -> None:
        """End a request: what was asked for, as its template, and the status of the answer."""

    def end(self) -> None:
        """End the step."""


class Traces(Protocol):
    """Decides what is traced, and traces it."""

    def request(self, traceparent: bytes | None, request_id: str) -> Span | None:
        """Begin a request; None if it is not traced. Pass only a trusted proxy's `traceparent`."""

    def step(self, name: StepName, table: UUID, *, after: bytes | None = None, **numbers: int) -> Span | None:
        """Begin a step at a table, after one that another node sent or else within the current one.

        None if neither is traced.
        """

    def expect(self, table: UUID, trace: bytes) -> None:
        """Note that something at this table is due; the worker that claims it soon goes on with `trace`."""

    def wake(self, table: UUID, *, seq: int, tries: int) -> Span | None:
        """Begin a worker's claim of a table, announced or not; None if it is not traced."""


CURRENT: Final[ContextVar[Span | None]] = ContextVar("current_step", default=None)
"""The step to which the current task belongs, if it is traced."""


@contextmanager
def within(step: Span) -> Iterator[None]:
    """Make `step` the current step within this block."""
    token = CURRENT.set(step)
    try:
        yield
    finally:
        CURRENT.reset(token)


MOST_EXPECTED: Final = 1000
SECONDS: Final = 10.0
"""After this time another worker has claimed it, and the next claim is about something else."""


class ExpectedSpans:
    """The traces of a few tables, for a few seconds.

    >>> expected = ExpectedSpans(clock=lambda: 0.0)
    >>> expected.add(UUID(int=1), b"trace")
    >>> expected.take(UUID(int=1)), expected.take(UUID(int=1))
    (b'trace', None)
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._traces: OrderedDict[UUID, tuple[float, bytes]] = OrderedDict()

    def add(self, table: UUID, trace: bytes) -> None:
        """Remember the trace of a table at which something is due."""
        self._traces[table] = (self._clock() + SECONDS, trace)
        self._traces.move_to_end(table)
        if len(self._traces) > MOST_EXPECTED:
            self._traces.popitem(last=False)

    def take(self, table: UUID) -> bytes | None:
        """Return and forget the trace of a table that is claimed now, if one is expected."""
        until, trace = self._traces.pop(table, (0.0, None))
        return trace if trace is not None and self._clock() < until else None
