"""A simulated bus and its weather: messages go from node to node, late, in another order, or not at all."""

from dataclasses import dataclass
from random import Random
from typing import Final
from uuid import UUID

from cartagena.server.bus.interface import Handler, Handlers
from cartagena.server.bus.messages import AnyMessage, BusMessage, pack, unpack
from harness.simulation.event_loop import MACHINE, Machine, SimulatedLoop

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
