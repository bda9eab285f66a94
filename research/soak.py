"""Play random games of every ruleset and check every law of the rules on the way.

Usage: python -m research.soak --games 1000000 [--seed 1] [--workers 2] [--ledger soak]
       python -m research.soak --only nest 3 123456      one game again, by its preset, seats and seed

With a ledger every leg of 50,000 games is written to benchmarks/results/ when it is done, and a run with
the same seed continues after the legs that are there.
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from cartagena.bots.law_check import checked_playout
from cartagena.bots.random_games import Dice, random_opening
from cartagena.notation import format_position, format_record, parse_position, parse_record, record_of, replay
from cartagena.rules import legality
from cartagena.rules.laws import same_table
from cartagena.rules.legality import legal
from cartagena.rules.position import ACT, DEAD, QUIET, RUNNING, WON, Position
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, OPTIONS, PRESETS, Ruleset
from cartagena.rules.undoable_game import UndoableGame
from harness import ledger

CAP = 5000
"""Actions after which a game counts as capped; only games without quiet rounds get this far."""

DECISIONS = 400
"""One decision in this many is compared over all codes, told and untold, done and undone."""

RECORDS = 50
"""One game in this many is written down, read again and replayed."""

POSITIONS = 100
"""Of such a game, one position in this many is written down and read again."""

CHUNK = 240
LEG = 50_000
MOST_SHOWN = 20
ENDINGS = {WON: "finished", DEAD: "dead", QUIET: "quiet", RUNNING: "capped"}
CELLS = [(preset, seats) for preset in PRESETS for seats in range(FEWEST_SEATS, MOST_SEATS + 1)]


@dataclass
class Tally:
    """The outcome of a number of games; a violation is what `--only` needs to repeat it, and the law."""

    games: int = 0
    endings: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    actions: Counter[tuple[str, int]] = field(default_factory=Counter)
    decisions: int = 0
    records: int = 0
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: "Tally") -> None:
        """Add another tally."""
        self.games += other.games
        self.endings += other.endings
        self.actions += other.actions
        self.decisions += other.decisions
        self.records += other.records
        self.violations += other.violations
        self.seconds += other.seconds

    def as_figures(self) -> dict[str, object]:
        """What a ledger keeps."""
        return {
            "games": self.games,
            "endings": [[*key, number] for key, number in sorted(self.endings.items())],
            "actions": [[*key, number] for key, number in sorted(self.actions.items())],
            "decisions": self.decisions,
            "records": self.records,
            "violations": self.violations,
            "seconds": self.seconds,
        }

    @staticmethod
    def from_figures(kept: dict[str, Any]) -> "Tally":
        """The tally of a leg that a ledger keeps."""
        return Tally(
            games=kept["games"],
            endings=Counter(
                {(preset, seats, ending): number for preset, seats, ending, number in kept["endings"]}
            ),
            actions=Counter({(preset, seats): number for preset, seats, number in kept["actions"]}),
            decisions=kept["decisions"],
            records=kept["records"],
            violations=kept["violations"],
            seconds=kept["seconds"],
        )


# One game.


def seed_of(base: int, number: int) -> int:
    """The seed of a game; an odd factor keeps all seeds of a soak different and far apart."""
    return (base * 1_000_003 + number) * 0x9E3779B1 % 2**31


def sampled(preset: Ruleset, dice: Dice) -> Ruleset:
    """The preset as it is, or, in every second game, with random options."""
    if dice.below(2):
        return preset
    options: dict[str, object] = {"quiet_rounds": (40, 0, 5, 20)[dice.below(4)]}
    for option in OPTIONS:
        values = option.values_in(preset.family)
        if option.name not in {"hands_open", "row_length", "quiet_rounds"}:
            options[option.name] = values[dice.below(len(values))]
    return preset.with_options(**options)


def soak_game(preset: str, seats: int, seed: int, tally: Tally) -> None:
    """Play one game and count it."""
    tally.games += 1
    dice = Dice(seed)
    position = random_opening(sampled(PRESETS[preset], dice), seats, dice)
    broken = None
    if dice.below(RECORDS) == 0:
        tally.records += 1
        broken = broken_record(position, Dice(seed))
    checked = checked_playout(position, dice, CAP, DECISIONS)
    broken = broken or checked.broken
    if broken:
        tally.violations.append(f"{preset} {seats} {seed}: {broken}, after {checked.actions} actions")
    tally.endings[preset, seats, ENDINGS[position.ending]] += 1
    tally.actions[preset, seats] += checked.actions
    tally.decisions += checked.decisions


def broken_record(position: Position, dice: Dice) -> str | None:
    """Play a game with undo, write it down and read it: it is the same record and the same game."""
    game = UndoableGame(position)
    before = [position.copy()]
    while not game.position.over and len(game.events) < CAP:
        codes = legal(game.position)
        game.act(codes[dice.below(len(codes))], lambda due: in_chance_order(due, dice))
        if dice.below(POSITIONS) == 0 and not survives_text(game.position):
            return "a position that is written and read is another one"
        if game.position.turn != before[-1].turn:
            before.clear()
        before.append(game.position.copy())
        while dice.below(4) == 0 and game.refusal_of_undo() is None:
            game.undo()
            before.pop()
            if not same_table(game.position, before[-1]):
                return "undo did not restore the position"
    return broken_text(game)


def in_chance_order(due: Iterable[int], dice: Dice) -> list[int]:
    """The cards that are due, shuffled."""
    order = list(due)
    dice.shuffle(order)
    return order


def broken_text(game: UndoableGame) -> str | None:
    """A record survives being written and read, and its replay ends where the game did."""
    record = record_of(game)
    read = parse_record(format_record(record))
    if read != record:
        return "a record that is written and read is another one"
    if not same_table(replay(read).position, game.position):
        return "a replay ends elsewhere"
    return None


def survives_text(position: Position) -> bool:
    """Whether a position survives being written and read; during a trim or at the end it is not written."""
    if position.phase != ACT:
        return True
    text = format_position(position)
    return format_position(parse_position(text)) == text


# Many games.

Task = tuple[int, int, int]
"""The seed of the soak, and the numbers of the first game and of the one behind the last."""
Spread = Callable[[Callable[[Task], Tally], list[Task]], Iterable[Tally]]


def soak_chunk(task: Task) -> Tally:
    """Play the games with these numbers; whatever goes wrong is a violation."""
    base, first, last = task
    tally = Tally()
    for number in range(first, last):
        preset, seats = CELLS[number % len(CELLS)]
        seed = seed_of(base, number)
        try:
            soak_game(preset, seats, seed, tally)
        except Exception as crash:  # noqa: BLE001  # a soak reports every failure and goes on
            tally.violations.append(f"{preset} {seats} {seed}: {type(crash).__name__}: {crash}")
    return tally


def chunks(base: int, first: int, last: int) -> list[Task]:
    """The games of a leg in pieces small enough to show progress."""
    return [(base, begin, min(begin + CHUNK, last)) for begin in range(first, last, CHUNK)]


@contextmanager
def many_hands(workers: int) -> Iterator[Spread]:
    """A way to play chunks: one after the other, or in several processes."""
    if workers == 1:
        yield map
    else:
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            yield pool.imap_unordered


class Soak:
    """All games of a soak, leg after leg."""

    def __init__(self, wish: argparse.Namespace, console: Console) -> None:
        self.wish = wish
        self.console = console
        self.total = Tally()

    def run(self) -> Tally:
        """Play what the ledger does not have yet, and show progress."""
        columns = (
            TextColumn("soak"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games"),
            TimeRemainingColumn(),
        )
        with (
            many_hands(self.wish.workers) as spread,
            Progress(*columns, console=self.console, disable=not self.console.is_terminal) as bar,
        ):
            task = bar.add_task("soak", total=self.wish.games)
            for first in range(0, self.wish.games, LEG):
                last = min(first + LEG, self.wish.games)
                leg = self.known(first, last)
                if leg is None:
                    leg = self.play(first, last, spread, lambda games: bar.update(task, advance=games))
                else:
                    bar.update(task, advance=leg.games)
                self.total.add(leg)
                if not self.console.is_terminal:
                    self.console.print(
                        f"{last:,} of {self.wish.games:,} games, {len(self.total.violations)} violations"
                    )
        return self.total

    def known(self, first: int, last: int) -> Tally | None:
        """A leg that the ledger has."""
        if not self.wish.ledger:
            return None
        kept = ledger.entries(self.wish.ledger, seed=self.wish.seed, first=first, last=last)
        return Tally.from_figures(kept[-1]) if kept else None

    def play(self, first: int, last: int, spread: Spread, progress: Callable[[int], None]) -> Tally:
        """Play a leg and write it down."""
        leg = Tally()
        begin = time.perf_counter()
        for tally in spread(soak_chunk, chunks(self.wish.seed, first, last)):
            leg.add(tally)
            progress(tally.games)
        leg.seconds = time.perf_counter() - begin
        if self.wish.ledger:
            ledger.append(self.wish.ledger, seed=self.wish.seed, first=first, last=last, **leg.as_figures())
        return leg


# The report.


def report(total: Tally, seed: int, console: Console) -> None:
    """A table of how the games ended, and one line that says whether any law was broken."""
    table = Table("preset", "seats", *ENDINGS.values(), "actions a game")
    for column in table.columns[1:]:
        column.justify = "right"
    for preset, seats in CELLS:
        numbers = [total.endings[preset, seats, ending] for ending in ENDINGS.values()]
        if sum(numbers):
            actions = total.actions[preset, seats] / sum(numbers)
            table.add_row(preset, str(seats), *(f"{number:,}" for number in numbers), f"{actions:.0f}")
    console.print(table)
    engine = "interpreted" if Path(legality.__file__).suffix == ".py" else "compiled"
    speed = f"{total.games:,} games in {total.seconds:.0f} s, {total.games / total.seconds:,.0f} games/s"
    console.print(f"seed {seed}, {engine} engine: {speed}")
    console.print(f"{total.actions.total():,} actions: every law asked after each")
    console.print(f"{total.decisions:,} decisions: compared over all codes, told and untold, done and undone")
    console.print(f"{total.records:,} games: played with undo, written, read and replayed")
    for violation in total.violations[:MOST_SHOWN]:
        console.print(f"--only {violation}", soft_wrap=True)
    console.print(f"{len(total.violations)} violations")


def arguments(words: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Play random games and check every law of the rules.")
    parser.add_argument("--games", type=int, default=20_000, help="how many games (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the whole soak (default 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (default: all cores)")
    parser.add_argument(
        "--ledger", help="keep the legs in benchmarks/results/LEDGER.jsonl and go on from there"
    )
    parser.add_argument("--only", nargs=3, metavar=("PRESET", "SEATS", "SEED"), help="one game again")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Soak, and report; 1 if a law was broken."""
    wish = arguments(words)
    console = Console(width=None if sys.stdout.isatty() else 110, highlight=False)
    if wish.only:
        begin = time.perf_counter()
        total = Tally()
        preset, seats, seed = wish.only
        soak_game(preset, int(seats), int(seed), total)
        total.seconds = time.perf_counter() - begin
    else:
        total = Soak(wish, console).run()
    report(total, wish.seed, console)
    return 1 if total.violations else 0


if __name__ == "__main__":
    sys.exit(main())
