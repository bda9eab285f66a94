"""How much of PostgreSQL's own speed is left when a move takes the whole path.

    python -m benchmarks.server_load --python .venv-compiled/bin/python

The whole path is: a client's POST, guard, rules, group commit, NATS, and the stream of another client on
a second web process that holds thousands of streams. It is measured in turns with bare pgbench, one
transaction a move, in the same database, so that a noisy machine disturbs both alike. Prints one JSON line;
the medians of all rounds count. Everything runs on this machine, in a database that is dropped at the end.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.pgbench import Pgbench
from benchmarks.server_nodes import (
    Driver,
    Node,
    backends,
    cpu_seconds,
    driver,
    resident_bytes,
    web_node,
)
from harness import ledger
from harness.servers import OwnNats
from harness.services import own_database, services

ROOT: Final = Path(__file__).parents[1]
NO_LIMITS: Final = "1000000"
STREAMS_OF_A_GAME: Final = 2
KIB: Final = 1024

Parts = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured, in seconds and numbers."""

    streams: int = 4_000
    crowd: int = 10_000
    rounds: int = 7
    seconds: int = 6
    warm_up: int = 5
    half_load: int = 15
    parts: int = 5
    hold: int = 20
    waves: int = 7
    moves: int = 250
    clients: int = 32
    in_flight: int = 128
    posts: int = 1
    """How many web processes take moves, beside the one that holds the streams."""

    @property
    def games(self) -> int:
        """How many games are played, apart from the one that the crowd watches."""
        return self.streams // STREAMS_OF_A_GAME


SHORT: Final = Plan(
    streams=1_000,
    crowd=2_000,
    rounds=3,
    seconds=3,
    warm_up=2,
    half_load=5,
    parts=2,
    hold=2,
    waves=3,
    moves=400,
)


@contextmanager
def database_of_this_run() -> Iterator[str]:
    """The address of a new database; the bench itself waits for programs and runs no loop."""
    postgres, _ = services()
    database = own_database(postgres.address(os.environ), "bench")
    with asyncio.Runner() as runner:
        dsn = runner.run(database.__aenter__())
        try:
            yield dsn
        finally:
            runner.run(database.__aexit__(None, None, None))


