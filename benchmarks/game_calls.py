"""What a game of the library costs beside the bare engine: `moves` beside `legal`, `push` beside `apply`.

    python benchmarks/game_calls.py --rounds 5

Prints one JSON line: microseconds a call, and the ratios. Both play the same random games of Tortuga; the two
take turns, and the median of each counts.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar

from cartagena import Game, apply, legal

Choice = TypeVar("Choice")

ROUNDS: Final = 5
SEEDS: Final = 20
CHOICES: Final = 150
"""How far each game is played: most of the way."""


def openings() -> list[Game]:
    """The games, dealt beforehand."""
    return [Game.start("tortuga", seats=3, seed=seed) for seed in range(SEEDS)]


def timed(
    ask: Callable[[], Sequence[Choice]],
    do: Callable[[Choice], object],
    goes_on: Callable[[], bool],
    chance: Random,
) -> tuple[float, float, int]:
    """The seconds of asking and of doing, and how many choices were made."""
    asked = done = 0.0
    for made in range(CHOICES):
        if not goes_on():
            return asked, done, made
        began = time.perf_counter()
        choices = ask()
        between = time.perf_counter()
        do(chance.choice(choices))
        asked += between - began
        done += time.perf_counter() - between
    return asked, done, CHOICES


def bare(game: Game, chance: Random) -> tuple[float, float, int]:
    """`legal` and `apply`; stops where chance is due."""
    position = game.position
    return timed(
        lambda: legal(position),
        lambda code: apply(position, code),
        lambda: position.to_act >= 0,
        chance,
    )


def whole(game: Game, chance: Random) -> tuple[float, float, int]:
    """`moves` and `push`."""
    return timed(game.moves, game.push, lambda: not game.over, chance)


def microseconds(way: Callable[[Game, Random], tuple[float, float, int]]) -> tuple[float, float]:
    """Microseconds of one question and of one choice."""
    parts = [way(game, Random(number)) for number, game in enumerate(openings())]
    choices = sum(made for _, _, made in parts)
    asked, done = (1e6 * sum(part[call] for part in parts) / choices for call in (0, 1))
    return asked, done


def main() -> None:
    """Measure in turns, and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    pairs = [(microseconds(bare), microseconds(whole)) for _ in range(rounds)]
    legal_us, apply_us, moves_us, push_us = (
        statistics.median(pair[side][call] for pair in pairs) for side in (0, 1) for call in (0, 1)
    )
    figures = {
        "legal_us": legal_us,
        "moves_us": moves_us,
        "apply_us": apply_us,
        "push_us": push_us,
        "moves_to_legal": moves_us / legal_us,
        "push_to_apply": push_us / apply_us,
    }
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
