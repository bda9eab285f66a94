"""Games of bots by their numbers, which any Python plays alike.

Usage: python -m harness.bot_games LEVEL FIRST STOP

Prints a line of JSON for each game from FIRST up to STOP: its record, and the seconds that it took. Imports
only what Python for browsers has.
"""

import json
import sys
import time
from itertools import product
from typing import Final

from cartagena.arena.contest import Contest, contestant
from cartagena.arena.referee import play_game
from cartagena.notation.record import Record, format_record
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS

SEED: Final = "the same engine"
TABLES: Final = tuple(
    (preset, seats) for seats, preset in product(range(FEWEST_SEATS, MOST_SEATS + 1), PRESETS)
)
"""Every ruleset with every number of seats; the games take them in turn."""


def played(level: str, preset: str, seats: int, number: int, seed: str = SEED) -> Record:
    """The record of a game that one level plays on all seats."""
    contest = Contest(ruleset=PRESETS[preset], line_up=(contestant(level),) * seats, seed=seed)
    record = play_game(contest, number, recorded=True).record
    assert record is not None
    return record


def record_of_game(level: str, number: int) -> str:
    """The text of one of the games that take the tables in turn."""
    return format_record(played(level, *TABLES[number % len(TABLES)], number))


def main(level: str, first: str, stop: str) -> None:
    """Play, and tell each game when it is over."""
    for number in range(int(first), int(stop)):
        began = time.perf_counter()
        record = record_of_game(level, number)
        seconds = round(time.perf_counter() - began, 2)
        print(json.dumps({"number": number, "record": record, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