def environment_of(dsn: str, nats: str) -> dict[str, str]:
    """What the processes of a run find in their environment."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "CARTAGENA_DIRECTORY": dsn,
        "CARTAGENA_NATS": nats,
        "CARTAGENA_PACE": NO_LIMITS,
    }


def prepare(python: str, environment: dict[str, str], out: Path, *, games: int, moves: int) -> object:
    """Prepare games in the interpreter that is measured; returns which engine it has."""

    def program(*module: str) -> str:
        command = [python, "-m", *module]
        return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    program("cartagena", "db", "upgrade")
    wish = ["--out", str(out), "--games", str(games), "--moves", str(moves)]
    engine: object = json.loads(program("benchmarks.server_games", *wish))["engine"]
    return engine


class Bench:
    """One run: two web nodes, NATS, PostgreSQL, the generator and pgbench on one machine."""

    def __init__(self, plan: Plan, python: str, dsn: str, folder: Path, opened: ExitStack) -> None:
        self._plan = plan
        self._python = python
        self._dsn = dsn
        self._folder = folder
        self._opened = opened
        nats = OwnNats(folder / "nats")
        address = nats.start()
        opened.callback(nats.stop)
        self._nats = int((folder / "nats" / "pid").read_text(encoding="ascii"))
        self._environment = environment_of(dsn, address)
        self._tell = Console(stderr=True).log

    def run(self) -> dict[str, object]:
        """All measurements, one after the other."""
        plan, engine = self._plan, self._prepare()
        pgbench = Pgbench(self._dsn, self._folder, games=plan.games, clients=plan.clients)
        asyncio.run(pgbench.set_up())
        load = self._opened.enter_context(driver(self._python, self._folder / "games.json"))
        streams = self._node("streams")
        webs = [self._node(f"web{number}") for number in range(plan.posts)]
        before = resident_bytes(streams.pid)
        held = load.do("listen", port=streams.port)
        each = (resident_bytes(streams.pid) - before) / held["open"] / KIB
        self._tell(f"{held['open']:.0f} streams are open")
        load.do("connect", ports=[web.port for web in webs], number=plan.in_flight)
        load.do("flood", seconds=plan.warm_up)
        rounds, cpu = self._rounds(pgbench, load, webs, streams)
        whole = statistics.median(rate for _, rate in rounds)
        bare = pgbench.milliseconds_of_99_percent(whole / 2, plan.half_load)
        half = load.do("drip", rate=whole / 2, seconds=plan.half_load)
        still = load.do("count")["open"]
        return {
            "ratio_whole_path_to_pgbench": round(statistics.median(ours / bare for bare, ours in rounds), 3),
            "whole_path_per_s": round(whole),
            "pgbench_per_s": round(statistics.median(bare for bare, _ in rounds)),
            "rounds": [(round(bare), round(ours)) for bare, ours in rounds],
            "half_load": {
                "per_s": round(half["per_s"]),
                "p50_ms": round(half["p50_ms"], 2),
                "p99_ms": round(half["p99_ms"], 2),
                "pgbench_p99_ms": round(bare, 2),
                "missing": half["missing"],
            },
            "streams": {"open": still, "kib_each": round(each, 1)},
            "cpu_us_per_move": cpu,
            "web_us_per_move": self._parts(load),
            "crowd": self._crowd(load, webs[0]),
            "web_processes": plan.posts,
            "engine": engine,
        }

    def _prepare(self) -> object:
        """Prepare the games in an interpreter of its own; returns which engine it has."""
        out, plan = self._folder / "games.json", self._plan
        engine = prepare(self._python, self._environment, out, games=plan.games + 1, moves=plan.moves)
        self._tell(f"{plan.games} games are prepared")
        return engine

    def _node(self, name: str, *program: str) -> Node:
        command = [self._python, "-m", *(program or ("cartagena",))]
        return self._opened.enter_context(web_node(command, self._environment, self._folder / f"{name}.log"))

    def _rounds(
        self, pgbench: Pgbench, load: Driver, webs: list[Node], streams: Node
    ) -> tuple[list[tuple[float, float]], Parts]:
        """Rates of pgbench and of the whole path, in turns, and what a move costs each process."""
        rounds: list[tuple[float, float]] = []
        costs: list[Parts] = []
        for number in range(self._plan.rounds):
            bare = pgbench.moves_per_second(self._plan.seconds)
            before = self._cpu(webs, streams)
            figures = load.do("flood", seconds=self._plan.seconds)
            after = self._cpu(webs, streams)
            if figures["missing"]:
                raise SystemExit(f"{figures['missing']:.0f} moves never reached the other client's stream")
            rounds.append((bare, figures["per_s"]))
            spent = {part: after[part] - before[part] for part in after} | {"generator": figures["cpu_s"]}
            costs.append({part: 1e6 * seconds / figures["sent"] for part, seconds in spent.items()})
            self._tell(
                f"round {number + 1}: pgbench {bare:.0f}/s, whole path {figures['per_s']:.0f}/s, "
                f"ratio {figures['per_s'] / bare:.3f}, p50 {figures['p50_ms']:.1f} ms"
            )
        return rounds, {part: round(statistics.median(cost[part] for cost in costs)) for part in costs[0]}

    def _cpu(self, webs: list[Node], streams: Node) -> Parts:
        return {
            "web": cpu_seconds(web.pid for web in webs),
            "streams": cpu_seconds([streams.pid]),
            "postgresql": cpu_seconds(asyncio.run(backends(self._dsn))),
            "nats": cpu_seconds([self._nats]),
        }

    def _parts(self, load: Driver) -> Parts:
        """Where the web process spends the time of a move: a node with stopwatches."""
        spent_file = self._folder / "spent.json"
        node = self._node("parts", "benchmarks.server_parts", str(spent_file))
        load.do("connect", ports=[node.port], number=self._plan.in_flight)
        load.do("flood", seconds=self._plan.warm_up)
        os.kill(node.pid, signal.SIGUSR1)
        figures = load.do("flood", seconds=self._plan.parts)
        os.kill(node.pid, signal.SIGUSR2)
        while not spent_file.exists():
            time.sleep(0.05)
        spent: dict[str, int] = json.loads(spent_file.read_text(encoding="utf-8"))
        return {part: round(nanoseconds / 1e3 / figures["sent"], 1) for part, nanoseconds in spent.items()}

    def _crowd(self, load: Driver, web: Node) -> Parts:
        """Thousands of streams of one table in one process: their memory, and how soon all are told."""
        plan, node = self._plan, self._node("crowd")
        load.do("connect", ports=[web.port], number=1)
        before = resident_bytes(node.pid)
        began = time.monotonic()
        load.do("gather", port=node.port, number=plan.crowd)
        seconds = time.monotonic() - began
        memory = resident_bytes(node.pid) - before
        waves = []
        for _ in range(plan.waves):
            time.sleep(plan.hold / plan.waves)
            waves.append(load.do("wave"))
        return {
            "held": load.do("count")["crowd"],
            "reached": min(wave["reached"] for wave in waves),
            "first_ms": round(statistics.median(wave["first_ms"] for wave in waves), 1),
            "last_ms": round(statistics.median(wave["last_ms"] for wave in waves), 1),
            "kib_each": round(memory / plan.crowd / KIB, 1),
            "opened_per_s": round(plan.crowd / seconds),
        }


def main() -> None:
    """Measure everything and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="a Python with the compiled engine")
    parser.add_argument("--short", action="store_true", help="smaller numbers, in less than a minute")
    parser.add_argument("--posts", type=int, default=1, help="how many web processes take moves")
    parser.add_argument("--ledger", help="keep the line in benchmarks/results/LEDGER.jsonl too")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, database_of_this_run() as dsn, ExitStack() as opened:
        plan = replace(SHORT if wish.short else Plan(), posts=wish.posts)
        figures = Bench(plan, wish.python, dsn, Path(folder), opened).run()
    print(json.dumps(figures))
    if wish.ledger:
        ledger.append(wish.ledger, **figures)


if __name__ == "__main__":
    main()
