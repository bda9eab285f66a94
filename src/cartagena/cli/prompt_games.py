"""Playing at the prompt: a game, and perhaps another one at the same table."""

import asyncio
import shutil
import sys
from collections.abc import Callable

import click

from cartagena.cli.board_text import WIDTH, PlainBrush, paint
from cartagena.cli.kept_games import Sitting
from cartagena.cli.prompt import QUIT, Lines
from cartagena.cli.prompt_loop import Keyboard, PlainTable, keyboard
from cartagena.cli.style import is_terminal, say, words
from cartagena.rules.ruleset import Ruleset
from cartagena.terminal.local import LocalTable
from cartagena.words.sentences import Names


def lines_of(ruleset: Ruleset) -> Lines:
    """The prompt of a game, as wide as this terminal."""
    width = max(WIDTH, shutil.get_terminal_size().columns)
    return Lines(PlainBrush(names=Names(words(), ruleset), paint=paint, width=width))


def play_lines(sitting: Sitting, *, auto_end: bool) -> Sitting:
    """Play a game, again as often as a person at a terminal wants; returns the last one."""
    typed = keyboard()
    while True:
        asyncio.run(_play(sitting, typed, auto_end=auto_end))
        if not sitting.is_over:
            say("play.left")
            return sitting
        if not sitting.people or not wants_another(sitting.save, typed):
            return sitting
        sitting = sitting.again()


async def _play(sitting: Sitting, typed: Keyboard, *, auto_end: bool) -> None:
    headers = sitting.record.headers
    ruleset = words().say(f"ruleset.{headers.ruleset.key}")
    say("play.welcome", ruleset=ruleset, seats=headers.seats, people=sitting.people)
    lines = lines_of(headers.ruleset)
    table = LocalTable(
        sitting.record,
        lines.brush.names,
        levels=sitting.levels,
        keep=sitting.keep,
        auto_end=auto_end,
        seed=sitting.seed,
        pace=0,
    )
    await PlainTable(table, lines).run(typed)


def wants_another(save: Callable[[str], str], typed: Keyboard) -> bool:
    """Ask a person at a terminal what to do after the end; `save` saves a copy. A pipe wants nothing."""
    while is_terminal(sys.stdin):
        click.echo(words().say("play.after_end"), nl=False)
        command, _, name = (typed.wait() or QUIT).partition(" ")
        if command == "again":
            return True
        if command == QUIT:
            return False
        if command == "save" and name:
            click.echo(save(name))
    return False
