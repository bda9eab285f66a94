"""The bar that long work shows."""

import sys

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
