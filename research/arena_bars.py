"""The bars that our levels must clear, measured in the arena.

Usage: python -m research.arena_bars [--only NAME ...] [--workers 2] [--seed 1]
       python -m research.arena_bars --short     a few games of the fast bars, for CI; nothing is written down
       python -m research.arena_bars --told      no game, only what the ledger has [--markdown]

Each finished leg is written to benchmarks/results/arena.jsonl. A run with the same seed continues after the
legs that are there, as long as the bots are the same.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from cartagena.arena.contest import Contest, contestant, line_up
from cartagena.arena.run import play_games
from cartagena.arena.statistics import WinRate
from cartagena.arena.tally import Tally
from cartagena.bots.version import version_of
from cartagena.rules.ruleset import PRESETS
from harness import ledger

LEDGER = "arena"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """How often one bot must win against others; CI plays `short` games, a full run all of them in legs."""

    name: str
    preset: str = "tortuga"
    seats: int = 2
    bot: str
    against: str
    games: int
    at_least: float
    at_most: float = 1.0
    short: int = 0
    leg: int = 20

    def contest(self, seed: str) -> Contest:
        """One bot on one chair, the other on all the rest."""
        bots = [contestant(self.bot), contestant(self.against)]
        return Contest(ruleset=PRESETS[self.preset], line_up=line_up(bots, self.seats), seed=seed)

    @property
    def required(self) -> str:
        """What it takes, in words."""
        floor = f">= {100 * self.at_least:g} %"
        return floor if self.at_most == 1 else f"{100 * self.at_least:g} to {100 * self.at_most:g} %"


GAMES, SLOW_LEG = 400, 8
FIRST_CAPTAIN = "research.first_captain:captain"


def quick_levels(preset: str, *, sailor: float, deckhand: float, between: tuple[float, float]) -> list[Bar]:
    """The levels that do not search: both know what they do, and one knows it better."""
    where = "" if preset == "tortuga" else f"{preset}-"
    duels = (
        ("sailor", "random", sailor, 1.0),
        ("deckhand", "random", deckhand, 1.0),
        ("deckhand", "sailor", *between),
    )
    return [
        Bar(
            name=f"{where}{bot}-{against}",
            preset=preset,
            bot=bot,
            against=against,
            games=GAMES,
            at_least=at_least,
            at_most=at_most,
            short=40,
        )
        for bot, against, at_least, at_most in duels
    ]


def against_sailors(preset: str, seats: int, at_least: float) -> Bar:
    """One captain, and sailors on all other chairs; whole deals in every leg."""
    leg = seats * -(-SLOW_LEG // seats)
    return Bar(
        name=f"{preset}-{seats}",
        preset=preset,
        seats=seats,
        bot="captain",
        against="sailor",
        games=leg * -(-GAMES // leg),
        at_least=at_least,
        leg=leg,
    )


BARS = (
    *quick_levels("tortuga", sailor=0.99, deckhand=0.90, between=(0.10, 0.25)),
    *quick_levels("jamaica", sailor=0.99, deckhand=0.90, between=(0.10, 0.25)),
    *quick_levels("nest", sailor=0.97, deckhand=0.90, between=(0.20, 0.45)),
    Bar(
        name="bosun-sailor", bot="bosun", against="sailor", games=GAMES, at_least=0.80, short=4, leg=SLOW_LEG
    ),
    Bar(name="captain-bosun", bot="captain", against="bosun", games=GAMES, at_least=0.60, leg=SLOW_LEG),
    Bar(name="captain-first", bot="captain", against=FIRST_CAPTAIN, games=GAMES, at_least=0.60, leg=SLOW_LEG),
    against_sailors("tortuga", 2, 0.97),
    against_sailors("tortuga", 3, 0.73),
    against_sailors("tortuga", 4, 0.60),
    against_sailors("tortuga", 5, 0.44),
    against_sailors("jamaica", 2, 0.85),
    against_sailors("jamaica", 4, 0.45),
    against_sailors("nest", 2, 0.90),
    against_sailors("nest", 4, 0.45),
)
"""What the levels promise (docs/arena.md)."""


@dataclass
class Measured:
    """What is known of a bar: games, and the milliseconds and the turns of each side."""

    games: int = 0
    wins: int = 0
    without_winner: int = 0
    score: float = 0.0
    turns: int = 0
    ms: list[float] = field(default_factory=lambda: [0.0, 0.0])
    thought: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, leg: dict[str, Any]) -> None:
        """Add a leg."""
        self.games += leg["games"]
        self.wins += leg["wins"]
        self.without_winner += leg["without_winner"]
        self.score += leg["score"]
        self.turns += leg["turns"]
        self.ms = [one + other for one, other in zip(self.ms, leg["ms"], strict=True)]
        self.thought = [one + other for one, other in zip(self.thought, leg["thought"], strict=True)]

    @property
    def rate(self) -> WinRate:
        """The score, with its interval."""
        return WinRate(self.score, self.games)

    def pace(self, side: int) -> str:
        """Milliseconds a turn, for the bot or for its opponents."""
        return f"{self.ms[side] / self.thought[side]:.1f}" if self.thought[side] else "-"


def leg_of(tally: Tally) -> dict[str, Any]:
    """What a ledger keeps of some games."""
    bot, against = tally.contest.names
    return {
        "games": tally.games,
        "wins": tally.wins[bot],
        "without_winner": tally.undecided,
        "score": tally.rate(bot).score,
        "turns": tally.turns,
        "ms": [round(sum(tally.times[name]), 3) for name in (bot, against)],
        "thought": [len(tally.times[name]) for name in (bot, against)],
    }


class Bars:
    """All bars of a run, one after the other."""

    def __init__(self, wish: argparse.Namespace, console: Console) -> None:
        self.wish = wish
        self.console = console
        self.bars = [bar for bar in BARS if not wish.only or bar.name in wish.only]
        if wish.short:
            self.bars = [bar for bar in self.bars if bar.short]

    def run(self) -> dict[Bar, Measured]:
        """Measure every bar and show progress."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self.console, disable=not self.console.is_terminal) as progress:
            return {bar: self.measure(bar, progress) for bar in self.bars}

    def measure(self, bar: Bar, progress: Progress) -> Measured:
        """Measure a bar: read what the ledger has, then play the games that are missing."""
        measured = Measured()
        known = self.known(bar)
        for leg in known.values():
            measured.add(leg)
        games = bar.short if self.wish.short else bar.games
        missing = [first for first in range(0, games, bar.leg) if first not in known]
        if self.wish.told or not missing:
            return measured
        task = progress.add_task(bar.name, total=games, completed=measured.games)
        numbers = [number for first in missing for number in range(first, min(first + bar.leg, games))]
        for leg in self.play(bar, numbers, lambda: progress.update(task, advance=1)):
            measured.add(leg)
            progress.update(task, description=f"{bar.name} {measured.rate}")
            if not self.console.is_terminal:
                self.console.print(f"{bar.name}: {measured.games} of {games} games, {measured.rate}")
        return measured

    def known(self, bar: Bar) -> dict[int, dict[str, Any]]:
        """The ledger's legs played by exactly these bots, by their first game."""
        if self.wish.short:
            return {}
        kept = ledger.entries(LEDGER, **self.key(bar))
        return {leg["first"]: leg for leg in kept if leg["first"] + leg["games"] <= bar.games}

    def key(self, bar: Bar) -> dict[str, str]:
        """What two legs must share to be added together."""
        return {"bar": bar.name, "seed": self.wish.seed, "bots": version_of(bar.bot, bar.against)}

    def play(self, bar: Bar, numbers: list[int], done: Callable[[], None]) -> Iterable[dict[str, Any]]:
        """Play games and yield them leg by leg; a full run writes each leg to the ledger."""
        contest = bar.contest(self.wish.seed)
        tally, begun = Tally(contest), time.perf_counter()
        with closing(play_games(contest, numbers, workers=self.wish.workers)) as games:
            for played in games:
                tally.add(played)
                done()
                if (played.number + 1) % bar.leg == 0 or played.number == numbers[-1]:
                    leg = {"first": played.number + 1 - tally.games, **leg_of(tally)}
                    if not self.wish.short:
                        seconds = round(time.perf_counter() - begun, 1)
                        ledger.append(LEDGER, **self.key(bar), **leg, seconds=seconds)
                    yield leg
                    tally, begun = Tally(contest), time.perf_counter()


