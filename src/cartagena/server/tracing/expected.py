"""What workers were told is due: every worker hears it, one of them will claim the table."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final
from uuid import UUID

MOST_EXPECTED: Final = 1000
SECONDS: Final = 10.0
"""After this time another worker has claimed it, and the next claim is about something else."""


class Expected:
    """The traces of a few tables, for a few seconds.

    >>> expected = Expected(clock=lambda: 0.0)
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
