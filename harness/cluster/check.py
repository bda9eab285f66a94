"""Prove that the cluster of `make cluster` works: through its proxy, by people who play, while it is changed.

Usage: python -m harness.cluster.check [--games 60] [--seconds 60] [--seed 1]

People play through TLS and the proxy; meanwhile buckets move between the primaries and a web node comes and
goes. In the end the checker of `make faults` reads all three stores.
"""

import argparse
import asyncio
import json
import ssl
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import nats
import nats.errors

from cartagena.server.store.databases import Databases
from cartagena.tables.ids import BUCKETS
from harness.cluster.command import FOLDER, keeper
from harness.cluster.servers import PRIMARIES, Cluster
from harness.faults.processes import is_ready, until
from harness.faults.run import Plan, Report, figures, ledger, play
from harness.faults.schedule import Happened
from harness.faults.sending import Running

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
        first = await self._first_with_a_game(number * (BUCKETS // PRIMARIES) % BUCKETS)
        buckets, target = f"{first}-{min(first + AT_ONCE, BUCKETS) - 1}", (number + 1) % PRIMARIES
        began = time.monotonic()
        told = json.loads(await self.cluster.run("db", "move", buckets, "--to", str(target), "--json"))
        self.pauses += [one["pause"] for one in told]
        self.games_moved += sum(one["games"] for one in told)
        self.happened.append(Happened(f"buckets {buckets} to primary {target}", time.monotonic() - began))

    async def _first_with_a_game(self, least: int) -> int:
        """The first bucket from this one on that holds a game; so that there is something to move."""
        found: list[int] = []

        async def there_is_one() -> bool:
            found[:] = sorted(bucket for bucket in await _buckets_with_games(self.cluster) if bucket >= least)
            return bool(found)

        await until(there_is_one, f"no game is in a bucket from {least} on")
        return found[0]

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


def main() -> int:
    """Check everything and print it; 0 if all holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=20.0, help="about how many choices a second")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if keeper() is None:
        print("There is no cluster; `make cluster` starts one.", file=sys.stderr)
        return 1
    cluster, _ = Cluster.noted(FOLDER)
    plan = Plan(
        games=given.games,
        timed=given.games,
        seconds=given.seconds,
        calm=20.0,
        rate=given.rate,
        pause=0,
        seed=given.seed,
        keep=None,
    )
    return asyncio.run(check(cluster, plan))


async def check(cluster: Cluster, plan: Plan) -> int:
    """Look at the parts, then at the whole while it is used."""
    held = [await one for one in (_nodes(cluster), _proxy(cluster), _bus(cluster), _standby(cluster))]
    courses: list[Maintenance] = []

    def course(running: Running, _: Random) -> Maintenance:
        courses.append(Maintenance(cluster, running))
        return courses[-1]

    report = await play(plan, cluster, course)
    for line in ledger(report):
        print(line)
    held += [await _spread(cluster), *_maintained(courses[0]), _judged(report)]
    for is_so, sentence in held:
        print(f"{'holds' if is_so else 'FAILS':10} {sentence}")
    print(json.dumps(figures(report) | _figures(courses[0])))
    return 0 if all(is_so for is_so, _ in held) else 1


Held = tuple[bool, str]


async def _nodes(cluster: Cluster) -> Held:
    ready = [await is_ready(cluster.ports[name]) for name in cluster.webs]
    return all(ready), f"{sum(ready)} of {len(ready)} web nodes are ready"


async def _proxy(cluster: Cluster) -> Held:
    trusting = ssl.create_default_context(cafile=cluster.proxy.certificate)
    trusting.set_alpn_protocols(["h2", "http/1.1"])
    _, writer = await asyncio.open_connection(
        "127.0.0.1", cluster.proxy.port, ssl=trusting, server_hostname="localhost"
    )
    spoken = writer.get_extra_info("ssl_object").selected_alpn_protocol()
    writer.close()
    return spoken == "h2", f"the proxy speaks {spoken} over TLS"


async def _ignored(_: Exception) -> None:
    """We know that we are refused."""


async def _bus(cluster: Cluster) -> Held:
    """Check that NATS refuses clients without a password, and that the three servers form one cluster."""
    refused = 0
    for name in cluster.nats:
        try:
            await nats.connect(
                f"nats://127.0.0.1:{cluster.ports[name]}", allow_reconnect=False, error_cb=_ignored
            )
        except (nats.errors.Error, OSError):
            refused += 1
    return refused == len(cluster.nats), f"{refused} of {len(cluster.nats)} NATS servers refuse strangers"


async def _standby(cluster: Cluster) -> Held:
    databases = await Databases.open(cluster.settings, program="cartagena check")
    try:
        states = [
            await pool.fetchval("SELECT string_agg(sync_state, ' ') FROM pg_stat_replication")
            for pool in databases.shards()
        ]
    finally:
        await databases.close()
    return states[0] == "sync", f"the standby of the first primary is {states[0]}"


async def _buckets_with_games(cluster: Cluster) -> set[int]:
    databases = await Databases.open(cluster.settings, program="cartagena check")
    try:
        return {
            row["bucket"]
            for pool in databases.shards()
            for row in await pool.fetch("SELECT DISTINCT shard.bucket_of(game_id) AS bucket FROM shard.games")
        }
    finally:
        await databases.close()


async def _spread(cluster: Cluster) -> Held:
    databases = await Databases.open(cluster.settings, program="cartagena check")
    try:
        games = [await pool.fetchval("SELECT count(*) FROM shard.games") for pool in databases.shards()]
    finally:
        await databases.close()
    return min(games) > 0, f"the primaries hold {', '.join(map(str, games))} games"


def _maintained(done: Maintenance) -> Iterator[Held]:
    longest = max(done.pauses, default=0.0)
    yield (
        bool(done.games_moved) and longest <= LONGEST_PAUSE,
        f"{len(done.pauses)} buckets with {done.games_moved} games moved; longest pause {longest:.2f} s",
    )
    for one in done.departures:
        told = f"a node with {one.streams} streams left"
        yield one.is_calm, f"{told}: {one.most_a_second} clients came back in the busiest second"


def _judged(report: Report) -> Held:
    return (
        report.is_good,
        f"{len(report.notebook.acks)} acknowledged, {len(report.verdict.troubles)} troubles",
    )


def _figures(done: Maintenance) -> dict[str, object]:
    return {
        "buckets_moved": len(done.pauses),
        "games_moved": done.games_moved,
        "longest_pause_s": round(max(done.pauses, default=0.0), 3),
        "departures": [[one.streams, one.most_a_second] for one in done.departures],
    }


if __name__ == "__main__":
    sys.exit(main())
