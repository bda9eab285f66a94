"""`cartagena play`: a game at this keyboard, with friends or against bots."""

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from cartagena.bots.registry import BotError, NoSuchBot
from cartagena.bots.registry import names as registered
from cartagena.cli.bot_names import LEVEL, BotName, level_of, seat_name
from cartagena.cli.drawing import WIDTH, Brush
from cartagena.cli.files import FileName, broken, read_record
from cartagena.cli.keeping import Keeper
from cartagena.cli.match import Match, fresh, names_of_seats, resumed
from cartagena.cli.session import Session
from cartagena.cli.style import Command, Flag, Refused, say, words
from cartagena.cli.table_flags import Table, table_flags
from cartagena.notation.errors import ReplayError
from cartagena.notation.record import Ending
from cartagena.notation.record_text import format_result
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS
from cartagena.words.naming import Names

COLOURS: Final = ("red", "blue", "yellow", "green", "magenta")
"""How a terminal paints the crews, by seat."""


@dataclass(frozen=True, slots=True)
class _Bots:
    """How many bots somebody asked for, and of which level; None where nothing was said."""

    number: int | None
    level: str | None

    def names(self, seats: int) -> tuple[str, ...]:
        """The names of the seats of a new game; more bots than seats are a wrong use."""
        bots = seats - 1 if self.number is None else self.number
        if bots > seats:
            raise click.BadOptionUsage("bots", words().say("error.too_many_bots", bots=bots, seats=seats))
        return names_of_seats(seats, bots, self.level or LEVEL)

    def names_instead(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names of the seats of a game that goes on: as they were, but for what was asked.

        Raises BotError if a record that may come from anywhere names code of its own to run.
        """
        if self.number is not None:
            return self.names(len(names))
        if self.level is not None:
            return tuple(seat_name(self.level) if level_of(name) else name for name in names)
        for level in filter(None, map(level_of, names)):
            if level not in registered():
                raise NoSuchBot(level)
        return names


@click.command("play", cls=Command)
@table_flags
@click.option("--bots", type=click.IntRange(0, MOST_SEATS), cls=Flag)
@click.option("--level", type=BotName(), cls=Flag)
@click.option("--save", type=FileName(allow_dash=False), cls=Flag)
@click.option("--resume", type=FileName(allow_dash=False), cls=Flag)
@click.option("--auto-end", is_flag=True, cls=Flag)
def command(
    table: Table,
    *,
    bots: int | None,
    level: str | None,
    save: Path | None,
    resume: Path | None,
    auto_end: bool,
) -> None:
    """Play a game to its end, or until somebody leaves."""
    crowd = _Bots(bots, level)
    match = _new(table, crowd) if resume is None else _taken_up(table, crowd, resume)
    file = save or resume
    keeper = None if file is None else Keeper(file, match)
    if keeper is not None:
        keeper.begin(new=resume is None or not _same(keeper.file, resume))
    ruleset = words().say(f"ruleset.{match.headers.ruleset.key}")
    say("play.welcome", ruleset=ruleset, seats=len(match.headers.names), people=len(match.people()))
    session = Session(
        match=match,
        brush=_brush(match),
        auto_end=auto_end,
        keep=str if keeper is None else keeper.keep,
    )
    session.run()
    if keeper is not None:
        keeper.end()
        key = "play.saved.over" if match.position.over else "play.saved"
        say(key, file=keeper.file, command=shlex.quote(str(keeper.file)))


def _brush(match: Match) -> Brush:
    width = max(WIDTH, shutil.get_terminal_size().columns)
    return Brush(names=Names(words(), match.headers.ruleset), paint=_paint, width=width)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _new(table: Table, bots: _Bots) -> Match:
    seats = table.seats or FEWEST_SEATS
    return fresh(table.ruleset(), bots.names(seats), table.seed)


def _taken_up(table: Table, bots: _Bots, file: Path) -> Match:
    if not table.untouched:
        raise click.UsageError(words().say("error.table_is_set"))
    record = read_record(file)
    try:
        match = resumed(record, bots.names_instead(record.headers.names))
    except ReplayError as error:
        raise broken(file, error) from error
    except BotError as error:
        raise Refused("error.bot_is_away", file=file, reason=error) from error
    if record.result.ending is not Ending.RUNNING:
        raise Refused("error.game_is_over", file=file, result=format_result(record.result))
    return match


def _paint(seat: int, letters: str) -> str:
    return click.style(letters, fg=COLOURS[seat], bold=True)
