"""Simulations a second of the captain's search on one core, and where the time goes.

`make bench-search` runs it on the compiled engine. With --profile the search runs once more under
callgrind, if that is installed, and the instructions are shared out among the parts of the program.
"""

import argparse
import json
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import cartagena.rules
from cartagena.bots.players.levels import CAPTAIN
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.search import uct as engine
from cartagena.bots.search.bot import Searcher
from cartagena.rules.hidden.view import view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS
from research.training.self_play import follow

PARTS: Final = {
    **{module.name: "rules" for module in pkgutil.iter_modules(cartagena.rules.__path__)},
    "search": "tree",
    "playout": "tree",
    "plans": "outcomes",
    "outcomes": "outcomes",
    "standing": "evaluation",
    "worth": "evaluation",
}
"""Which part of the search a compiled module belongs to."""

SEARCH: Final = "CPyDef_search___Search___simulate"
"""Only what happens in here is counted, and not Python's start."""

MEMORY: Final = "Python's objects"
"""What the interpreter does for all of them: lists, sets, numbers, memory."""


def positions(preset: str, seats: int, number: int) -> Iterator[Position]:
    """Beginnings of turns of a game that a quick search plays with itself."""
    dice = Dice(1672)
    position = random_opening(PRESETS[preset], seats, dice)
    searcher = Searcher(CAPTAIN)
    for turn in range(number):
        if position.over:
            position = random_opening(PRESETS[preset], seats, dice)
        yield position
        search = searcher.begin(view(position, position.to_act), Random(turn))
        search.simulate(20)
        follow(position, search.branches[search.favourite()].plan, dice)


def measure(preset: str, seats: int, turns: int, simulations: int) -> dict[str, object]:
    """Search at the beginning of `turns` turns."""
    searcher = Searcher(CAPTAIN)
    spent = 0.0
    made = 0
    for turn, position in enumerate(positions(preset, seats, turns)):
        seen = view(position, position.to_act)
        began = time.perf_counter()
        search = searcher.begin(seen, Random(turn))
        search.simulate(simulations)
        spent += time.perf_counter() - began
        made += search.visits
    return {
        "engine": "interpreted" if engine.__file__.endswith(".py") else "compiled",
        "ruleset": preset,
        "seats": seats,
        "turns": turns,
        "simulations_per_s": round(made / spent),
    }


def profile(arguments: list[str]) -> dict[str, float]:
    """The share of the instructions of each part, by callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "callgrind.out")
        command = [
            "valgrind",
            "--tool=callgrind",
            f"--toggle-collect={SEARCH}",
            f"--callgrind-out-file={out}",
        ]
        subprocess.run([*command, sys.executable, __file__, *arguments], check=True, capture_output=True)
        listing = subprocess.run(
            ["callgrind_annotate", "--threshold=100", str(out)],  # noqa: S607 - found by its name
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    return shares(listing)


def shares(listing: str) -> dict[str, float]:
    """Group the lines of callgrind: a number of instructions, then a file and a function."""
    counted: Counter[str] = Counter()
    for line in listing.splitlines():
        found = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+\S*?:(\S+)", line)
        if found:
            counted[part_of(found[2])] += int(found[1].replace(",", ""))
    total = counted.total()
    return {part: round(count / total, 3) for part, count in counted.most_common()}


def part_of(function: str) -> str:
    """The part of the program that a compiled function belongs to."""
    module = re.match(r"(?:CPyDef_|CPyPy_)?([a-z_]+?)___", function)
    return PARTS.get(module[1], MEMORY) if module else MEMORY


def main() -> None:
    """Print one JSON line for each ruleset, and the profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", choices=list(PRESETS), action="append")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=CAPTAIN.simulations)
    parser.add_argument("--profile", action="store_true")
    wish = parser.parse_args()
    for preset in wish.ruleset or PRESETS:
        print(json.dumps(measure(preset, wish.seats, wish.turns, wish.simulations)), flush=True)
        if wish.profile and shutil.which("valgrind"):
            short = ["--turns", "4", "--simulations", "150", "--seats", str(wish.seats)]
            print(json.dumps(profile(["--ruleset", preset, *short])), flush=True)


if __name__ == "__main__":
    main()
