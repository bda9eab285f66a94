"""Where the growth curve is measured: primaries of their own, NATS, web nodes, a load generator."""

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg

from benchmarks.server_nodes import Driver, Node, backends, cpu_seconds, driver, web_node
from harness.cluster.databases import GAMES, Primary, spread
from harness.servers import OwnNats

ROOT: Final = Path(__file__).parents[1]
NO_LIMITS: Final = "1000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a time of load cost: moves a second, how long they took, and the processor time of each part."""

    per_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: dict[str, float]


class Place:
    """A service on some primaries; everything it starts ends with the stack it is given."""

    def __init__(self, python: str, folder: Path, primaries: int, opened: ExitStack) -> None:
        self.python = python
        self.folder = folder
        self.primaries = [Primary(folder / f"primary-{number}") for number in range(primaries)]
        self.dsns: list[str] = []
        self._opened = opened
        self._nats = OwnNats(folder / "nats")
        self.environment: dict[str, str] = {}

    def start(self) -> None:
        """Start databases and bus."""
        for primary in self.primaries:
            primary.start()
            self._opened.callback(primary.stop)
            self.dsns.append(asyncio.run(primary.create(GAMES)))
        address = self._nats.start()
        self._opened.callback(self._nats.stop)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "CARTAGENA_DIRECTORY": self.dsns[0],
            "CARTAGENA_SHARDS": spread(self.dsns),
            "CARTAGENA_NATS": address,
            "CARTAGENA_PACE": NO_LIMITS,
            "CARTAGENA_POOL": "8",
        }
        self.program("cartagena", "db", "upgrade")

    def program(self, *module: str) -> str:
        """Run a program in the interpreter that is measured; returns what it printed."""
        return subprocess.run(
            [self.python, "-m", *module], env=self.environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def node(self, name: str) -> Node:
        """A web node that is ready."""
        command = [self.python, "-m", "cartagena"]
        return self._opened.enter_context(web_node(command, self.environment, self.folder / f"{name}.log"))

    def games(self, number: int, moves: int) -> Driver:
        """Running games, and a load generator that plays them; one more is there for a crowd."""
        out = self.folder / f"games-{time.monotonic_ns()}.json"
        self.program(
            *("benchmarks.server_games", "--out", str(out)),
            *("--games", str(number + 1), "--moves", str(moves)),
        )
        return self._opened.enter_context(driver(self.python, out))

    def cpu(self, nodes: dict[str, Node]) -> dict[str, float]:
        """The processor time of each part so far."""
        nats = int((self.folder / "nats" / "pid").read_text(encoding="ascii"))
        return {
            **{name: cpu_seconds([node.pid]) for name, node in nodes.items()},
            "postgresql": sum(cpu_seconds(asyncio.run(backends(dsn))) for dsn in self.dsns),
            "nats": cpu_seconds([nats]),
        }

    def load(
        self, generator: Driver, seconds: float, nodes: dict[str, Node], rate: float | None = None
    ) -> Load:
        """Play for `seconds`, as fast as possible or at `rate`; return what each part spent on a move."""
        before = self.cpu(nodes)
        if rate is None:
            told = generator.do("flood", seconds=seconds)
        else:
            told = generator.do("drip", rate=rate, seconds=seconds)
        after = self.cpu(nodes)
        spent = {part: after[part] - before[part] for part in after} | {"generator": told["cpu_s"]}
        return Load(
            per_s=round(told["per_s"], 1),
            p50_ms=round(told["p50_ms"], 2),
            p99_ms=round(told["p99_ms"], 2),
            cpu_us={part: round(1e6 * seconds / told["sent"], 1) for part, seconds in spent.items()},
        )

    async def ask(self, statement: str, *values: object, place: int = 0) -> object:
        """The first value of an answer of one of the databases."""
        connection = await asyncpg.connect(self.dsns[place])
        try:
            return await connection.fetchval(statement, *values)
        finally:
            await connection.close()


@contextmanager
def opened_place(python: str, folder: Path, primaries: int = 1) -> Iterator[Place]:
    """A service on `primaries` primaries, gone at the end."""
    with ExitStack() as opened:
        place = Place(python, folder, primaries, opened)
        place.start()
        yield place
