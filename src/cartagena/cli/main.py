"""The entrance: a table of commands, each imported only when it is called."""

import contextlib
import io
import os
import sys
from typing import Final

import click

from cartagena.cli.style import Entrance, ExitCode
from cartagena.cli.version import VERSION
from cartagena.words import Words

COMMANDS: Final = {
    "play": "cartagena.cli.play",
    "join": "cartagena.cli.join",
    "watch": "cartagena.cli.watch",
    "games": "cartagena.cli.games",
    "new": "cartagena.cli.new",
    "replay": "cartagena.cli.replay",
    "analyse": "cartagena.cli.analyse",
    "verify": "cartagena.cli.verify",
    "rules": "cartagena.cli.rules",
    "arena": "cartagena.cli.arena",
    "perft": "cartagena.cli.perft",
    "serve": "cartagena.cli.serve",
    "worker": "cartagena.cli.worker",
    "db": "cartagena.cli.db",
    "admin": "cartagena.cli.admin",
    "completion": "cartagena.cli.completion",
}


@click.group(cls=Entrance, modules=COMMANDS)
@VERSION
@click.pass_context
def entrance(context: click.Context) -> None:
    """The program itself: everything that holds for all commands."""
    if os.environ.get("NO_COLOR"):
        context.color = False


def main() -> None:
    """Run the command line; when the answer itself cannot be written, say that instead."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the screen has no letters for is spelled out.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        entrance(prog_name="cartagena")
    except OSError as error:
        with contextlib.suppress(OSError):
            click.echo(Words().say("error.cannot_print", reason=error.strerror or error), err=True)
        if sys.stdout is not None:
            # Output that is still buffered would fail once more at the very end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.UNREADABLE)
