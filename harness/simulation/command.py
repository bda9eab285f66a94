"""Simulate the service under misfortune, one seed for one run, and check what it promises.

Usage: python -m harness.simulation.command [--seeds 300] [--first 0] [--workers 2] [--ledger simulate]
       python -m harness.simulation.command --only 17 [--plant "a claim has no end"]    one seed again
       python -m harness.simulation.command --plants [--seeds 300]    the first seed that finds each defect
       python -m harness.simulation.command --postgresql [--seeds 1000]    the model beside PostgreSQL

With a ledger every 1,000 seeds are written to benchmarks/results/ when they are done, and the next run
continues after them. A seed takes about a quarter of a second of one core.
"""

import argparse
import asyncio
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from harness import ledger
from harness.simulation.against_postgresql import compare
from harness.simulation.planted_defects import PLANTS, planted
from harness.simulation.run import be_quiet, run_seed

_FIELD = ExitStack()
"""Keeps a planted defect in a process until it ends."""
LEG = 1000
MOST_SHOWN = 10


@dataclass
class Tally:
    """The outcome of a number of seeds."""

    seeds: int = 0
    steps: int = 0
    events: int = 0
    broken: dict[int, tuple[str, ...]] = field(default_factory=dict)


def _one(seed: int) -> tuple[int, tuple[str, ...], int, int]:
    run = run_seed(seed)
    return seed, run.violations, run.steps, run.events


def simulate(seeds: Iterable[int], workers: int, console: Console) -> Tally:
    """Run seeds on all cores and add up the results."""
    tally, wanted = Tally(), list(seeds)
    with multiprocessing.Pool(workers, be_quiet) as pool, _progress(console) as progress:
        bar = progress.add_task("seeds", total=len(wanted))
        for seed, violations, steps, events in pool.imap_unordered(_one, wanted, chunksize=8):
            tally.seeds += 1
            tally.steps += steps
            tally.events += events
            if violations:
                tally.broken[seed] = violations
            progress.advance(bar)
    return tally


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=not console.is_terminal)


def legs(first: int, seeds: int, name: str | None) -> Iterator[range]:
    """The seeds that are to be run, in legs; those that a ledger has are left out."""
    there = {line["first"] for line in ledger.entries(name)} if name else set()
    for start in range(first, first + seeds, LEG):
        leg = range(start, min(start + LEG, first + seeds))
        if start not in there or len(leg) < LEG:
            yield leg


def run_all(wish: argparse.Namespace, console: Console) -> int:
    """Run the seeds that the command line asks for; 1 if a law was broken."""
    status = 0
    for leg in legs(wish.first, wish.seeds, wish.ledger):
        began = time.monotonic()
        tally = simulate(leg, wish.workers, console)
        seconds = round(time.monotonic() - began, 1)
        console.print(
            f"seeds {leg.start} to {leg.stop - 1}: {tally.steps:,} steps, {tally.events:,} events, "
            f"{seconds} s, {len(tally.broken)} broke a law"
        )
        for seed, violations in sorted(tally.broken.items())[:MOST_SHOWN]:
            console.print(
                f"  python -m harness.simulation.command --only {seed}: {'; '.join(violations)}",
                soft_wrap=True,
            )
            status = 1
        if wish.ledger and len(leg) == LEG:
            broken = {str(seed): list(violations) for seed, violations in tally.broken.items()}
            figures = {"first": leg.start, "seeds": len(leg), "steps": tally.steps, "events": tally.events}
            ledger.append(wish.ledger, **figures, broken=broken, seconds=seconds)
    return status


def find_plants(wish: argparse.Namespace, console: Console) -> int:
    """For each planted defect the first seed that finds it; 1 if one is not found."""
    status = 0
    seeds = range(wish.first, wish.first + wish.seeds)
    for name in [wish.plant] if wish.plant else PLANTS:
        with multiprocessing.Pool(wish.workers, _plant, (name,)) as pool:
            runs = pool.imap(_one, seeds, chunksize=4)
            found = next(((seed, broken) for seed, broken, _, _ in runs if broken), None)
        console.print(f"{name}: {found or 'NOT FOUND'}", soft_wrap=True)
        status = status if found else 1
    return status


def _plant(name: str) -> None:
    be_quiet()
    _FIELD.enter_context(planted(name))


def run_one(wish: argparse.Namespace, console: Console) -> int:
    """Run one seed again and say what it broke."""
    with planted(wish.plant):
        run = run_seed(wish.only)
    console.print(f"seed {run.seed}: {run.steps:,} steps, {run.events} events, digest {run.digest}")
    for sentence in run.violations:
        console.print(f"  {sentence}", soft_wrap=True)
    return 1 if run.violations else 0


def main() -> int:
    """Do what the command line asks for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--ledger")
    parser.add_argument("--only", type=int)
    parser.add_argument("--plant", choices=PLANTS)
    parser.add_argument("--plants", action="store_true")
    parser.add_argument("--postgresql", action="store_true")
    wish = parser.parse_args()
    console = Console(highlight=False)
    be_quiet()
    if wish.only is not None:
        return run_one(wish, console)
    if wish.plants:
        return find_plants(wish, console)
    if wish.postgresql:
        return asyncio.run(compare(range(wish.first, wish.first + wish.seeds), console))
    return run_all(wish, console)


if __name__ == "__main__":
    sys.exit(main())
