"""How fast are views and worlds? Random games of the installed engine, stopped on their way.

    python benchmarks/worlds.py --games 20

Prints one JSON line: for each table the microseconds of processor time that a view takes, the first world
of a view and each further one. All are medians, but `worst` is the slowest first world of all.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from cartagena.bots.random_games import Dice, playout
from cartagena.rules import position as engine
from cartagena.rules.board import PIECES, Board
from cartagena.rules.hidden import world as worlds
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds, world
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, SIGNS, TORTUGA, Ruleset
from cartagena.rules.setup import new

TABLES: list[tuple[Ruleset, int, int]] = [
    (TORTUGA, 2, 60),
    (TORTUGA, 4, 150),
    (JAMAICA, 2, 60),
    (JAMAICA, 2, 200),
    (PIRATES_NEST, 2, 60),
    (JAMAICA, 3, 300),
    (JAMAICA, 4, 400),
    (JAMAICA, 5, 400),
    (PIRATES_NEST, 4, 250),
    (PIRATES_NEST, 5, 300),
]
"""Ruleset, seats and the number of choices after which a game is looked at."""

REPEATS = 20


def deal(ruleset: Ruleset, seats: int, dice: Dice) -> Position:
    """A board of random pieces and a shuffled deck."""
    signs: list[int] = []
    for _ in range(PIECES[ruleset.family]):
        piece = list(range(len(SIGNS[ruleset.family])))
        dice.shuffle(piece)
        signs += piece
    deck = ruleset.deck()
    dice.shuffle(deck)
    return new(ruleset, Board(ruleset.family, signs), seats=seats, order=deck)


def positions(ruleset: Ruleset, seats: int, choices: int, games: int) -> Iterator[Position]:
    """The positions after `choices` choices, of `games` games that last longer."""
    seed = found = 0
    while found < games:
        dice = Dice(1672 + seed)
        position = deal(ruleset, seats, dice)
        playout(position, dice, choices)
        seed += 1
        if not position.over:
            found += 1
            yield position


def microseconds(work: Callable[[], object]) -> list[float]:
    """The processor time of each of a few runs."""
    times: list[float] = []
    for _ in range(REPEATS):
        began = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - began) / 1000)
    return times


def measure(ruleset: Ruleset, seats: int, choices: int, games: int) -> dict[str, float]:
    """Look at every game from the seat to act."""
    views: list[float] = []
    first: list[float] = []
    more: list[float] = []
    chance = Random(1672)
    for position in positions(ruleset, seats, choices, games):
        sight = view(position, position.to_act)
        many = Worlds(sight)
        views += microseconds(partial(view, position, position.to_act))
        first += microseconds(partial(world, sight, chance))
        more += microseconds(partial(many.draw, chance))
    figures = {
        name: statistics.median(times) for name, times in (("view", views), ("first", first), ("more", more))
    }
    return {name: round(figure, 1) for name, figure in (*figures.items(), ("worst", max(first)))}


def main() -> None:
    """Measure every table and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="how many games of each table")
    wish = parser.parse_args()
    compiled = [not str(module.__file__).endswith(".py") for module in (engine, worlds)]
    figures = {
        f"{ruleset.key} {seats} after {choices}": measure(ruleset, seats, choices, wish.games)
        for ruleset, seats, choices in TABLES
    }
    print(json.dumps({"engine_compiled": compiled[0], "worlds_compiled": compiled[1], **figures}))


if __name__ == "__main__":
    main()
