"""The bar that long work shows."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cartagena.cli.style import is_terminal


def progress_bar(*, hidden: bool = False) -> Progress:
    """A bar on the error output, gone when the work is done; nothing at all if that is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=hidden or not is_terminal(sys.stderr),
    )


@contextmanager
def told_bar(text: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """A bar with its words; gives what moves it. A terminal that draws no bars is told the words once."""
    is_dumb = os.environ.get("TERM", "dumb") == "dumb"
    if is_dumb and is_terminal(sys.stderr):
        click.echo(text, err=True)
    with progress_bar(hidden=is_dumb) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)
