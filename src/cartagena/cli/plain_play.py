"""Playing at the prompt, line by line: one game, and after its end perhaps another."""

import shutil
import sys
from collections.abc import Callable

import click

from cartagena.cli.drawing import WIDTH, Brush
from cartagena.cli.lines import Lines
from cartagena.cli.paint import paint
from cartagena.cli.prompt import QUIT, read_line
from cartagena.cli.session import Session
from cartagena.cli.sitting import Sitting
from cartagena.cli.style import is_terminal, say, words
from cartagena.rules.ruleset import Ruleset
from cartagena.words.names import Names


def lines_of(ruleset: Ruleset) -> Lines:
    """The prompt of a game, as wide as this terminal."""
    width = max(WIDTH, shutil.get_terminal_size().columns)
    return Lines(Brush(names=Names(words(), ruleset), paint=paint, width=width))


def play_lines(sitting: Sitting, *, auto_end: bool) -> Sitting:
    """Play a game, again as often as a person at a terminal wants; returns the last one."""
    while True:
        _play(sitting, auto_end=auto_end)
        is_played_out = sitting.match.position.over and sitting.match.people()
        if not is_played_out or not wants_another(sitting.save):
            return sitting
        sitting = sitting.again()


def _play(sitting: Sitting, *, auto_end: bool) -> None:
    match = sitting.match
    ruleset = words().say(f"ruleset.{match.headers.ruleset.key}")
    say("play.welcome", ruleset=ruleset, seats=len(match.headers.names), people=len(match.people()))
    lines = lines_of(match.headers.ruleset)
    Session(match=match, lines=lines, auto_end=auto_end, keep=sitting.keep).run()


def wants_another(save: Callable[[str], str]) -> bool:
    """Ask a person at a terminal what to do after the end; `save` saves a copy. A pipe wants nothing."""
    while is_terminal(sys.stdin):
        line = read_line(words().say("play.after_end"))
        command, _, name = (line or QUIT).partition(" ")
        if command == "again":
            return True
        if command == QUIT:
            return False
        if command == "save" and name:
            click.echo(save(name))
    return False
