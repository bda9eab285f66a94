"""The wire between a node and a browser: what a stream sends, in order, until one end is gone."""

import asyncio
from typing import TYPE_CHECKING, Final, Protocol
from uuid import UUID

from cartagena.server.http.asgi import Message
from harness.simulation.event_loop import Machine
from harness.simulation.node import STREAMS

if TYPE_CHECKING:
    from harness.simulation.world import World

QUIET: Final = 40.0
"""After this many seconds without even a heartbeat a browser reopens its stream."""
REVOKED_AFTER: Final = 2 * STREAMS.sessions_every
"""This many seconds after its end a session is told nothing more; 30 in the service."""


class Hear(Protocol):
    """Takes one event of a stream."""

    def __call__(self, event: str, place: tuple[int, int] | None, data: bytes) -> None:
        """`place` is its id."""


class Wire:
    """One connection."""

    def __init__(self, world: "World", server: Machine) -> None:
        self.session: UUID | None = None
        self.is_cut = False
        self._world = world
        self._server = server
        self._gone: asyncio.Future[None] = world.loop.create_future()
        self._coming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._last = 0.0
        server.at_its_end.append(self.cut)

    # The end of the node.

    async def receive(self) -> Message:
        """ASGI's receive: returns only when the browser is gone."""
        await self._gone
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """ASGI's send."""
        if self.is_cut:
            raise OSError("the browser is gone")
        if message["type"] == "http.response.body":
            loop, weather = self._world.loop, self._world.weather
            self._last = max(loop.time() + weather.delay(), self._last)
            loop.call_at(self._last, self._coming.put_nowait, message["body"])
            if weather.swallows():
                loop.call_at(self._last, self.cut)
            if not message.get("more_body", False):
                loop.call_at(self._last, self.cut)

    def cut(self) -> None:
        """Close both ends."""
        if not self.is_cut:
            self.is_cut = True
            if not self._gone.done():
                self._gone.set_result(None)
            self._coming.put_nowait(None)

    # The end of the browser.

    async def until_quiet(self, hear: Hear) -> None:
        """Pass on what arrives until the wire is cut or silent for too long."""
        while True:
            try:
                async with asyncio.timeout(QUIET):
                    body = await self._coming.get()
            except TimeoutError:
                body = None
            if body is None:
                self.cut()
                return
            for event, place, data in _events(body):
                self._check_session(event)
                hear(event, place, data)

    def _check_session(self, event: str) -> None:
        world = self._world
        since = None if self.session is None else world.revoked.since.get(self.session)
        if since is not None and event in ("update", "chat"):
            since = max(since, self._server.resumed_at)
            if world.loop.time() - since > REVOKED_AFTER:
                world.history.violate("a session is told more long after its end")


def _events(body: bytes) -> list[tuple[str, tuple[int, int] | None, bytes]]:
    """The Server-Sent Events in some bytes."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            seq, _, chat = fields.get("id", "").partition(".")
            place = (int(seq), int(chat)) if seq else None
            found.append((fields["event"], place, fields["data"].encode()))
    return found
