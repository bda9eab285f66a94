"""How cost grows: with stored games, with spectators of one table, with shards; and what a game weighs.

    python -m benchmarks.scale [--short] [--only stored --only crowd --only shards]

Each point is a line in benchmarks/results/scale.jsonl. `python -m
benchmarks.scale_page` turns the ledger into the tables and plots of docs/scale.md. The load generator runs on
the same machine, and its processor time is told apart.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.pgbench import Pgbench
from benchmarks.scale_places import Place, opened_place
from benchmarks.scale_stored import fold_all, store
from benchmarks.server_nodes import resident_bytes
from harness import ledger

LEDGER: Final = "scale"
KIB: Final = 1024
FINISHED: Final = 40
"""Games that are played to their end, to be weighed and copied."""
DELIVERIES: Final = 5_000
LOADS_A_SECOND: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How far the curves go, and how long each point is measured."""

    stored: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    live: int = 10_000
    crowds: tuple[int, ...] = (1, 10, 100, 1_000, 10_000)
    shards: tuple[int, ...] = (1, 2, 3)
    seconds: float = 4.0
    moves: int = 200
    in_flight: int = 96
    waves: int = 5
    pgbench_games: int = 2_000


SHORT: Final = Plan(stored=(200, 2_000), live=400, crowds=(1, 100), shards=(1, 2), seconds=1.0, waves=2)


class Curves:
    """All curves; each point is written down as soon as it is known."""

    def __init__(self, plan: Plan, python: str, folder: Path) -> None:
        self._plan = plan
        self._python = python
        self._folder = folder
        self._tell = Console(stderr=True).log

    def _keep(self, curve: str, **figures: object) -> None:
        self._tell(f"{curve}: {figures}")
        ledger.append(LEDGER, curve=curve, plan="short" if self._plan == SHORT else "full", **figures)

    def _place(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir()
        folder.chmod(0o755)  # PostgreSQL may run as another user
        return folder

    def stored(self) -> None:
        """Moves in live games while more and more others are stored beside them."""
        plan = self._plan
        with opened_place(self._python, self._place("stored")) as place:
            place.program("benchmarks.scale_stored", str(FINISHED))
            self._keep("weight", **asyncio.run(fold_all(place)))
            for games in plan.stored:
                live = min(plan.live, games // 5)
                with_these = place.games(live, plan.moves)
                asyncio.run(store(place, games))
                web = place.node(f"web-{games}")
                with_these.do("connect", ports=[web.port], number=min(plan.in_flight, live // 2))
                held = resident_bytes(web.pid)
                # Until every game was loaded once: how a cold node begins is another matter.
                with_these.do("flood", seconds=max(plan.seconds, live / LOADS_A_SECOND))
                table_kib = (resident_bytes(web.pid) - held) / live / KIB
                full = place.load(with_these, plan.seconds, {"web": web})
                half = place.load(with_these, plan.seconds, {"web": web}, full.per_s / 2)
                size = asyncio.run(place.ask("SELECT pg_database_size(current_database())"))
                self._keep(
                    "stored",
                    games=games,
                    live=live,
                    full=asdict(full),
                    half=asdict(half),
                    database_mb=int(str(size)) >> 20,
                    table_kib=round(table_kib, 1),
                )
                web.process.terminate()

    def crowd(self) -> None:
        """One table that more and more people watch, all on one process."""
        plan = self._plan
        with opened_place(self._python, self._place("crowd")) as place:
            for number in plan.crowds:
                generator = place.games(1, plan.moves)
                web, streams = place.node(f"web-{number}"), place.node(f"streams-{number}")
                generator.do("connect", ports=[web.port], number=1)
                held = resident_bytes(streams.pid)
                generator.do("gather", port=streams.port, number=number)
                memory = resident_bytes(streams.pid) - held
                generator.do("wave")
                before = place.cpu({"streams": streams})
                # Processor time is counted in hundredths of a second, so few deliveries need many waves.
                times = min(plan.moves // 2, max(plan.waves, DELIVERIES // number))
                waves = [generator.do("wave") for _ in range(times)]
                after = place.cpu({"streams": streams})
                spent = after["streams"] - before["streams"]
                self._keep(
                    "crowd",
                    spectators=number,
                    reached=min(wave["reached"] for wave in waves),
                    first_ms=round(statistics.median(wave["first_ms"] for wave in waves), 2),
                    last_ms=round(statistics.median(wave["last_ms"] for wave in waves), 2),
                    us_a_delivery=round(1e6 * spent / times / number, 1),
                    kib_each=round(memory / number / KIB, 1),
                )
                for node in (web, streams):
                    node.process.terminate()

    def shards(self) -> None:
        """Put one load on one, two and three primaries, beside bare pgbench on all of them at once."""
        plan = self._plan
        for number in plan.shards:
            with opened_place(self._python, self._place(f"shards-{number}"), number) as place:
                generator = place.games(min(plan.live, 2_000), plan.moves)
                webs = {f"web{one}": place.node(f"web-{one}") for one in range(2)}
                generator.do("connect", ports=[web.port for web in webs.values()], number=plan.in_flight)
                generator.do("flood", seconds=plan.seconds)
                rounds = []
                for _ in range(3):
                    bare = self._pgbench(place)
                    rounds.append((bare, place.load(generator, plan.seconds, webs)))
                loads = [load for _, load in rounds]
                self._keep(
                    "shards",
                    shards=number,
                    pgbench_per_s=round(statistics.median(bare for bare, _ in rounds)),
                    per_s=round(statistics.median(load.per_s for load in loads)),
                    ratio=round(statistics.median(load.per_s / bare for bare, load in rounds), 3),
                    cpu_us={
                        part: round(statistics.median(load.cpu_us[part] for load in loads), 1)
                        for part in loads[0].cpu_us
                    },
                )

    def _pgbench(self, place: Place) -> float:
        """Moves a second of pgbench on all primaries at once."""
        plan = self._plan
        benches = []
        for number, dsn in enumerate(place.dsns):
            folder = place.folder / f"pgbench-{number}"
            bench = Pgbench(dsn, folder, games=plan.pgbench_games, clients=32 // len(place.dsns))
            if not folder.exists():
                folder.mkdir()
                asyncio.run(bench.set_up())
            benches.append(bench)
        with ThreadPoolExecutor(len(benches)) as threads:
            seconds = max(1, int(plan.seconds))
            rates: list[float] = list(threads.map(lambda bench: bench.moves_per_second(seconds), benches))
        return sum(rates)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="a Python with the compiled engine")
    parser.add_argument("--short", action="store_true", help="smaller numbers, in two minutes")
    parser.add_argument("--only", action="append", choices=("stored", "crowd", "shards"))
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cartagena-scale-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        curves = Curves(SHORT if wish.short else Plan(), wish.python, folder)
        all_of_them: dict[str, Callable[[], None]] = {
            "shards": curves.shards,
            "crowd": curves.crowd,
            "stored": curves.stored,
        }
        for curve, measure in all_of_them.items():
            if not wish.only or curve in wish.only:
                measure()


if __name__ == "__main__":
    main()
