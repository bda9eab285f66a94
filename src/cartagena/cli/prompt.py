"""Lines from the keyboard, or from a pipe."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from cartagena.cli.style import Unreadable, is_terminal

QUIT: Final = "quit"
WIPE: Final = "\r\x1b[K"
"""Makes a terminal empty the line it is on."""


def forgive_bytes() -> None:
    """Read bytes that are not text as a meaningless line, not as the end of the game."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def read_line(prompt: str) -> str | None:
    """What is typed after a prompt; None at the end of the input."""
    try:
        line = input(prompt).strip()
    except EOFError:
        click.echo()
        return None
    except (OSError, RuntimeError) as error:
        # Python raises RuntimeError for a keyboard or a screen that was closed before the program began.
        raise Unreadable("error.no_input") from error
    if not sys.stdin.isatty():
        click.echo(line)
    return line


@contextmanager
def meanwhile(text: str) -> Iterator[None]:
    """Say on a terminal what is being waited for, and then wipe it out."""
    if not is_terminal(sys.stdout):
        yield
        return
    click.echo(text, nl=False)
    try:
        yield
    finally:
        click.echo(WIPE, nl=False)
