"""Let bots play the same games here and in Python for browsers, and compare every choice: `make same-engine`.

Usage: python -m scripts.same_engine [--sailors 300] [--bosuns 30] [--workers 2] [--ledger same-engine]

A game is known by its level and number; the games take all rulesets and numbers of seats in turn. Both sides
tell its record, which holds every choice, every order of cards and the end; the first line that differs is
shown. A leg of games is written to the ledger when all of them were the same, and the next run leaves it out.
"""

import argparse
import hashlib
import json
import multiprocessing
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cartagena.bots.players.levels import version_of
from cartagena.rules.ruleset import RULES_VERSION
from harness import ledger
from harness.bot_games import SEED, TABLES, record_of_game
from scripts import browser_python
from scripts.browser_pages import NotBuilt

LEGS: Final = {"sailor": len(TABLES), "bosun": 2}
"""How many games of a level are a leg: some minutes at most."""


@dataclass(frozen=True, slots=True)
class Leg:
    """Some games of a level, played by one process."""

    level: str
    games: range

    @property
    def words(self) -> list[str]:
        """The module that plays them, and its arguments."""
        return ["harness.bot_games", self.level, str(self.games.start), str(self.games.stop)]


@dataclass(slots=True)
class Compared:
    """What came of a leg."""

    leg: Leg
    lines: int = 0
    """Those of all records together."""
    digest: str = ""
    """Of all records here."""
    seconds: float = 0.0
    """Spent on the other side."""
    differences: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether it has as many games as a leg of its level."""
        return len(self.leg.games) == LEGS[self.leg.level]


def legs(level: str, games: int, done: Sequence[range]) -> Iterator[Leg]:
    """The games of a level in legs, without those that are done; the last one may be shorter."""
    for first in range(0, games, LEGS[level]):
        leg = Leg(level, range(first, min(first + LEGS[level], games)))
        if leg.games not in done:
            yield leg


def compare(leg: Leg, command: list[str], tell: Callable[[], object]) -> Compared:
    """Play a leg here, while a command plays it elsewhere; calls `tell` after each game."""
    compared, digest = Compared(leg), hashlib.sha256()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for number in leg.games:
            line = process.stdout.readline()
            if not line:
                raise ChildProcessError(f"{' '.join(command)} ended before game {number}")
            told, here = json.loads(line), record_of_game(leg.level, number)
            digest.update(here.encode())
            compared.lines += here.count("\n")
            compared.seconds += told["seconds"]
            difference = first_difference(here, told["record"])
            if difference is not None:
                preset, seats = TABLES[number % len(TABLES)]
                where = f"game {number} of {leg.level} ({preset}, {seats} seats)"
                compared.differences.append(f"{where}, {difference}")
            tell()
    compared.digest = digest.hexdigest()[:16]
    return compared


def first_difference(here: str, there: str) -> str | None:
    """Where two records part, and what both say there; None if they are the same."""
    pairs = zip_longest(here.splitlines(), there.splitlines())
    for number, (one, other) in enumerate(pairs, start=1):
        if one != other:
            return f"line {number}: here {one!r}, there {other!r}"
    return None


def done(level: str, name: str | None) -> list[range]:
    """The games that a ledger has, of these versions of the rules and of the level."""
    lines = ledger.entries(name, rules=RULES_VERSION, bots=version_of(level), seed=SEED) if name else []
    return [range(line["first"], line["first"] + line["games"]) for line in lines]


def keep(compared: Compared, name: str) -> None:
    """Write a leg into a ledger."""
    leg = compared.leg
    ledger.append(
        name,
        rules=RULES_VERSION,
        bots=version_of(leg.level),
        seed=SEED,
        first=leg.games.start,
        games=len(leg.games),
        lines=compared.lines,
        digest=compared.digest,
        seconds=round(compared.seconds, 1),
    )


def run(wish: argparse.Namespace, console: Console) -> int:
    """Compare what the command line asks for; 1 if anything differs."""
    asked = {"sailor": wish.sailors, "bosun": wish.bosuns}
    todo = [leg for level, games in asked.items() for leg in legs(level, games, done(level, wish.ledger))]
    broken = 0
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        ThreadPoolExecutor(wish.workers) as pool,
    ):
        bar = progress.add_task("games", total=sum(len(leg.games) for leg in todo))
        commands = [browser_python.command(*leg.words) for leg in todo]
        playing = [
            pool.submit(compare, leg, command, lambda: progress.advance(bar))
            for leg, command in zip(todo, commands, strict=True)
        ]
        for finished in as_completed(playing):
            compared = finished.result()
            show(compared, console)
            broken += len(compared.differences)
            if wish.ledger and not compared.differences and compared.is_whole:
                keep(compared, wish.ledger)
    return 1 if broken else 0


def show(compared: Compared, console: Console) -> None:
    """Tell what came of a leg."""
    games = compared.leg.games
    console.print(
        f"{compared.leg.level} {games.start} to {games.stop - 1}: {compared.lines:,} lines of records, "
        f"{compared.seconds:.1f} s in Python for browsers, {len(compared.differences)} games differ",
        soft_wrap=True,
    )
    for difference in compared.differences:
        console.print(f"  {difference}", soft_wrap=True)


def main() -> int:
    """Do what the command line asks for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sailors", type=int, default=300)
    parser.add_argument("--bosuns", type=int, default=30)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--ledger")
    try:
        return run(parser.parse_args(), Console(highlight=False))
    except NotBuilt as reason:
        print(reason, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
