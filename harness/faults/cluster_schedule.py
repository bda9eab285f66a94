"""The faults of `make faults-long`: every part of a cluster dies in its turn, is full, is slow or moves."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from cartagena.server.shared.ids import BUCKETS
from harness.cluster.servers import PRIMARIES, Cluster
from harness.faults.processes import is_ready
from harness.faults.schedule import DOWN_SECONDS, Happened, Recoveries
from harness.faults.sending import Running
from harness.tcp_proxy import Cut

SLOW: Final = 0.2
"""How many seconds later everything arrives on a slow link."""
SLOW_SECONDS: Final = 10.0
SHUT_SECONDS: Final = 3.0
FULL_SECONDS: Final = 5.0
CUT_SECONDS: Final = 15.0
MOVED: Final = 60
"""Buckets that are moved in one go."""
ENOUGH: Final = 10
"""How many acknowledgements show that people play again."""

Fault = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class ClusterSchedule:
    """One fault about every `pause` seconds, each part in its turn; in the middle the standby takes over."""

    cluster: Cluster
    running: Running
    chance: Random
    pause: float
    recoveries: Recoveries = field(default_factory=Recoveries)
    memory: list[tuple[float, int]] = field(default_factory=list)
    """How many kilobytes all processes of the service held, at moments of the run."""
    _moved: int = 0

    @property
    def happened(self) -> list[Happened]:
        """What was broken, and when it was well again."""
        return self.recoveries.happened

    async def run(self, seconds: float) -> None:
        """Break something about every `pause` seconds until `seconds` are over."""
        began = time.monotonic()
        faults: list[Fault] = []
        promoted = self.cluster.standby is None
        while (elapsed := time.monotonic() - began) < seconds:
            if not promoted and elapsed > seconds / 2:
                promoted = True
                await self._lose_primary()
            else:
                faults = faults or self._once()
                await faults.pop()()
            self.memory.append((elapsed, self.cluster.memory()))
            await asyncio.sleep(self.chance.uniform(0.5, 1.5) * self.pause)

    async def settled(self) -> None:
        """Wait until everything has recovered, or never will."""
        await self.recoveries.settled()

    def _once(self) -> list[Fault]:
        cluster = self.cluster
        faults: list[Fault] = [
            *(self._killing(name, lambda name=name: is_ready(cluster.ports[name])) for name in cluster.webs),  # type: ignore[misc]
            *(self._killing(name, self._goes_on()) for name in cluster.workers),
            *(self._killing(name, self._on_the_bus) for name in cluster.nats),
            *(self._killing_primary(place) for place in range(1, PRIMARIES)),
            self._cutting(Cut.BEFORE_ANSWER),
            self._cutting(Cut.AT_ONCE),
            self._shut,
            self._slow,
            self._fill_disk,
            self._move_buckets,
        ]
        self.chance.shuffle(faults)
        return faults

    # Faults.

    def _killing(self, name: str, is_well: Callable[[], Awaitable[bool]]) -> Fault:
        async def kill() -> None:
            self.cluster.children[name].kill()
            self.recoveries.watch(f"kill -9 {name}", is_well, patient=DOWN_SECONDS)
            await asyncio.sleep(DOWN_SECONDS)
            self.cluster.children[name].start()

        return kill

    def _killing_primary(self, place: int) -> Fault:
        async def kill() -> None:
            primary = self.cluster.primaries[place]
            primary.kill()
            self.recoveries.watch(f"kill -9 primary {place}", self._goes_on(), patient=DOWN_SECONDS)
            await asyncio.sleep(DOWN_SECONDS)
            await asyncio.to_thread(primary.start_again)

        return kill

    async def _lose_primary(self) -> None:
        """Kill the first primary for good; its standby has every commit that was acknowledged."""
        assert self.cluster.standby is not None
        self.cluster.primaries[0].kill()
        self.recoveries.watch("primary 0 lost, standby promoted", self._goes_on(), patient=DOWN_SECONDS)
        await asyncio.sleep(DOWN_SECONDS)
        await asyncio.to_thread(self.cluster.standby.promote)

    def _cutting(self, how: Cut) -> Fault:
        async def cut() -> None:
            if await self.cluster.relay.cut(how, within=CUT_SECONDS):
                self.recoveries.watch(f"cut: {how.value}", self._goes_on())

        return cut

    async def _shut(self) -> None:
        self.recoveries.watch("a primary out of reach", self._goes_on(), patient=SHUT_SECONDS)
        await self.cluster.relay.shut(SHUT_SECONDS)

    async def _slow(self) -> None:
        self.recoveries.watch("a slow link", self._goes_on(), patient=SLOW_SECONDS)
        await self.cluster.relay.slow(SLOW, seconds=SLOW_SECONDS)

    async def _fill_disk(self) -> None:
        """Fill the disk of a primary to the last byte, then make room again."""
        primary = self.cluster.small
        await asyncio.to_thread(primary.fill)
        await asyncio.sleep(FULL_SECONDS)
        await asyncio.to_thread(primary.make_room)
        self.recoveries.watch("disk full", self._goes_on())
        if not primary.runs():
            await asyncio.to_thread(primary.start_again)

    async def _move_buckets(self) -> None:
        first = self._moved % 1000
        buckets = f"{first}-{min(first + MOVED, BUCKETS - 1)}"
        target = self.chance.randrange(PRIMARIES)
        self._moved += MOVED
        began = time.monotonic()
        told = Happened(f"buckets from {first} on to primary {target}")
        self.happened.append(told)
        try:
            await self.cluster.run("db", "move", buckets, "--to", str(target))
        except RuntimeError as trouble:
            self.running.notebook.surprises[str(trouble)[-200:]] += 1
        else:
            told.recovered = time.monotonic() - began

    # Recoveries.

    def _goes_on(self) -> Callable[[], Awaitable[bool]]:
        """Whether all nodes are ready and people's moves are acknowledged, since now."""
        acks = self.running.notebook.acks
        before: list[int] = []

        async def is_so() -> bool:
            before.append(len(acks))
            ready = [await is_ready(self.cluster.ports[name]) for name in self.cluster.webs]
            return all(ready) and len(acks) >= before[0] + ENOUGH

        return is_so

    async def _on_the_bus(self) -> bool:
        """Whether every node is connected to some NATS server."""
        for name in self.cluster.webs:
            try:
                answer = await self.cluster.node(name).ask("GET", "/metrics", token="", seconds=5)
            except Exception:  # noqa: BLE001 - it is away, too
                return False
            if b"cartagena_bus_connected 1.0" not in answer.content:
                return False
        return True
