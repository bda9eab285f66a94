"""Long runs of games in legs: asked for in the same words, played on all cores, each told when it is done."""

import argparse
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from rich.progress import Progress

Leg = TypeVar("Leg")
Played = TypeVar("Played")


def wish_for(description: str | None, games: int) -> argparse.Namespace:
    """How many games the command line asks for, and on how many cores."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--games", type=int, default=games, help="for each ruleset and number of seats")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    return parser.parse_args()


def play_legs(
    play_leg: Callable[[Leg], Played], legs: Sequence[Leg], *, games: int, workers: int
) -> Iterator[Played]:
    """Play legs of so many games each, and show how far it is."""
    with ProcessPoolExecutor(workers) as pool, Progress() as progress:
        bar = progress.add_task("games", total=len(legs) * games)
        for finished in as_completed([pool.submit(play_leg, leg) for leg in legs]):
            yield finished.result()
            progress.advance(bar, games)
