"""`cartagena watch`: look on at a table of a service, or step through a record."""

import asyncio
from pathlib import Path

import click

from cartagena.cli.files import broken, read_record
from cartagena.cli.join import MISSING, TRIES
from cartagena.cli.prompt_games import lines_of
from cartagena.cli.prompt_loop import PlainTable, keyboard
from cartagena.cli.replay import tell_record
from cartagena.cli.screen_flags import ASCII_ONLY, PLAIN, has_screen, show
from cartagena.cli.style import Command, CommandRefused, Flag, no_client, words
from cartagena.notation.names import COLOURS, SEAT_BY_COLOUR
from cartagena.notation.tokens import ReplayError
from cartagena.terminal.recorded import RecordedTable
from cartagena.terminal.setting_screen import Opened
from cartagena.terminal.source import Address, address_of, is_address
from cartagena.words.sentences import Names

if MISSING is None:
    from cartagena.client import AsyncClient, Client, ClientError, Patience, TableState, tables
    from cartagena.messages.views import ruleset_of
    from cartagena.terminal.remote import HeardTable, WatchedTable


@click.command("watch", cls=Command)
@click.argument("what", metavar="URL|FILE")
@click.option("--seat", type=click.Choice(COLOURS), cls=Flag)
@click.option("--token", envvar="CARTAGENA_TOKEN", metavar="TEXT", cls=Flag)
@PLAIN
@ASCII_ONLY
def command(what: str, seat: str | None, token: str | None, *, plain: bool, ascii_only: bool) -> None:
    """Show a table as it is played, or a game as it was."""
    is_drawn = has_screen() and not plain
    if not is_address(what):
        follow_record(Path(what), seat, is_drawn=is_drawn, ascii_only=ascii_only)
        return
    where = address_of(what)
    if where is None:
        raise click.BadParameter(words().say("error.no_table", address=what), param_hint="URL")
    _watch_table(where, token, is_drawn=is_drawn, ascii_only=ascii_only)


def follow_record(file: Path, seat: str | None, *, is_drawn: bool, ascii_only: bool) -> None:
    """Step through a record on the drawn screen; without one, tell it in words."""
    if not is_drawn:
        tell_record(file, seat)
        return
    record = read_record(file)
    if seat in COLOURS[record.headers.seats :]:
        raise click.BadOptionUsage("seat", words().say("refusal.no_such_crew"))
    names = Names(words(), record.headers.ruleset)
    try:
        source = RecordedTable(record=record, names=names, seat=SEAT_BY_COLOUR[seat] if seat else None)
    except ReplayError as error:
        raise broken(file, error) from error
    show(names, lambda brush: Opened(source=source, brush=brush), ascii_only=ascii_only)


def _watch_table(where: Address, token: str | None, *, is_drawn: bool, ascii_only: bool) -> None:
    if MISSING is not None:
        raise no_client(MISSING)
    with Client(where.service, token=token, patience=Patience(tries=TRIES)) as client:
        try:
            found = client.send(tables.see(where.table_id, invite=where.invite))
        except ClientError as error:
            raise CommandRefused("error.no_sight", reason=error) from error
    standing = TableState.of(found.current)
    if not is_drawn:
        _tell_table(where, token, standing)
        return
    names = Names(words(), ruleset_of(found.table.ruleset))
    listener = HeardTable(standing, names)
    source = WatchedTable(AsyncClient(where.service, token=token), listener, where.invite)
    show(names, lambda brush: Opened(source=source, brush=brush), ascii_only=ascii_only)


def _tell_table(where: Address, token: str | None, standing: "TableState") -> None:
    lines = lines_of(ruleset_of(standing.table.ruleset))

    async def follow() -> None:
        async with AsyncClient(where.service, token=token) as client:
            source = WatchedTable(client, HeardTable(standing, lines.brush.names), where.invite)
            await PlainTable(source, lines, is_remote=True).run(keyboard())

    try:
        asyncio.run(follow())
    except ClientError as error:
        raise CommandRefused("terminal.lost", reason=error) from error
