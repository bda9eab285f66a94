"""The listening half of the load generator: streams of tables, read as cheaply as a program can."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

HOST: Final = "127.0.0.1"
AT_ONCE: Final = 100
"""How many streams connect at the same time."""
EACH_ADDRESS: Final = 400
"""The service allows one address no more than 500 streams, so ours come from many."""

_ID: Final = b"\nid: "
_END: Final = b"\n\n\r\n"
_OK: Final = b"HTTP/1.1 200 "

Heard = Callable[[int, int, float], None]
"""Called with the number of a game, the seq of an update and the moment at which it came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A stream to be opened: of which game, and with which token; without one as a spectator."""

    game: int
    table_id: str
    token: str | None = None

    def request(self) -> bytes:
        """The request as bytes."""
        shown = "" if self.token is None else f"Authorization: Bearer {self.token}\r\n"
        return f"GET /api/tables/{self.table_id}/stream HTTP/1.1\r\nHost: {HOST}\r\n{shown}\r\n".encode()


class Listener(asyncio.Protocol):
    """One stream. It looks for the ids of the updates and leaves their content alone."""

    __slots__ = ("_crowd", "_rest", "_wanted", "transport")

    def __init__(self, wanted: Wanted, crowd: "Listeners") -> None:
        self._wanted = wanted
        self._crowd = crowd
        self._rest = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # a stream's
        """Ask for the stream."""
        self.transport = transport
        transport.write(self._wanted.request())

    def data_received(self, data: bytes) -> None:
        """Tell of every whole event in the bytes; the first one is the state at the beginning."""
        now = time.perf_counter()
        if self._rest:
            data, self._rest = self._rest + data, b""
        is_first = data.startswith(b"HTTP/1.1")
        if is_first and not data.startswith(_OK):
            self._crowd.begun(is_ok=False)
            return
        if not data.endswith(_END):
            # The server sends whole events, so that this happens to the first answer and hardly ever later.
            self._rest = data
            return
        if is_first:
            self._crowd.begun(is_ok=True)
            return
        at = data.find(_ID)
        while at >= 0:
            dot = data.index(b".", at)
            self._crowd.heard(self._wanted.game, int(data[at + len(_ID) : dot]), now)
            at = data.find(_ID, dot)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - what matters is that it ended
        """Count a stream that ended; none should."""
        self._crowd.ended()


class Listeners:
    """All streams of the generator; `heard` is told of every update."""

    def __init__(self, heard: Heard) -> None:
        self.heard = heard
        self.open = 0
        self.refused = 0
        self._wanted = 0
        self._all: list[Listener] = []
        self._settled = asyncio.Event()

    async def add(self, port: int, wanted: Sequence[Wanted]) -> None:
        """Open streams, some at a time, until each is begun or refused."""
        for start in range(0, len(wanted), AT_ONCE):
            batch = wanted[start : start + AT_ONCE]
            self._wanted += len(batch)
            self._settled.clear()
            await asyncio.gather(
                *(self._connect(port, one, start + number) for number, one in enumerate(batch))
            )
            await asyncio.wait_for(self._settled.wait(), 30)

    async def _connect(self, port: int, wanted: Wanted, number: int) -> None:
        place = (f"127.0.{1 + number // EACH_ADDRESS}.1", 0)
        loop = asyncio.get_running_loop()
        _, listener = await loop.create_connection(
            lambda: Listener(wanted, self), HOST, port, local_addr=place
        )
        self._all.append(listener)

    def begun(self, *, is_ok: bool) -> None:
        """A stream got its first answer."""
        if is_ok:
            self.open += 1
        else:
            self.refused += 1
        if self.open + self.refused >= self._wanted:
            self._settled.set()

    def ended(self) -> None:
        """A stream is over."""
        self.open -= 1

    async def close(self) -> None:
        """Hang up everywhere."""
        for listener in self._all:
            assert listener.transport is not None
            listener.transport.abort()
        self._all.clear()
        await asyncio.sleep(1)
        self._wanted = 0
        self.open = 0
