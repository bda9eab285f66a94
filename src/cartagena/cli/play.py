"""`cartagena play`: a game at this keyboard, with friends or against bots."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cartagena.bots.players.registry import BotError
from cartagena.cli.deal import fresh, names_of_seats
from cartagena.cli.files import FileName, broken, read_record
from cartagena.cli.kept_games import Sitting, last_running
from cartagena.cli.prompt_games import play_lines
from cartagena.cli.prompt_loop import keyboard
from cartagena.cli.screen_flags import ASCII_ONLY, PLAIN, has_screen
from cartagena.cli.style import Command, CommandRefused, Flag, is_terminal, words
from cartagena.cli.table_flags import (
    LEVEL,
    BotName,
    TableOptions,
    known_names,
    level_of,
    seat_name,
    table_flags,
)
from cartagena.notation.record import Ending, Record, format_result
from cartagena.notation.replay import replay
from cartagena.notation.tokens import ReplayError
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS

if TYPE_CHECKING:
    from cartagena.terminal.setting_screen import Setting


@dataclass(frozen=True, slots=True)
class BotsAsked:
    """How many bots the command line asked for, and of which level; None where it said nothing."""

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
        """The names of the seats of a game that goes on: as they were, except for what was asked.

        Raises BotError if the record, which may come from anywhere, names code to run.
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
    table: TableOptions,
    *,
    bots: int | None,
    level: str | None,
    save: Path | None,
    resume: Path | None,
    auto_end: bool,
    plain: bool,
    ascii_only: bool,
) -> None:
    """Play a game to its end, or until a player leaves."""
    bots_asked = BotsAsked(bots, level)
    is_drawn = has_screen() and not plain
    is_open = table.untouched and bots_asked.untouched and save is None and resume is None
    if is_open and is_drawn:
        _ask_on_screen(auto_end=auto_end, ascii_only=ascii_only)
        return
    sitting = _last_wanted() if is_open and is_terminal(sys.stdin) else None
    if sitting is None:
        if resume is not None and not table.untouched:
            raise click.UsageError(words().say("error.table_is_set"))
        record = _new(table, bots_asked) if resume is None else taken_up(resume, bots_asked)
        sitting = _sitting(record, save, resume, table.seed)
    play_sitting(sitting, is_drawn=is_drawn, auto_end=auto_end, ascii_only=ascii_only)


def play_sitting(sitting: Sitting, *, is_drawn: bool, auto_end: bool, ascii_only: bool) -> None:
    """Play on the drawn screen or line by line, then say where the game is."""
    if is_drawn:
        from cartagena.cli.screen import show_sitting  # noqa: PLC0415 - only who looks at the screen waits for it

        last = show_sitting(words(), sitting, auto_end=auto_end, ascii_only=ascii_only)
    else:
        last = play_lines(sitting, auto_end=auto_end)
    last.end()


def _ask_on_screen(*, auto_end: bool, ascii_only: bool) -> None:
    """Ask on the drawn screen what to play, and play it; then perhaps another game."""
    from cartagena.cli.screen import ask_and_show  # noqa: PLC0415 - only who looks at the screen waits for it

    last = ask_and_show(words(), _asked, _last_words, auto_end=auto_end, ascii_only=ascii_only)
    if last is not None:
        last.end()


def _last_words() -> str:
    """The words for going on with the last game; empty if there is none."""
    found = last_running()
    return "" if found is None else _going_on("terminal.go_on", found)


def _going_on(key: str, sitting: Sitting) -> str:
    ruleset = words().say(f"ruleset.{sitting.record.headers.ruleset.key}")
    return words().say(key, ruleset=ruleset, turn=sitting.turn)


def _last_wanted() -> Sitting | None:
    """The last game, if there is one and the person at the prompt wants to go on with it."""
    found = last_running()
    if found is None:
        return None
    click.echo(_going_on("play.go_on", found), nl=False)
    return found if keyboard().wait() == "" else None


def _asked(setting: "Setting") -> Sitting:
    found = last_running() if setting.goes_on else None
    if found is not None:
        return found
    table = TableOptions(preset=setting.preset, edition=None, options=(), seats=setting.seats, seed=None)
    return Sitting.autosaved(_new(table, BotsAsked(setting.bots, setting.level)))


def _sitting(record: Record, save: Path | None, resume: Path | None, seed: str | None) -> Sitting:
    """A game in the file that was named, else among the kept games if a person plays, to go on with later."""
    file = save or resume
    if file is not None:
        return Sitting.kept_in(file, record, seed, new=resume is None or not _same(file, resume))
    return Sitting.autosaved(record, seed=seed) if is_terminal(sys.stdin) else Sitting(record, None, seed)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _new(table: TableOptions, bots: BotsAsked) -> Record:
    seats = table.seats or FEWEST_SEATS
    return fresh(table.ruleset(), bots.names(seats), table.seed)


def taken_up(file: Path, bots: BotsAsked) -> Record:
    """The running game of a file, with the bots that are asked for; raises Unreadable or Refused."""
    record = read_record(file)
    try:
        headers = replace(record.headers, names=bots.names_instead(record.headers.names))
        replay(record)
    except ReplayError as error:
        raise broken(file, error) from error
    except BotError as error:
        raise CommandRefused("error.bot_is_away", file=file, reason=error) from error
    if record.result.ending is not Ending.RUNNING:
        raise CommandRefused("error.game_is_over", file=file, result=format_result(record.result))
    return replace(record, headers=headers)
