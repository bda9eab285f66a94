"""Long runs of games in legs: one set of options, all cores, and each leg handed over when it is done."""

import argparse
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, NamedTuple, TypeVar

from rich.progress import Progress

from cartagena.rules.ruleset import PRESETS

Played = TypeVar("Played")


class Leg(NamedTuple):
    """A number of games that are played in one go."""

    ruleset: str
    seats: int
    number: int

    def named(self) -> dict[str, Any]:
        """How a ledger names it; `legs_to_play` reads it again."""
        return {"ruleset": self.ruleset, "seats": self.seats, "leg": self.number}


def wish_for(description: str | None, games: int) -> argparse.Namespace:
    """How many games the command line asks for, of which rulesets, and on how many cores."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--games", type=int, default=games, help="for each ruleset and number of seats")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--ruleset", action="append", choices=PRESETS, help="only this one; may be repeated")
    return parser.parse_args()


def legs_to_play(
    played: Iterable[Mapping[str, Any]], *, seats: Sequence[int], games: int, of_a_leg: int
) -> list[Leg]:
    """The legs that a ledger lacks; all tables grow together, so that a stopped run has some of each."""
    there = {(line["ruleset"], line["seats"], line["leg"]) for line in played}
    wanted = [
        Leg(ruleset, crews, number)
        for number in range(-(-games // of_a_leg))
        for ruleset in PRESETS
        for crews in seats
    ]
    return [leg for leg in wanted if leg not in there]


def play_legs(
    play_leg: Callable[[Leg], Played], missing: Sequence[Leg], wish: argparse.Namespace, *, games: int
) -> Iterator[Played]:
    """Play the missing legs that `wish` asks for, `games` games each, and show progress."""
    legs = [leg for leg in missing if leg.ruleset in (wish.ruleset or PRESETS)]
    with ProcessPoolExecutor(wish.workers) as pool, Progress() as progress:
        bar = progress.add_task("games", total=len(legs) * games)
        try:
            for finished in as_completed([pool.submit(play_leg, leg) for leg in legs]):
                yield finished.result()
                progress.advance(bar, games)
        finally:
            # After a leg that failed, or when the caller stops iterating, waiting legs are not played.
            pool.shutdown(cancel_futures=True)
