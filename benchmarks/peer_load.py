"""How many moves a second we carry, and how soon they arrive, beside boardgame.io on this machine.

    python -m benchmarks.peer_load --python .venv-compiled/bin/python

Three servers take turns: ours (one web process, PostgreSQL and NATS; a move is on the disk before it is
answered), boardgame.io that keeps matches in memory, and boardgame.io that keeps them in files. 128 moves are
under way at a time; each counts when the *other* client of its game has heard of it. Its moves ask no rules
and hide nothing, which is in its favour. After the full load all three get the same loads: a quarter, a half
and three quarters of what boardgame.io carries in memory. Prints one JSON line.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.server_load import database_of_this_run, environment_of, prepare
from benchmarks.server_nodes import Driver, driver, ended, web_node
from harness import ledger
from harness.servers import OwnNats, free_port

PEER: Final = Path(__file__).parent / "peer"
UNDER_WAY: Final = 128
GAMES: Final = 1_000
MOVES: Final = 250
WARM_UP: Final = 3
LOADS: Final = (0.25, 0.5, 0.75)
MEMORY: Final = "boardgame.io, in memory"
FILES: Final = "boardgame.io, in files"
OURS: Final = "cartagena"
START_SECONDS: Final = 30.0

Figures = dict[str, float]


class Sides:
    """The three servers, each with its clients."""

    def __init__(self, python: str, dsn: str, folder: Path, opened: ExitStack) -> None:
        self.engine: object = None
        self._folder = folder
        self._opened = opened
        self.all: dict[str, Driver] = {
            OURS: self._ours(python, dsn),
            MEMORY: self._peer(),
            FILES: self._peer(str(folder / "matches")),
        }

    def _ours(self, python: str, dsn: str) -> Driver:
        nats, games = OwnNats(self._folder / "nats"), self._folder / "games.json"
        environment = environment_of(dsn, nats.start())
        self._opened.callback(nats.stop)
        # The last game is the one that a crowd would watch.
        self.engine = prepare(python, environment, games, games=GAMES + 1, moves=MOVES)
        load = self._opened.enter_context(driver(python, games))
        program = [python, "-m", "cartagena"]
        node = self._opened.enter_context(web_node(program, environment, self._folder / "web.log"))
        load.do("listen", port=node.port)
        load.do("connect", ports=[node.port], number=UNDER_WAY)
        return load

    def _peer(self, *folder: str) -> Driver:
        port = free_port()
        self._opened.enter_context(peer_server(port, *folder))
        clients = self._opened.enter_context(peer_clients())
        clients.do("open", port=port, matches=UNDER_WAY)
        return clients


@contextmanager
def peer_server(port: int, *folder: str) -> Iterator[None]:
    """A server of boardgame.io that takes requests, until the end of the block."""
    command = ["node", str(PEER / "server.js"), str(port), *folder]
    environment = {**os.environ, "NODE_ENV": "production"}
    pipe = subprocess.PIPE
    with ended(subprocess.Popen(command, stdout=pipe, env=environment)) as process:
        assert process.stdout is not None
        last_moment = time.monotonic() + START_SECONDS
        while process.stdout.readline() != b"ready\n":
            if process.poll() is not None or time.monotonic() > last_moment:
                raise SystemExit("boardgame.io did not start; `npm install` in benchmarks/peer brings it")
        yield


@contextmanager
def peer_clients() -> Iterator[Driver]:
    """The clients of one server of boardgame.io."""
    pipe = subprocess.PIPE
    command = ["node", str(PEER / "clients.js")]
    with ended(subprocess.Popen(command, stdin=pipe, stdout=pipe)) as process:
        yield Driver(process)


def measured(sides: Sides, work: Callable[[Driver], Figures], rounds: int, tell: str) -> dict[str, Figures]:
    """The medians of what each side did, in turns."""
    console = Console(stderr=True)
    told: dict[str, list[Figures]] = {name: [] for name in sides.all}
    for _ in range(rounds):
        for name, load in sides.all.items():
            figures = work(load)
            told[name].append(figures)
            console.log(
                f"{tell}: {name} {figures['per_s']:.0f}/s, "
                f"p50 {figures['p50_ms']:.1f} ms, p99 {figures['p99_ms']:.1f} ms"
            )
    return {name: medians(some) for name, some in told.items()}


def medians(some: list[Figures]) -> Figures:
    """The median of each figure; what is missing is counted, not averaged."""
    figures = {key: round(statistics.median(one[key] for one in some), 2) for key in ("p50_ms", "p99_ms")}
    rate = round(statistics.median(one["per_s"] for one in some))
    return {"per_s": rate, **figures, "missing": sum(one["missing"] for one in some)}


def compared(sides: Sides, *, rounds: int, seconds: float) -> dict[str, object]:
    """All measurements, one after the other."""
    for load in sides.all.values():
        load.do("flood", seconds=WARM_UP)
    full = measured(sides, partial(Driver.do, what="flood", seconds=seconds), rounds, "full load")
    peer = full[MEMORY]["per_s"]
    loads = {
        f"{part:.0%} of it": measured(
            sides, partial(Driver.do, what="drip", rate=peer * part, seconds=seconds), rounds, f"{part:.0%}"
        )
        for part in LOADS
    }
    return {
        "ratio_to_memory": round(full[OURS]["per_s"] / peer, 3),
        "ratio_to_files": round(full[OURS]["per_s"] / full[FILES]["per_s"], 3),
        "full_load": full,
        **loads,
        "engine": sides.engine,
    }


def main() -> None:
    """Measure everything and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="a Python with the compiled engine")
    parser.add_argument("--rounds", type=int, default=5, help="how often each server has its turn")
    parser.add_argument("--seconds", type=float, default=4.0, help="how long a turn lasts")
    parser.add_argument("--ledger", help="keep the line in benchmarks/results/LEDGER.jsonl too")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, database_of_this_run() as dsn, ExitStack() as opened:
        sides = Sides(wish.python, dsn, Path(folder), opened)
        figures = compared(sides, rounds=wish.rounds, seconds=wish.seconds)
    print(json.dumps(figures))
    if wish.ledger:
        ledger.append(wish.ledger, **figures)


if __name__ == "__main__":
    main()
