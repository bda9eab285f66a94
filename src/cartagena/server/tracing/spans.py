"""What the parts of a node need to know about traces; nothing here needs OpenTelemetry."""

import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final, Literal, Protocol
from uuid import UUID

from cartagena.install import install_command, installed_from
from cartagena.rules.refusals import CartagenaError
from cartagena.server.shared.settings import Settings

# Choosing: which requests are traced, so that no outsider can have more of them traced.

MOST_A_SECOND: Final = 20
"""How many outside traces a process takes up per second: a proxy may pass on anything its callers send."""

# Version 00 of W3C Trace Context; a later version begins in the same way.
_TRACEPARENT: Final = re.compile(rb"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_SAMPLED: Final = 1


def read_traceparent(text: bytes) -> tuple[bytes, bool] | None:
    """Return the trace that a `traceparent` names, and whether it is followed; None if it is not valid.

    >>> trace, followed = read_traceparent(b"00-" + b"1f" * 16 + b"-" + b"2e" * 8 + b"-01")
    >>> trace == bytes([0x1f]) * 16 + bytes([0x2e]) * 8, followed
    (True, True)
    """
    found = _TRACEPARENT.fullmatch(text)
    if found is None or found[1] == b"ff" or (found[1] == b"00" and found[5]):
        return None
    trace, step = bytes.fromhex(found[2].decode()), bytes.fromhex(found[3].decode())
    if not any(trace) or not any(step):
        return None
    return trace + step, bool(int(found[4], 16) & _SAMPLED)


class Sampler:
    """Chooses a random share of all requests, and those that a trusted proxy traces, up to a ceiling."""

    def __init__(self, share: float, *, chance: Callable[[], float], clock: Callable[[], float]) -> None:
        self._share = share
        self._chance = chance
        self._clock = clock
        self._second = -1
        self._taken = 0

    def by_chance(self) -> bool:
        """Whether something that begins here is traced."""
        return self._chance() < self._share

    def takes_up(self) -> bool:
        """Whether one more trace from outside is taken up."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._taken = second, 0
        self._taken += 1
        return self._taken <= MOST_A_SECOND


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


# How a process gets its traces, if it has any.


class NoTraces(CartagenaError):
    """Traces are wanted, but their packages are not installed; the message says what to do."""


@asynccontextmanager
async def opened_traces(settings: Settings, *, program: str) -> AsyncIterator[Traces | None]:
    """The traces of a process while the block lasts; None unless a collector is set."""
    if settings.traces is None:
        yield None
        return
    try:
        from cartagena.server.tracing.otlp import OtlpTraces  # noqa: PLC0415 - only who traces pays for it
    except ModuleNotFoundError as missing:
        command = install_command("server,traces", installed_from())
        raise NoTraces(f"CARTAGENA_TRACES needs {missing.name}: {command}, or unset it") from missing
    traces = OtlpTraces(settings.traces, share=settings.traces_share, program=program)
    try:
        yield traces
    finally:
        await traces.close()
