"""A simulated node: the parts of the service as they are, on simulated databases and a simulated bus."""

import asyncio
from collections.abc import Collection
from random import Random
from typing import TYPE_CHECKING, cast
from uuid import UUID

from prometheus_client import CollectorRegistry

from cartagena.rules.hidden.view import view
from cartagena.server.bus.announcer import BusAnnouncer
from cartagena.server.bus.messages import Announcement, Closing, Wake
from cartagena.server.http.streams.catch_up import Watching
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import StreamSettings
from cartagena.server.store.games import Games
from cartagena.server.store.timers import ShardTimers
from cartagena.server.tables.service import Tables
from cartagena.server.tables.table import Table
from cartagena.server.worker.bot_players import Players
from cartagena.server.worker.due_tables import DueTables
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.server.worker.timers import DueTimers, Pace
from harness.simulation.bus import SimulatedBus
from harness.simulation.event_loop import MACHINE

if TYPE_CHECKING:
    from harness.simulation.world import World

LEASE = 10_000
STREAMS = StreamSettings(pace=1_000.0, sessions_every=3.0)
"""Limits are tested elsewhere, with real time; sessions are asked after sooner, because a run is short."""


class Revoked:
    """The sessions that ended; it fits the port `http.streams.ports.SessionCheck`."""

    def __init__(self) -> None:
        self.since: dict[UUID, float] = {}

    async def ended_among(self, session_ids: Collection[UUID]) -> Collection[UUID]:
        """Which of these sessions are no longer valid."""
        return [session for session in session_ids if session in self.since]


class NoLobby:
    """A lobby in which nothing is listed."""

    async def listing(self) -> bytes:
        """The list of tables that it shows."""
        return b"[]"


class Node:
    """A web node and a worker in one process."""

    def __init__(self, world: "World") -> None:
        self.machine = MACHINE.get()
        chance = world.chance
        self.databases = world.connected()
        self.store = Games(self.databases)
        self.bus = SimulatedBus(world.ether, world.loop)
        self.announcer = BusAnnouncer(self.bus)
        self.tables = Tables(self.store, self.announcer, room=100)
        self.hub = StreamHub(
            Watching(self.tables, self.store), NoLobby(), world.revoked, chance=chance, settings=STREAMS
        )
        metrics = WorkerMetrics(CollectorRegistry())
        attendant = DueTables(
            claims=ShardTimers(self.databases),
            tables=self.tables,
            players=cast("Players", Bots(chance)),
            chance=chance.randbytes,
            metrics=metrics,
            lease=LEASE,
        )
        self.wakes = DueTimers(attendant, Pace(poll_seconds=1.0))

    async def run(self) -> None:
        """Begin, and go on until the machine is lost."""
        await self.bus.subscribe(Announcement, self.hub.announce)
        await self.bus.subscribe(Closing, self.hub.dismiss)
        await self.bus.subscribe(Wake, lambda wake: self.wakes.nudge(wake.bucket))
        self.hub.start()
        while True:
            try:
                await self.databases.whereabouts.learn()
                break
            except OSError:
                await asyncio.sleep(0.2)
        await self.wakes.run()


class Bots:
    """Choose a random legal action after a while; the part of `worker.bot_players.Players` that is used."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    async def choose(self, table: Table) -> int:
        """A legal code."""
        await asyncio.sleep(self._chance.expovariate(1 / 0.1))
        assert table.position is not None
        assert table.to_act is not None
        legal = view(table.position, table.to_act).legal
        assert legal
        return self._chance.choice(legal)

    def are_crowded(self, _: Table) -> bool:
        """Never."""
        return False

    def end(self) -> None:
        """Nothing is pending."""
