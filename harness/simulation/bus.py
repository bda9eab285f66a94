"""A simulated network loses, delays and reorders messages between nodes, and streams to browsers."""

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final, Protocol
from uuid import UUID

from cartagena.endpoints.asgi import Message
from cartagena.server.bus.interface import Handler, Handlers
from cartagena.server.bus.messages import AnyMessage, BusMessage, pack, unpack
from cartagena.server.http.streams.ports import StreamSettings
from harness.simulation.event_loop import MACHINE, Machine, SimulatedLoop

if TYPE_CHECKING:
    from harness.simulation.world import World

QUIET: Final = 40.0
"""After this many seconds without even a heartbeat a browser reopens its stream."""
STREAMS: Final = StreamSettings(pace=1_000.0, sessions_every=3.0)
"""Limits are tested elsewhere, with real time; sessions are asked after sooner, because a run is short."""
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


LATE: Final = 0.02


@dataclass(slots=True)
class NetworkWeather:
    """What happens to messages on their way, decided by chance; fine weather loses nothing."""

    chance: Random
    is_fine: bool = False
    broken: float = 0.0
    """How many of a hundred connections to a database break with their question."""
    lost: float = 0.0
    """How many of a hundred messages are lost, on the bus or between a person and a node."""
    slow: float = 1.0

    def delay(self) -> float:
        """How many seconds a message takes: mostly few, sometimes far more."""
        seconds = self.chance.expovariate(1 / 0.002)
        if not self.is_fine and self.chance.random() < LATE:
            seconds += self.chance.uniform(0, 0.5) * self.slow
        return seconds

    def loses(self) -> bool:
        """Whether a connection breaks now."""
        return not self.is_fine and self.chance.random() * 100 < self.broken

    def swallows(self) -> bool:
        """Whether a message is lost now."""
        return not self.is_fine and self.chance.random() * 100 < self.lost


class Ether:
    """What carries the messages of all nodes."""

    def __init__(self, loop: SimulatedLoop, weather: NetworkWeather) -> None:
        self.buses: list[SimulatedBus] = []
        self._loop = loop
        self._weather = weather
        self._last: dict[tuple[int, int, object], float] = {}

    def carry(self, sender: "SimulatedBus", message: BusMessage) -> None:
        """Deliver a message to every node, each with its own delay."""
        data = pack(message)
        for number, bus in enumerate(self.buses):
            if bus.machine.is_lost or self._weather.swallows():
                continue
            arrival = self._loop.time() + self._weather.delay()
            if not self._weather.swallows():
                # NATS keeps the order of one node's messages about a game; sometimes this bus does not.
                way = (id(sender), number, _subject(message))
                arrival = self._last[way] = max(arrival, self._last.get(way, 0.0))
            bus.hear_at(arrival, type(message), data)


def _subject(message: BusMessage) -> UUID | str:
    return getattr(message, "game_id", None) or type(message).__name__


class SimulatedBus:
    """The end of the bus at one node; it keeps the contract `bus.interface.Bus`."""

    connected = True
    lost = 0
    unreadable = 0

    def __init__(self, ether: Ether, loop: SimulatedLoop) -> None:
        self.machine: Machine = MACHINE.get()
        self._ether = ether
        self._loop = loop
        self._handlers = Handlers()
        ether.buses.append(self)

    def publish(self, message: BusMessage) -> None:
        """Send a message to all listeners."""
        self._ether.carry(self, message)

    async def subscribe(self, kind: type[AnyMessage], handler: Handler[AnyMessage]) -> None:
        """Listen to all messages of a kind from now on."""
        self._handlers.add(kind, handler)

    async def close(self) -> None:
        """Hang up."""

    def hear_at(self, moment: float, kind: type[BusMessage], data: bytes) -> None:
        """Receive a message at `moment`."""
        self._loop.on(self.machine, self._hear(moment, kind, data))

    async def _hear(self, moment: float, kind: type[BusMessage], data: bytes) -> None:
        await _until(self._loop, moment)
        self._handlers.hand_over(unpack(kind, data))


async def _until(loop: SimulatedLoop, moment: float) -> None:
    waiting = loop.create_future()
    loop.call_at(moment, waiting.set_result, None)
    await waiting
