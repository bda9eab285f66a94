"""`cartagena --version`: release, engine, rules and Python, which every report of a fault should quote."""

import importlib.util
import sys
from typing import Final

import click

from cartagena import __version__
from cartagena.cli.style import Flag

ENGINE: Final = "cartagena.rules.legality"
"""mypyc compiles all hot modules or none, so one of them tells for all."""


def version() -> str:
    """The release, the engine, the rules and the Python that run here, in one line."""
    # Imported here, and no more of the rules: help and completion need none of it.
    from cartagena.rules.ruleset import RULES_VERSION  # noqa: PLC0415

    python = sys.version.split()[0]
    return f"cartagena {__version__} (engine {engine()}, rules {RULES_VERSION}, Python {python})"


def engine() -> str:
    """Whether the engine is compiled or interpreted; looks for its file without loading it."""
    found = importlib.util.find_spec(ENGINE)
    assert found is not None
    assert found.origin is not None
    return "interpreted" if found.origin.endswith(".py") else "compiled"


def _tell(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's signature
    if wanted and not context.resilient_parsing:
        click.echo(version())
        context.exit()


VERSION: Final = click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell, cls=Flag
)
