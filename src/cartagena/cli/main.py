"""The entrance: a table of commands, each imported only when it is called."""

import contextlib
import io
import os
import sys
from typing import Final

import click
from click.shell_completion import get_completion_class

from cartagena.cli.style import Command, Entrance, ExitCode, say
from cartagena.cli.version import VERSION
from cartagena.words import Words

# `cartagena completion`: the few lines that teach a shell to complete commands, flags and names.

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the lines for one shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    name = str(root.info_name)
    # Not `source()`: it would start bash only to ask for its version.
    lines = kind(root.command, {}, name, f"_{name.upper()}_COMPLETE")
    click.echo(lines.source_template % lines.source_vars(), nl=False)


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
    "engine-check": "cartagena.cli.engine_check",
    "bot": "cartagena.cli.bot",
    "perft": "cartagena.cli.perft",
    "serve": "cartagena.cli.serve",
    "worker": "cartagena.cli.worker",
    "db": "cartagena.cli.db",
    "admin": "cartagena.cli.admin",
    "completion": "cartagena.cli.main",
}


@click.group(cls=Entrance, modules=COMMANDS, invoke_without_command=True)
@VERSION
@click.pass_context
def entrance(context: click.Context) -> None:
    """The program itself: everything that holds for all commands; without one, how to begin."""
    if os.environ.get("NO_COLOR"):
        context.color = False
    if context.invoked_subcommand is None:
        say("command.short")


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
