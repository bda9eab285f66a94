"""The faults of `make faults` and of a whole cluster, and how long the service takes to get over each."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final
from uuid import UUID

import asyncpg

from cartagena.tables.ids import BUCKETS
from harness.cluster.servers import PRIMARIES, Cluster
from harness.faults.processes import House, is_ready
from harness.faults.sending import Notebook, Running
from harness.http_client import Broken, Node
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
DOWN_SECONDS: Final = 1.0
"""How long something is away before it is started again."""
LONGEST_RECOVERY: Final = 120.0

AWAY: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What asyncpg raises when PostgreSQL is killed under it."""

BOTS_DUE: Final = """
SELECT game_id, seq FROM shard.games
WHERE stage = 2 AND wake_at IS NOT NULL AND wake_at IS DISTINCT FROM deadline
"""
STILL_THERE: Final = """
SELECT count(*) AS games
FROM shard.games g JOIN unnest($1::uuid[], $2::int[]) AS w (game_id, seq) USING (game_id)
WHERE g.seq = w.seq AND g.stage = 2
"""

Fault = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Happened:
    """A fault, and after how many seconds everything was well again; None if it never was."""

    name: str
    recovered: float | None = None


@dataclass(slots=True)
class Recoveries:
    """Watches what was broken until it is well again."""

    happened: list[Happened] = field(default_factory=list)
    _watches: set["asyncio.Task[None]"] = field(default_factory=set)

    def watch(self, name: str, is_well: Callable[[], Awaitable[bool]], *, patient: float = 0.2) -> None:
        """Watch a fault until it is repaired; do not look before `patient` seconds have passed."""
        one = Happened(name)
        self.happened.append(one)
        self._watches.add(asyncio.create_task(_recovery(one, is_well, patient)))

    async def settled(self) -> None:
        """Wait until everything has recovered, or never will."""
        await asyncio.gather(*self._watches)


async def _recovery(one: Happened, is_well: Callable[[], Awaitable[bool]], patient: float) -> None:
    began = time.monotonic()
    await asyncio.sleep(patient)
    while time.monotonic() < began + LONGEST_RECOVERY:
        if await is_well():
            one.recovered = time.monotonic() - began
            return
        await asyncio.sleep(0.2)


@dataclass(slots=True)
class Schedule:
    """Causes the faults, about `pause` seconds apart, and watches the recoveries meanwhile."""

    house: House
    nodes: tuple[Node, ...]
    notebook: Notebook
    chance: Random
    pause: float
    recoveries: Recoveries = field(default_factory=Recoveries)

    @property
    def happened(self) -> list[Happened]:
        """What was broken, and when it was well again."""
        return self.recoveries.happened

    async def run(self, seconds: float) -> None:
        """Cause every fault once, then again in another order until the time is up."""
        last_moment = time.monotonic() + seconds
        for number, fault in enumerate(self._endless()):
            if number >= len(self._once()) and time.monotonic() > last_moment:
                break
            await fault()
            await asyncio.sleep(self.chance.uniform(0.5, 1.5) * self.pause)

    async def settled(self) -> None:
        """Wait until everything has recovered, or never will."""
        await self.recoveries.settled()

    def _endless(self) -> Iterator[Callable[[], Awaitable[None]]]:
        faults = self._once()
        yield from faults
        while True:
            self.chance.shuffle(faults)
            yield from faults

    def _once(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            self._killing_worker("worker 1"),
            self._cutting(Cut.BEFORE_ANSWER),
            self._killing_web("web 1"),
            self._killing_worker("worker 2"),
            self._cutting(Cut.AT_ONCE),
            self._kill_nats,
            self._cutting(Cut.BEFORE_ANSWER),
            self._kill_postgres,
            self._killing_web("web 2"),
            self._shut,
            self._cutting(Cut.BEFORE_ANSWER),
        ]

    # Faults.

    def _killing_web(self, name: str) -> Callable[[], Awaitable[None]]:
        async def kill() -> None:
            self.house.children[name].kill()
            self.recoveries.watch(f"kill -9 {name}", lambda: is_ready(self.house.ports[name]))
            await asyncio.sleep(DOWN_SECONDS)
            self.house.children[name].start()
            await self.house.wait_for(name)

        return kill

    def _killing_worker(self, name: str) -> Callable[[], Awaitable[None]]:
        async def kill() -> None:
            self.house.children[name].kill()
            waiting = await self._bots_due()
            self.recoveries.watch(f"kill -9 {name}", lambda: self._have_moved(waiting))
            await asyncio.sleep(DOWN_SECONDS)
            self.house.children[name].start()

        return kill

    async def _kill_nats(self) -> None:
        self.house.children["nats"].kill()
        self.recoveries.watch("kill -9 nats", self._hear_each_other, patient=DOWN_SECONDS)
        await asyncio.sleep(DOWN_SECONDS)
        self.house.children["nats"].start()

    async def _kill_postgres(self) -> None:
        self.house.postgres.kill()
        count = len(self.notebook.acks)
        self.recoveries.watch("kill -9 postgresql", lambda: self._acknowledges_again(count + 10))
        await asyncio.sleep(DOWN_SECONDS)
        await asyncio.to_thread(self.house.postgres.start_again)

    def _cutting(self, how: Cut) -> Callable[[], Awaitable[None]]:
        async def cut() -> None:
            assert self.house.relay is not None
            if await self.house.relay.cut(how, within=CUT_SECONDS):
                began = asyncio.get_running_loop().time()
                self.recoveries.watch(f"cut: {how.value}", lambda: self._answers_since(began))

        return cut

    async def _shut(self) -> None:
        assert self.house.relay is not None
        self.recoveries.watch("postgresql out of reach", self._are_ready, patient=SHUT_SECONDS)
        await self.house.relay.shut(SHUT_SECONDS)

    # Recoveries.

    async def _are_ready(self) -> bool:
        return all([await is_ready(self.house.ports[name]) for name in ("web 1", "web 2")])

    async def _hear_each_other(self) -> bool:
        """Whether both nodes are on the bus again, by their own metrics."""
        try:
            answers = [await node.ask("GET", "/metrics", token="", seconds=5) for node in self.nodes]
        except Broken:
            return False
        return all(b"cartagena_bus_connected 1.0" in answer.content for answer in answers)

    async def _acknowledges_again(self, count: int) -> bool:
        return len(self.notebook.acks) >= count and await self._are_ready()

    async def _answers_since(self, moment: float) -> bool:
        return self.nodes[1].last_answer > moment

    async def _bots_due(self) -> list[tuple[UUID, int]]:
        rows = await self._fetch(BOTS_DUE)
        return [(row["game_id"], row["seq"]) for row in rows or ()]

    async def _have_moved(self, waiting: list[tuple[UUID, int]]) -> bool:
        """Whether a bot has acted in each game in which one was due."""
        rows = await self._fetch(STILL_THERE, [game for game, _ in waiting], [seq for _, seq in waiting])
        return rows is not None and rows[0]["games"] == 0

    async def _fetch(self, statement: str, *values: object) -> list[asyncpg.Record] | None:
        """The rows that PostgreSQL returns; None while it is away."""
        try:
            connection = await asyncpg.connect(self.house.dsn, timeout=5)
            try:
                return await connection.fetch(statement, *values)
            finally:
                await connection.close()
        except AWAY:
            return None


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
