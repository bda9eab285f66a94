"""Random games on the installed engine, Tortuga as in benchmarks/limit.c; prints one JSON line.

For one engine alone: `python benchmarks/random_games.py --ruleset tortuga --seats 2 --seconds 2`.
"""

import argparse
import json
import time

from cartagena.bots.random_games import Dice, playout, random_opening
from cartagena.rules import position as engine
from cartagena.rules.board import PIECES, Board
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, PRESETS, SIGNS, TORTUGA
from cartagena.rules.setup import new

CAP = 3000
RULESET = TORTUGA.with_options(retreat_from_sloop=False, quiet_rounds=0)


def deal(seats: int, dice: Dice) -> Position:
    """A tunnel of six random permutations and a shuffled deck."""
    signs: list[int] = []
    for _ in range(PIECES[ESCAPE]):
        segment = list(range(len(SIGNS[ESCAPE])))
        dice.shuffle(segment)
        signs += segment
    deck = RULESET.deck()
    dice.shuffle(deck)
    return new(RULESET, Board(ESCAPE, signs), seats=seats, order=deck)


def opening(ruleset: str, seats: int, dice: Dice) -> Position:
    """A new game that does not end by itself when nothing happens."""
    if ruleset == RULESET.key:
        return deal(seats, dice)
    return random_opening(PRESETS[ruleset].with_options(quiet_rounds=0), seats, dice)


def measure(ruleset: str, seats: int, seconds: float) -> dict[str, object]:
    """Play whole games one after the other until the time is over."""
    games = actions = 0
    began = now = time.perf_counter()
    while now - began < seconds:
        dice = Dice(1672 + games)
        actions += playout(opening(ruleset, seats, dice), dice, CAP)
        games += 1
        now = time.perf_counter()
    return {
        "engine": "interpreted" if engine.__file__.endswith(".py") else "compiled",
        "ruleset": ruleset,
        "seats": seats,
        "games": games,
        "actions_per_game": round(actions / games, 1),
        "actions_per_s": round(actions / (now - began)),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", choices=PRESETS, default=RULESET.key)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2.0)
    wish = parser.parse_args()
    print(json.dumps(measure(wish.ruleset, wish.seats, wish.seconds)))
