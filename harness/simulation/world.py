"""The world of one seed: databases, nodes, tables and people, and what is known about all of them."""

from random import Random
from typing import Any, Final, cast
from uuid import UUID

from cartagena.fairness import commit
from cartagena.rules.ruleset import PRESETS
from cartagena.server.store.databases import Databases
from cartagena.server.store.shards import Pool, ShardMap
from cartagena.server.tables import seating
from cartagena.server.tables.creating import New
from cartagena.server.tables.ports import Sender
from cartagena.server.tables.seating import Sitter, Terms, open_sheet
from cartagena.server.tables.sheet import Clock
from cartagena.server.tables.table import Change
from harness.simulation.bus import Ether, NetworkWeather
from harness.simulation.database import Database, Heard
from harness.simulation.event_loop import Machine, SimulatedLoop
from harness.simulation.history import History
from harness.simulation.node import Node, Revoked
from harness.simulation.pool import SimulatedPool

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
        made = New(1_700_000_000_000, self.chance.randbytes)
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
