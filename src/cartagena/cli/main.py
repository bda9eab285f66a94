"""The entrance: a table of commands, each imported only when it is called."""

import os
from typing import Final

import click

from cartagena import __version__
from cartagena.cli.style import Entrance, Flag

COMMANDS: Final = {
    "play": "cartagena.cli.play",
    "new": "cartagena.cli.new",
    "replay": "cartagena.cli.replay",
    "verify": "cartagena.cli.verify",
    "rules": "cartagena.cli.rules",
    "perft": "cartagena.cli.perft",
}


@click.group(cls=Entrance, modules=COMMANDS)
@click.version_option(__version__, cls=Flag)
@click.pass_context
def entrance(context: click.Context) -> None:
    """The program itself: everything that holds for all commands."""
    if os.environ.get("NO_COLOR"):
        context.color = False


def main() -> None:
    """Run the command line."""
    entrance(prog_name="cartagena")
