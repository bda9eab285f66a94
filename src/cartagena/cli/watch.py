"""`cartagena watch`: look on at a table of a service, or step through a record."""

from pathlib import Path

import click

from cartagena.cli.extras import no_client
from cartagena.cli.files import broken, read_record
from cartagena.cli.join import MISSING, TRIES
from cartagena.cli.screen_flags import ASCII_ONLY, has_screen, show
from cartagena.cli.style import Command, Flag, Refused, words
from cartagena.notation.errors import ReplayError
from cartagena.notation.names import COLOURS, SEAT_BY_COLOUR
from cartagena.terminal.address import Address, address_of, is_address
from cartagena.terminal.recorded import RecordedTable
from cartagena.words.naming import Names

if MISSING is None:
    from cartagena.client import AsyncClient, Client, ClientError, Patience, Standing, tables
    from cartagena.messages.views import ruleset_of
    from cartagena.terminal.remote import WatchedTable


@click.command("watch", cls=Command)
@click.argument("what", metavar="URL|FILE")
@click.option("--seat", type=click.Choice(COLOURS), cls=Flag)
@click.option("--token", envvar="CARTAGENA_TOKEN", metavar="TEXT", cls=Flag)
@ASCII_ONLY
def command(what: str, seat: str | None, token: str | None, *, ascii_only: bool) -> None:
    """Show a table as it is played, or a game as it was."""
    if not is_address(what):
        _follow_record(Path(what), seat, ascii_only=ascii_only)
        return
    where = address_of(what)
    if where is None:
        raise click.BadParameter(words().say("error.no_table", address=what), param_hint="URL")
    _check_screen()
    _watch_table(where, token, ascii_only=ascii_only)


def _check_screen() -> None:
    if not has_screen():
        raise Refused("error.no_screen")


def _follow_record(file: Path, seat: str | None, *, ascii_only: bool) -> None:
    record = read_record(file)
    if seat in COLOURS[record.headers.seats :]:
        raise click.BadOptionUsage("seat", words().say("refusal.no_such_crew"))
    _check_screen()
    names = Names(words(), record.headers.ruleset)
    try:
        source = RecordedTable(record=record, names=names, seat=SEAT_BY_COLOUR[seat] if seat else None)
    except ReplayError as error:
        raise broken(file, error) from error
    show(source, names, ascii_only=ascii_only)


def _watch_table(where: Address, token: str | None, *, ascii_only: bool) -> None:
    if MISSING is not None:
        raise no_client(MISSING)
    with Client(where.service, token=token, patience=Patience(tries=TRIES)) as client:
        try:
            found = client.send(tables.see(where.table_id, invite=where.invite))
        except ClientError as error:
            raise Refused("error.no_sight", reason=error) from error
    names = Names(words(), ruleset_of(found.table.ruleset))
    source = WatchedTable(
        AsyncClient(where.service, token=token), Standing.of(found.current), names, where.invite
    )
    show(source, names, ascii_only=ascii_only)
