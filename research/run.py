"""Play the games of experiments that are missing, on all cores of this machine or of a Ray cluster.

    python -m research.run league                          every cell, as many games as a whole run has
    python -m research.run bars --only captain-bosun       one cell
    python -m research.run league --address 10.0.0.1:6379  on a cluster (docs/bots/research-runs.md)

Finished batches are kept as Parquet files in build/research/, and a run that was stopped continues behind
them. A summary of all games goes into research/results/ at the end, and once an hour on the way: a run
continues from that too.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import ray
from pyarrow import parquet
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from research.arena_bars import ARENA_BARS
from research.calibration import CALIBRATION, CONFIDENCE_STUDY
from research.experiment import (
    SEED,
    Experiment,
    Game,
    Row,
    Summary,
    summary_of,
    summed,
    write_summaries,
)
from research.league import LEAGUE
from research.openspiel_match import OPENSPIEL_MATCH
from research.seat_advantage import SEAT_ADVANTAGE

ROOT: Final = Path(__file__).parents[1]
PARTS: Final = ROOT / "build" / "research"
AHEAD: Final = 2
"""How many batches for each core are under way or wait."""
HOUR: Final = 3600

EXPERIMENTS: Final = {
    experiment.name: experiment
    for experiment in (ARENA_BARS, LEAGUE, CONFIDENCE_STUDY, CALIBRATION, SEAT_ADVANTAGE, OPENSPIEL_MATCH)
}


class Batch(NamedTuple):
    """Some games of a cell, from `first` up to, not including, `end`."""

    cell: str
    first: int
    end: int


class Parts:
    """The finished batches of one experiment and seed: a Parquet file for each, or nothing."""

    def __init__(self, experiment: Experiment, seed: str, folder: Path | None = None) -> None:
        self.experiment = experiment
        self.folder = (folder or PARTS) / experiment.name / f"seed-{seed}"

    def file(self, batch: Batch) -> Path:
        """Where a batch is kept; other versions of the bots have other folders."""
        bots = re.sub(r"\W+", "-", self.experiment.bots(batch.cell))
        return self.folder / batch.cell.replace(" ", "-") / bots / f"{batch.first:08}-{batch.end:08}.parquet"

    def read(self, batch: Batch) -> list[Row]:
        """The games of a batch that was kept."""
        rows: list[Row] = parquet.read_table(self.file(batch)).to_pylist()
        return rows

    def write(self, batch: Batch, rows: list[Row]) -> None:
        """Keep a batch; a crash leaves the whole file or none."""
        file = self.file(batch)
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(".unfinished")
        parquet.write_table(pa.Table.from_pylist(rows), unfinished)
        unfinished.replace(file)


def play_batch(experiment: Experiment, batch: Batch, seed: str) -> list[Row]:
    """Play the games of a batch."""
    games = (Game(experiment.name, batch.cell, number, seed) for number in range(batch.first, batch.end))
    return [{"number": game.number, **experiment.play(game)} for game in games]


# A task whose node is lost is played again elsewhere; an error of a game itself ends the run.
_play_batch: Final = ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")(play_batch)


def batches(experiment: Experiment, games: Mapping[str, int], known: Mapping[str, Summary]) -> list[Batch]:
    """The batches behind what is known; all cells grow together, so that a stopped run has some of each."""
    size = experiment.batch
    found = [
        Batch(cell, max(first, known[cell].games), min(first + size, end))
        for cell, end in games.items()
        for first in range(known[cell].games // size * size, end, size)
        if min(first + size, end) > known[cell].games
    ]
    return sorted(found, key=lambda batch: batch.first)


def play_missing(experiment: Experiment, wanted: list[Batch], parts: Parts, seed: str) -> Iterator[Batch]:
    """Play the batches that are not kept yet, and yield each when it is kept."""
    missing = [batch for batch in reversed(wanted) if not parts.file(batch).exists()]
    running: dict[Any, Batch] = {}
    while missing or running:
        # Nodes come and go while a run goes on.
        while missing and len(running) < AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))):
            batch = missing.pop()
            running[_play_batch.remote(experiment, batch, seed)] = batch
        (finished, *_), _ = ray.wait(list(running), num_returns=1)
        batch = running.pop(finished)
        parts.write(batch, ray.get(finished))
        yield batch


def gathered(experiment: Experiment, wanted: list[Batch], parts: Parts, known: Mapping[str, Summary]) -> None:
    """Add the batches that are kept to what is known of their cells, up to the first one that is missing."""
    for batch in wanted:
        if batch.first == known[batch.cell].games and parts.file(batch).exists():
            summed(experiment, parts.read(batch), known[batch.cell])


@contextmanager
def cluster(address: str | None, cores: int | None) -> Iterator[None]:
    """Ray: the cluster at an address, or one of its own on this machine."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(
        address=address,
        num_cpus=None if address else cores,
        include_dashboard=None if address else False,
        log_to_driver=False,
        logging_level="WARNING",
        # Workers import our modules from the same checkout.
        runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
    )
    try:
        yield
    finally:
        ray.shutdown()


def run(experiment: Experiment, wish: argparse.Namespace, command: str) -> None:
    """Play what is missing of an experiment, and write its summary."""
    cells = wish.only or list(experiment.games)
    games = {cell: wish.games or experiment.games[cell] for cell in cells}
    known = {cell: summary_of(experiment, cell, wish.seed) for cell in cells}
    wanted, parts = batches(experiment, games, known), Parts(experiment, wish.seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())

    def write() -> None:
        found = {cell: Summary(one.games, one.figures.copy()) for cell, one in known.items()}
        gathered(experiment, wanted, parts, found)
        if any(found[cell].games > known[cell].games for cell in cells):
            write_summaries(experiment, found, wish.seed, command)

    written = time.monotonic()
    try:
        with Progress(*columns) as progress:
            there = sum(batch.end - batch.first for batch in wanted if parts.file(batch).exists())
            bar = progress.add_task(experiment.name, total=sum(games.values()))
            progress.advance(bar, there + sum(one.games for one in known.values()))
            for batch in play_missing(experiment, wanted, parts, wish.seed):
                progress.advance(bar, batch.end - batch.first)
                if time.monotonic() > written + HOUR:
                    write()
                    written = time.monotonic()
    finally:
        write()


def main(words: list[str] | None = None) -> None:
    """Run experiments one after the other, and print the table of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("experiments", nargs="+", choices=EXPERIMENTS, metavar=f"{{{','.join(EXPERIMENTS)}}}")
    parser.add_argument("--only", action="append", metavar="CELL", help="only this cell; may be repeated")
    parser.add_argument("--games", type=int, help="how many games in each cell (default: a whole run)")
    parser.add_argument("--seed", default=SEED, help=f"names the run and all of its games (default {SEED})")
    parser.add_argument("--address", help="of a Ray cluster (default: the cores of this machine)")
    parser.add_argument("--cores", type=int, help="of this machine (default: all)")
    wish = parser.parse_args(words)
    chosen = [EXPERIMENTS[name] for name in wish.experiments]
    for experiment in chosen:
        unknown = set(wish.only or ()) - set(experiment.games)
        if unknown:
            parser.error(f"{experiment.name} has no {', '.join(unknown)}, only {', '.join(experiment.games)}")
    with cluster(wish.address, wish.cores):
        for experiment in chosen:
            run(experiment, wish, " ".join(["python", *sys.orig_argv[1:]]))
    for experiment in chosen:
        print(experiment.table(), end="\n\n")


if __name__ == "__main__":
    main()
