"""The world of one seed: databases, nodes, tables and people, and what is known about all of them.

A node runs the parts of the service as they are, on simulated databases and a simulated bus.
"""

import asyncio
from collections.abc import Collection
from random import Random
from typing import Any, Final, cast
from uuid import UUID

from prometheus_client import CollectorRegistry

from cartagena.fairness import commit
from cartagena.rules.hidden.view import view
from cartagena.rules.ruleset import PRESETS
from cartagena.server.bus.announcer import BusAnnouncer
from cartagena.server.bus.messages import Announcement, Closing, Wake
from cartagena.server.http.streams.catch_up import Watching
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.store.databases import Databases
from cartagena.server.store.due_games import ShardTimers
from cartagena.server.store.games import Games
from cartagena.server.store.shards import Pool, ShardMap
from cartagena.server.worker.bot_players import Chosen, Players
from cartagena.server.worker.due_tables import DueTables
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.server.worker.timers import DueTimers, Pace
from cartagena.tables import seating
from cartagena.tables.creating import NewTable
from cartagena.tables.ports import Sender
from cartagena.tables.seating import Sitter, Terms, open_sheet
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Clock
from cartagena.tables.table import Change, Table
from harness.simulation.bus import STREAMS, Ether, NetworkWeather, SimulatedBus
from harness.simulation.database import Database, Heard
from harness.simulation.event_loop import MACHINE, Machine, SimulatedLoop
from harness.simulation.history import History
from harness.simulation.pool import SimulatedPool

LEASE = 10_000


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

    async def choose(self, table: Table) -> Chosen:
        """A legal code."""
        await asyncio.sleep(self._chance.expovariate(1 / 0.1))
        assert table.position is not None
        assert table.to_act is not None
        legal = view(table.position, table.to_act).legal
        assert legal
        return Chosen(self._chance.choice(legal))

    def keep(self, table: Table, ahead: tuple[int, ...]) -> None:
        """They plan nothing."""

    def are_crowded(self, _: Table) -> bool:
        """Never."""
        return False

    def end(self) -> None:
        """Nothing is pending."""


WITH_STANDBY: Final = 0.6
PLACES: Final = 2
"""How many databases of games there are; buckets move between them."""


class World:
    """Everything that belongs to one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.loop = SimulatedLoop(Random(seed + 1))  # type: ignore[abstract]  # as much as is asked for
        self.weather = NetworkWeather(self.chance, is_fine=True)
        self.history = History()
        self.heard: list[Heard] = []
        has_standby = self.chance.random() < WITH_STANDBY
        self.databases = tuple(
            Database(
                place,
                self.loop,
                self.chance,
                has_standby=has_standby,
                hear=self.heard.append,
                undone=lambda game_id, seqs: self.history.undone[game_id].update(seqs),
            )
            for place in range(PLACES)
        )
        dsns = [f"postgresql://simulated/{database.place}" for database in self.databases]
        self.shard_map = ShardMap.parse(f"0-1023={dsns[0]},none={dsns[1]}")
        self.ether = Ether(self.loop, self.weather)
        self.revoked = Revoked()
        self.nodes: list[Node] = []
        self.tables: list[UUID] = []
        self.is_closing = False

    def new_uuid(self) -> UUID:
        """A new id."""
        return UUID(int=self.chance.getrandbits(128), version=4)

    def connected(self) -> Databases:
        """Connections to all databases, for one process."""
        pools = tuple(
            cast("Pool", SimulatedPool(database, self.loop, self.chance, self.weather))
            for database in self.databases
        )
        return Databases(pools[0], pools, self.shard_map)

    # Nodes.

    def start_node(self) -> Node:
        """One more node, on a machine of its own."""
        machine = self.loop.add(Machine(f"node {len(self.nodes)}"))
        node = machine.context().run(Node, self)
        self.nodes.append(node)
        self.loop.on(machine, node.run())
        return node

    def running(self) -> list[Node]:
        """The nodes that are not lost."""
        return [node for node in self.nodes if not node.machine.is_lost]

    def any_node(self) -> Node:
        """One of them, as a balancer would choose."""
        return self.chance.choice(self.running())

    # Tables.

    async def open_table(self, players: list[UUID], bots: int, clock: Clock) -> UUID:
        """A table whose game has begun."""
        node = self.any_node()
        made = NewTable(1_700_000_000_000, self.chance.randbytes)
        terms = Terms(
            ruleset=PRESETS[self.chance.choice(("tortuga", "jamaica", "nest"))],
            seats=len(players) + bots,
            clock=clock,
            listed=True,
            rated=False,
            spectators=True,
            bots=("deckhand",) * bots,
        )
        sitters = [Sitter(player=player, name=f"p{i}", guest=True) for i, player in enumerate(players)]
        sheet = open_sheet(terms, sitters[0], invite=made.invite, commitment=commit(made.secret))
        await node.store.open(made.id, sheet, made.secret, self._sender(players[0]))
        for sitter in sitters[1:]:

            def sit(table: Any, sitter: Sitter = sitter) -> Change:
                return seating.sit(table, sitter, None)

            await node.tables.change(made.id, self._sender(sitter.player), sit)
        await node.tables.change(made.id, self._sender(players[0]), seating.start)
        self.tables.append(made.id)
        return made.id

    def _sender(self, player: UUID) -> Sender:
        return Sender(player=player, key=self.new_uuid())
