"""The flags of the drawn screen, and whether there is a terminal to draw it on."""

import os
import sys
from typing import Final

import click

from cartagena.cli.style import Flag, is_terminal
from cartagena.terminal.source import Source
from cartagena.words.naming import Names

PLAIN: Final = click.option("--plain", is_flag=True, cls=Flag)
ASCII_ONLY: Final = click.option("--ascii", "ascii_only", is_flag=True, cls=Flag)


def has_screen() -> bool:
    """Whether somebody looks at a terminal that can be drawn on, and types at it."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and os.environ.get("TERM", "dumb") != "dumb"


def show(source: Source, names: Names, *, ascii_only: bool) -> None:
    """Show one table on the screen."""
    from cartagena.cli.screen import show_table  # noqa: PLC0415 - only who looks at the screen waits for it

    show_table(source, names, ascii_only=ascii_only)
