"""`cartagena new`: the record of a game that is dealt and not yet begun."""

import click

from cartagena.cli.deal import fresh, names_of_seats
from cartagena.cli.style import Command
from cartagena.cli.table_flags import TableOptions, table_flags
from cartagena.notation.record import format_record
from cartagena.rules.ruleset import FEWEST_SEATS


@click.command("new", cls=Command)
@table_flags
def command(table: TableOptions) -> None:
    """Print a fresh record."""
    record = fresh(table.ruleset(), names_of_seats(table.seats or FEWEST_SEATS, bots=0), table.seed)
    click.echo(format_record(record), nl=False)
