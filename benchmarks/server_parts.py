"""A web node that keeps a ledger of its processor time, part by part.

    python -m benchmarks.server_parts ledger.json serve --no-worker --port 8000

It is `cartagena serve` with a stopwatch around the parts of a move's path. SIGUSR1 sets all to zero,
SIGUSR2 writes the ledger down. What is in no part is the event loop, the sockets and the drivers' own
callbacks.
"""

import functools
import importlib
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from types import FrameType
from typing import Any, Final

from cartagena.cli.main import main as cartagena

REST: Final = "loop and sockets"
FUNCTIONS: Final = {
    "cartagena.server.http.uvicorn_server:CarefulProtocol.data_received": "http parsing",
    "cartagena.server.http.observability:RequestRecord.end": "log",
    "cartagena.tables.playing:act": "rules",
    "cartagena.tables.service:frames": "frames",
    "cartagena.server.store.group_commit:columns_of": "commit",
    "cartagena.server.bus.nats:NatsBus.publish": "bus",
}
"""The functions that a stopwatch is put around, and the part of the path that each belongs to."""
COROUTINES: Final = {
    "cartagena.server.http.app:App._serve": "http",
    "cartagena.server.http.authorization:Authorizer.admit": "guard",
    "cartagena.server.http.uvicorn_server:Writer.write": "answer",
    "cartagena.tables.service:Tables.change_at": "tables",
    "cartagena.server.store.group_commit:GroupCommit._write": "commit",
    "cartagena.server.bus.nats:NatsBus._send_one": "bus",
    "nats.aio.client:Client._flusher": "bus",
}
"""The coroutines that a stopwatch is put around; only their own steps count, not their waiting."""


class Ledger:
    """Time by part: at any moment one part is running, and what a part calls counts for the called one.

    >>> moments = iter([0, 1, 4, 6])
    >>> ledger = Ledger(lambda: next(moments))
    >>> outer = ledger.enter("rules")
    >>> ledger.leave(outer)
    >>> ledger.totals()
    {'loop and sockets': 3, 'rules': 3}
    """

    def __init__(self, clock: Callable[[], int] = time.thread_time_ns) -> None:
        self._clock = clock
        self._part = REST
        self._since = clock()
        self._spent: Counter[str] = Counter()

    def enter(self, part: str) -> str:
        """A part begins; returns the one that it interrupts."""
        now = self._clock()
        self._spent[self._part] += now - self._since
        outer, self._part, self._since = self._part, part, now
        return outer

    def leave(self, outer: str) -> None:
        """The running part ends; the one that it interrupted goes on."""
        self.enter(outer)

    def clear(self) -> None:
        """Begin anew."""
        self.enter(self._part)
        self._spent.clear()

    def totals(self) -> dict[str, int]:
        """The time of each part so far."""
        self.enter(self._part)
        return dict(sorted(self._spent.items()))


# Any: a stopwatch takes and gives whatever the function does that it is put around.


def timed(ledger: Ledger, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose time counts for a part."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        outer = ledger.enter(part)
        try:
            return function(*args, **kwargs)
        finally:
            ledger.leave(outer)

    return call


def timed_steps(ledger: Ledger, part: str, function: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
    """A coroutine function whose steps count for a part, but not its waiting."""

    @functools.wraps(function)
    async def call(*args: Any, **kwargs: Any) -> Any:
        return await _Steps(ledger, part, function(*args, **kwargs))

    return call


class _Steps:
    """Awaits something step by step."""

    def __init__(self, ledger: Ledger, part: str, awaited: Awaitable[Any]) -> None:
        self._ledger = ledger
        self._part = part
        self._awaited = awaited

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._awaited.__await__()
        step = functools.partial(next, steps)
        while True:
            outer = self._ledger.enter(self._part)
            try:
                waits_for = step()
            except StopIteration as end:
                return end.value
            finally:
                self._ledger.leave(outer)
            try:
                yield waits_for
                step = functools.partial(next, steps)
            except BaseException as error:  # noqa: BLE001 - handed on to whom it is meant for
                step = functools.partial(steps.throw, error)


def put_stopwatches(ledger: Ledger) -> None:
    """Put one around each part of the path."""
    for places, watch in ((FUNCTIONS, timed), (COROUTINES, timed_steps)):
        for place, part in places.items():
            owner, name = found(place)
            setattr(owner, name, watch(ledger, part, getattr(owner, name)))


def found(place: str) -> tuple[Any, str]:
    """Who holds a function, and under which name."""
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = functools.reduce(getattr, owners, importlib.import_module(module))
    return owner, name


def main() -> None:
    """Serve with stopwatches."""
    ledger, out = Ledger(), Path(sys.argv.pop(1))
    put_stopwatches(ledger)

    def clear(_signal: int, _frame: FrameType | None) -> None:
        ledger.clear()

    def write(_signal: int, _frame: FrameType | None) -> None:
        # A reader that waits for the file must not find half of it.
        half = out.with_suffix(".half")
        half.write_text(json.dumps(ledger.totals()), encoding="utf-8")
        half.rename(out)

    signal.signal(signal.SIGUSR1, clear)
    signal.signal(signal.SIGUSR2, write)
    cartagena()


if __name__ == "__main__":
    main()
