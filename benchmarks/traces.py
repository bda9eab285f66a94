"""What traces cost a move: when they are off, on but not chosen, and followed.

Measured at a wake, the smallest message; the other places on the way of a move look at traces in the same
manner. `bare` is the same without the look. Run it with `python -m benchmarks.traces`.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final
from uuid import UUID

from cartagena.server.bus.announcer import BusAnnouncer
from cartagena.server.bus.interface import Bus, LocalBus
from cartagena.server.bus.messages import Wake
from cartagena.server.tracing.otlp import OtlpTraces
from cartagena.server.tracing.spans import within
from cartagena.tables.ids import bucket_of

ROUNDS: Final = 100
TIMES: Final = 1000
PLACES: Final = 7
"""Request, wait, batch, announcement, wake, arrival and the step after it: each checks for a trace."""
MOVE_MICROSECONDS: Final = 358
"""The CPU time of a move in its web process (docs/operations.md, Speed)."""
NOWHERE: Final = "http://127.0.0.1:9"
GAME: Final = UUID("01a1de9f-b2ad-71aa-b5a4-ea52740ae735")


class BareAnnouncer:
    """The announcer as it was before there were traces."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def wake(self, table_id: UUID) -> None:
        """Hint to the workers that a bot is due."""
        self._bus.publish(Wake(bucket=bucket_of(table_id)))


async def best(work: Callable[[UUID], None], around: AbstractContextManager[None]) -> float:
    """Nanoseconds of one call, the best of all rounds: whatever was slower was disturbed."""
    times = []
    with around:
        for _ in range(ROUNDS):
            began = time.perf_counter_ns()
            for _ in range(TIMES):
                work(GAME)
            times.append((time.perf_counter_ns() - began) / TIMES)
            # Let the bus deliver what was published; there are no subscribers.
            await asyncio.sleep(0)
    return min(times)


async def main() -> None:
    """Measure and print."""
    bus = LocalBus()
    traces = OtlpTraces(NOWHERE, share=1, program="benchmark")
    step = traces.request(None, "benchmark")
    assert step is not None
    bare = await best(BareAnnouncer(bus).wake, nullcontext())
    for name, announcer, around in (
        ("off", BusAnnouncer(bus), nullcontext()),
        ("on, not followed", BusAnnouncer(bus, traces), nullcontext()),
        ("followed", BusAnnouncer(bus, traces), within(step)),
    ):
        more = await best(announcer.wake, around) - bare
        share = PLACES * more / MOVE_MICROSECONDS / 1000
        print(f"{name:17} {more:8.0f} ns more than {bare:.0f}; at {PLACES} places {share:.2%} of a move")
    await traces.close()


if __name__ == "__main__":
    asyncio.run(main())
