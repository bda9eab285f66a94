"""What is done to a cluster that works while people play: buckets move, a web node comes and goes."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Final

from cartagena.server.shared.ids import BUCKETS
from tools.cluster_servers import PRIMARIES, Cluster
from tools.faults_schedule import Happened
from tools.faults_sending import Running

PAUSE: Final = 2.0
AT_ONCE: Final = 170
"""Buckets to move at once: half of what a primary begins with, so that no primary is left without any."""
LONGEST_PAUSE: Final = 2.0
"""How many seconds a game may pause while its bucket moves."""
STORM: Final = 0.5
"""No second may bring back more than this share of the streams that a node had."""
FEW: Final = 5
STAY: Final = 10.0
"""How many seconds a node is there before it leaves: new streams go where the fewest are."""
DRAIN: Final = 6.0
"""How many seconds a client may take to come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """A web node that was taken away: its streams, and the most clients who came back in one second since.

    Only clients whose stream was closed by the server side count, by this node or by anything else.
    """

    streams: int
    most_a_second: int

    @property
    def is_calm(self) -> bool:
        """Whether they came back one after another."""
        return self.most_a_second <= max(FEW, STORM * self.streams)


@dataclass(slots=True)
class Maintenance:
    """Ordinary work on a running cluster, again and again."""

    cluster: Cluster
    running: Running
    happened: list[Happened] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    games_moved: int = 0
    departures: list[Departure] = field(default_factory=list)

    async def run(self, seconds: float) -> None:
        """Move buckets and change nodes until the time is up."""
        last_moment = time.monotonic() + seconds
        number = 0
        while time.monotonic() < last_moment:
            await self._move_buckets(number)
            await self._change_nodes(number)
            await asyncio.sleep(PAUSE)
            number += 1

    async def settled(self) -> None:
        """Nothing is left to recover."""

    async def _move_buckets(self, number: int) -> None:
        """Move half of a primary's buckets to the next primary, even while games run in them."""
        first = number * (BUCKETS // PRIMARIES) % BUCKETS
        buckets, target = f"{first}-{min(first + AT_ONCE, BUCKETS) - 1}", (number + 1) % PRIMARIES
        began = time.monotonic()
        told = json.loads(await self.cluster.run("db", "move", buckets, "--to", str(target), "--json"))
        self.pauses += [one["pause"] for one in told]
        self.games_moved += sum(one["games"] for one in told)
        self.happened.append(Happened(f"buckets {buckets} to primary {target}", time.monotonic() - began))

    async def _change_nodes(self, number: int) -> None:
        """Add a node, keep it for a while, then remove it."""
        name, began = f"web {10 + number}", time.monotonic()
        self.cluster.add_web(name)
        await self.cluster.wait_for(name)
        self.cluster.proxy.change([self.cluster.ports[one] for one in self.cluster.webs])
        self.happened.append(Happened(f"{name} added", time.monotonic() - began))
        await asyncio.sleep(STAY)
        streams = await self._streams_of(name)
        began = time.monotonic()
        returned = len(self.running.returns)
        await self.cluster.remove_web(name)
        self.happened.append(Happened(f"{name} removed", time.monotonic() - began))
        await asyncio.sleep(DRAIN)
        busiest = _busiest_second(self.running.returns[returned:])
        self.departures.append(Departure(streams=streams, most_a_second=busiest))

    async def _streams_of(self, name: str) -> int:
        answer = await self.cluster.node(name).ask("GET", "/metrics", token="", seconds=5)
        for line in answer.content.decode().splitlines():
            if line.startswith("cartagena_streams_open "):
                return int(float(line.split()[1]))
        return 0


def _busiest_second(moments: list[float]) -> int:
    """The most moments within any one second."""
    return max((sum(start <= one < start + 1 for one in moments) for start in moments), default=0)
