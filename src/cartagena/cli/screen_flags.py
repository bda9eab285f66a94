"""The flags of the drawn screen, and whether there is a terminal to draw it on."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from cartagena.cli.style import Flag, is_terminal, words
from cartagena.words.sentences import Names

if TYPE_CHECKING:
    from cartagena.terminal.glyphs import Brush
    from cartagena.terminal.setting_screen import Opened

LETTERS: Final = "äöüßåéëï"
"""Letters of our languages that ASCII lacks."""


def _spell(context: click.Context, _: click.Parameter, ascii_only: bool) -> bool:  # noqa: FBT001 - click's signature
    """Spell all words in ASCII from now on, if asked to or if nothing else can be shown."""
    if ascii_only or not _shows(LETTERS):
        context.find_root().obj = words(context).in_ascii()
    return ascii_only


def _shows(letters: str) -> bool:
    encoding = None if sys.stdout is None else sys.stdout.encoding
    try:
        letters.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


PLAIN: Final = click.option("--plain", is_flag=True, cls=Flag)
ASCII_ONLY: Final = click.option("--ascii", "ascii_only", is_flag=True, callback=_spell, cls=Flag)


def has_screen() -> bool:
    """Whether input and output are a terminal that can be drawn on."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and os.environ.get("TERM", "dumb") != "dumb"


def show(names: Names, opened: "Callable[[Brush], Opened]", *, ascii_only: bool) -> None:
    """Show one table on the screen; `opened` is called with what to draw it with."""
    from cartagena.cli.screen import show_table  # noqa: PLC0415 - only who looks at the screen waits for it

    show_table(names, opened, ascii_only=ascii_only)