def ledger_of(bar: Bar) -> Measured:
    """A bar as the ledger has it; no game is played."""
    return Bars(arguments(["--told", "--only", bar.name]), Console(quiet=True)).run()[bar]


# The report.


def holds(bar: Bar, measured: Measured, *, short: bool) -> bool:
    """Whether a bar is cleared; a short run only tells whether it is still possible."""
    low, high = measured.rate.interval
    if short:
        return high >= bar.at_least and low <= bar.at_most
    return measured.games >= bar.games and bar.at_least <= measured.rate.share <= bar.at_most


def report(found: dict[Bar, Measured], console: Console, wish: argparse.Namespace) -> bool:
    """A table of all bars; whether every one of them holds."""
    style = box.MARKDOWN if wish.markdown else box.SIMPLE_HEAD
    heads = (
        "bar",
        "game",
        "seats",
        "games",
        "no winner",
        "win rate [95 %]",
        "required",
        "ms a turn",
        "against",
    )
    table = Table(*heads, "turns a game", "holds", box=style)
    for column in table.columns:
        column.no_wrap = True
    kept = {bar: holds(bar, measured, short=wish.short) for bar, measured in found.items()}
    for bar, measured in found.items():
        table.add_row(
            bar.name,
            bar.preset,
            str(bar.seats),
            str(measured.games),
            str(measured.without_winner),
            str(measured.rate),
            bar.required,
            measured.pace(0),
            measured.pace(1),
            f"{measured.turns / measured.games:.1f}" if measured.games else "-",
            "yes" if kept[bar] else "NO" if wish.short or measured.games >= bar.games else "not yet told",
        )
    console.print(table)
    return all(kept.values())


def arguments(words: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure the bars that our levels must clear.")
    names = [bar.name for bar in BARS]
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--seed", default="1", help="the seed of all games (default 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (default: all cores)")
    parser.add_argument("--short", action="store_true", help="a few games of the fast bars, not written down")
    parser.add_argument("--told", action="store_true", help="play nothing, tell what the ledger has")
    parser.add_argument("--markdown", action="store_true", help="the table in Markdown")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Measure, and report; 1 if a bar does not hold."""
    wish = arguments(words)
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    return 0 if report(Bars(wish, console).run(), console, wish) else 1


if __name__ == "__main__":
    sys.exit(main())
