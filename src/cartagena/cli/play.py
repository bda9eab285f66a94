"""`cartagena play`: a game at this keyboard, with friends or against bots."""

import os
import shlex
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cartagena.bots.registry import BotError
from cartagena.cli.bot_names import LEVEL, BotName, known_names, level_of, seat_name
from cartagena.cli.drawing import WIDTH, Brush
from cartagena.cli.files import FileName, broken, read_record
from cartagena.cli.keeping import Keeper
from cartagena.cli.last_game import keep_last, last_game
from cartagena.cli.match import Match, fresh, names_of_seats, resumed
from cartagena.cli.screen_flags import ASCII_ONLY, PLAIN, has_screen
from cartagena.cli.session import Session
from cartagena.cli.style import Command, Flag, Refused, say, words
from cartagena.cli.table_flags import Table, table_flags
from cartagena.notation.errors import ReplayError
from cartagena.notation.record import Ending
from cartagena.notation.record_text import format_result
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS
from cartagena.words.naming import Names

if TYPE_CHECKING:
    from cartagena.terminal.setting import Setting

COLOURS: Final = ("red", "blue", "yellow", "green", "magenta")
"""How a terminal paints the crews, by seat."""


@dataclass(frozen=True, slots=True)
class _Bots:
    """How many bots somebody asked for, and of which level; None where nothing was said."""

    number: int | None
    level: str | None

    @property
    def untouched(self) -> bool:
        """Whether nothing was said at all."""
        return self.number is None and self.level is None

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
        return known_names(names)


@click.command("play", cls=Command)
@table_flags
@click.option("--bots", type=click.IntRange(0, MOST_SEATS), cls=Flag)
@click.option("--level", type=BotName(), cls=Flag)
@click.option("--save", type=FileName(allow_dash=False), cls=Flag)
@click.option("--resume", type=FileName(allow_dash=False), cls=Flag)
@click.option("--auto-end", is_flag=True, cls=Flag)
@PLAIN
@ASCII_ONLY
def command(  # noqa: PLR0913 - one for each flag
    table: Table,
    *,
    bots: int | None,
    level: str | None,
    save: Path | None,
    resume: Path | None,
    auto_end: bool,
    plain: bool,
    ascii_only: bool,
) -> None:
    """Play a game to its end, or until somebody leaves."""
    bots_asked = _Bots(bots, level)
    is_drawn = has_screen() and not plain
    if is_drawn and table.untouched and bots_asked.untouched and save is None and resume is None:
        _ask_on_screen(auto_end=auto_end, ascii_only=ascii_only)
        return
    match = _new(table, bots_asked) if resume is None else _taken_up(table, bots_asked, resume)
    sitting = _Sitting(match, save=save, resume=resume, auto_end=auto_end)
    if is_drawn:
        sitting.on_screen(ascii_only=ascii_only)
    else:
        sitting.at_prompt()
    sitting.end(is_drawn=is_drawn)


class _Sitting:
    """One sitting of people at this keyboard, and the file that their game is kept in from now on."""

    def __init__(self, match: Match, *, save: Path | None, resume: Path | None, auto_end: bool) -> None:
        file = save or resume
        self._match = match
        self._auto_end = auto_end
        self._keeper = None if file is None else Keeper(file, match)
        if self._keeper is not None:
            self._keeper.begin(new=resume is None or not _same(self._keeper.file, resume))

    def at_prompt(self) -> None:
        """Play line by line."""
        match = self._match
        ruleset = words().say(f"ruleset.{match.headers.ruleset.key}")
        say("play.welcome", ruleset=ruleset, seats=len(match.headers.names), people=len(match.people()))
        Session(match=match, brush=_brush(match), auto_end=self._auto_end, keep=self._keep).run()

    def on_screen(self, *, ascii_only: bool) -> None:
        """Play on the drawn screen."""
        from cartagena.cli.screen import show_match  # noqa: PLC0415 - only who looks at the screen waits for it

        keep = partial(keep_last, self._match) if self._keeper is None else self._keep
        show_match(words(), self._match, keep=keep, auto_end=self._auto_end, ascii_only=ascii_only)
        keep()

    def end(self, *, is_drawn: bool) -> None:
        """Leave the file, and say where the game is."""
        if self._keeper is not None:
            self._keeper.end()
            key = "play.saved.over" if self._match.position.over else "play.saved"
            say(key, file=self._keeper.file, command=shlex.quote(str(self._keeper.file)))
        elif is_drawn:
            _tell_kept()

    def _keep(self) -> str:
        return "" if self._keeper is None else self._keeper.keep()


def _ask_on_screen(*, auto_end: bool, ascii_only: bool) -> None:
    """Ask on the drawn screen what to play, and play it; then perhaps another game."""
    from cartagena.cli.screen import ask_and_show  # noqa: PLC0415 - only who looks at the screen waits for it

    ask_and_show(words(), _asked, _last, auto_end=auto_end, ascii_only=ascii_only)
    _tell_kept()


def _tell_kept() -> None:
    if last_game() is not None:
        say("play.kept")


def _last() -> str:
    """The words for going on with the last game; empty if there is none."""
    match = last_game()
    if match is None:
        return ""
    ruleset = words().say(f"ruleset.{match.headers.ruleset.key}")
    return words().say("terminal.go_on", ruleset=ruleset, turn=match.position.turn)


def _asked(setting: "Setting") -> Match:
    match = last_game() if setting.goes_on else None
    if match is not None:
        return match
    table = Table(preset=setting.preset, edition=None, options=(), seats=setting.seats, seed=None)
    return _new(table, _Bots(setting.bots, setting.level))


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
