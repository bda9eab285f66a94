"""`cartagena completion`: the few lines that teach a shell to complete commands, flags and names."""

import click
from click.shell_completion import get_completion_class

from cartagena.cli.style import Command

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
