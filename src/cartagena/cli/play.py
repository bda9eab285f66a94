"""`cartagena play`: a game at this keyboard, with friends or against bots."""

import os
import shlex
import shutil
from pathlib import Path
from typing import Final

import click

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


@click.command("play", cls=Command)
@table_flags
@click.option("--bots", type=click.IntRange(0, MOST_SEATS), cls=Flag)
@click.option("--save", type=FileName(allow_dash=False), cls=Flag)
@click.option("--resume", type=FileName(allow_dash=False), cls=Flag)
@click.option("--auto-end", is_flag=True, cls=Flag)
def command(
    table: Table, *, bots: int | None, save: Path | None, resume: Path | None, auto_end: bool
) -> None:
    """Play a game to its end, or until somebody leaves."""
    match = _new(table, bots) if resume is None else _taken_up(table, bots, resume)
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


def _new(table: Table, bots: int | None) -> Match:
    seats = table.seats or FEWEST_SEATS
    return fresh(table.ruleset(), _names(seats, seats - 1 if bots is None else bots), table.seed)


def _taken_up(table: Table, bots: int | None, file: Path) -> Match:
    if not table.untouched:
        raise click.UsageError(words().say("error.table_is_set"))
    record = read_record(file)
    names = record.headers.names if bots is None else _names(record.headers.seats, bots)
    try:
        match = resumed(record, names)
    except ReplayError as error:
        raise broken(file, error) from error
    if record.result.ending is not Ending.RUNNING:
        raise Refused("error.game_is_over", file=file, result=format_result(record.result))
    return match


def _names(seats: int, bots: int) -> tuple[str, ...]:
    if bots > seats:
        raise click.BadOptionUsage("bots", words().say("error.too_many_bots", bots=bots, seats=seats))
    return names_of_seats(seats, bots)


def _paint(seat: int, letters: str) -> str:
    return click.style(letters, fg=COLOURS[seat], bold=True)
