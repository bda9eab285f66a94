"""`cartagena join`: play at a table of a service, or open one there."""

import asyncio
import secrets
import shlex
from dataclasses import dataclass
from typing import Final

import click

from cartagena.bots.players.registry import LEVELS
from cartagena.cli.files import keep_guest, token_of
from cartagena.cli.kept_games import save_copy
from cartagena.cli.prompt_games import lines_of, wants_another
from cartagena.cli.prompt_loop import Keyboard, PlainTable, keyboard
from cartagena.cli.screen_flags import ASCII_ONLY, PLAIN, has_screen, show
from cartagena.cli.style import Command, CommandRefused, Flag, no_client, say, spoken, words
from cartagena.notation.record import Record
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from cartagena.terminal.glyphs import Brush
from cartagena.terminal.setting_screen import Opened
from cartagena.terminal.source import Address, address_of, service_of
from cartagena.words.sentences import Names

try:
    from cartagena.client import AsyncClient, Client, ClientError, Patience, Player, Pledge, tables
    from cartagena.client import Refused as NotGranted
    from cartagena.client.tables import me
    from cartagena.messages.accounts import MeMessage
    from cartagena.messages.requests import TermsMessage
    from cartagena.messages.updates import TableAnswer
    from cartagena.messages.views import ruleset_of
    from cartagena.terminal.remote import JoinedTable
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None

TRIES: Final = 4
"""How often each request to the service is tried."""


@click.command("join", cls=Command)
@click.argument("address", metavar="URL")
@click.option("--new", "new_table", type=click.Choice(list(PRESETS)), cls=Flag)
@click.option("--seats", "new_seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), cls=Flag)
@click.option("--bots", "new_bots", type=click.Choice(list(LEVELS)), cls=Flag)
@click.option("--name", "guest_name", metavar="TEXT", cls=Flag)
@click.option("--token", envvar="CARTAGENA_TOKEN", metavar="TEXT", cls=Flag)
@PLAIN
@ASCII_ONLY
def command(  # noqa: PLR0913 - one for each flag
    address: str,
    *,
    new_table: str | None,
    new_seats: int | None,
    new_bots: str | None,
    guest_name: str | None,
    token: str | None,
    plain: bool,
    ascii_only: bool,
) -> None:
    """Sit down at a table and play there to the end."""
    if MISSING is not None:
        raise no_client(MISSING)
    if new_table is None and (new_seats is not None or new_bots is not None):
        raise click.UsageError(words().say("error.only_new"))
    service, where = service_of(address), address_of(address)
    if service is None or (where is None and new_table is None):
        raise click.BadParameter(words().say("error.no_table", address=address), param_hint="URL")
    # The person at the terminal should soon know if the service does not answer.
    with Client(service, token=token, patience=Patience(tries=TRIES)) as client:
        try:
            who = come_in(client, service, guest_name)
            if new_table is not None:
                terms = TermsMessage(ruleset=new_table, seats=new_seats or FEWEST_SEATS, listed=False)
                player = open_table(client, who, terms, new_bots)
            else:
                assert where is not None
                player = sit_down(client, who, where)
        except ClientError as error:
            raise CommandRefused("error.no_seat", reason=error) from error
        seat = Seat(service=service, token=client.token, who=who, player=player)
    last = _on_screen(seat, ascii_only=ascii_only) if has_screen() and not plain else _line_by_line(seat)
    if not last.player.is_done:
        say("join.come_back", command=shlex.quote(last.link))


def come_in(client: "Client", service: str, guest_name: str | None) -> "MeMessage":
    """Sign in with the token, else as the guest that this person was there before, else as a new one."""
    if client.token is not None:
        return client.send(me())
    client.token = token_of(service, guest_name)
    try:
        who = client.become_guest(guest_name) if client.token is None else client.send(me())
    except NotGranted:
        # The service has forgotten that guest.
        client.token = None
        who = client.become_guest(guest_name)
    keep_guest(service, who.name, client.token or "")
    return who


def sit_down(client: "Client", who: "MeMessage", where: Address) -> "Player":
    """Take a seat with a promise for the shuffle, or come back to this player's seat."""
    pledge = Pledge.draw(secrets.token_bytes)
    found = client.send(tables.see(where.table_id, invite=where.invite))
    if found.seat is None:
        client.send(tables.sit(where.table_id, nonce_hash=pledge.nonce_hash, invite=where.invite))
    elif found.table.stage == "open":
        # The number that was promised before is gone with the program that drew it.
        client.send(tables.promise(where.table_id, pledge.nonce_hash))
    else:
        return _player(found, who, None)
    return _player(client.send(tables.see(where.table_id, invite=where.invite)), who, pledge)


def open_table(client: "Client", who: "MeMessage", terms: "TermsMessage", level: str | None) -> "Player":
    """Open a table that is found by its link alone; bots of a level take the other seats, if one is named."""
    pledge = Pledge.draw(secrets.token_bytes)
    bots = [level] * (terms.seats - 1) if level else []
    return _player(
        client.send(tables.open_table(terms, bots=bots, nonce_hash=pledge.nonce_hash)), who, pledge
    )


def _player(found: "TableAnswer", who: "MeMessage", pledge: "Pledge | None") -> "Player":
    # What chooses is set when the table is shown.
    return Player(found.current, who.id, lambda _: None, pledge=pledge, invite=found.invite)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A seat at a table of a service, and the way to the same table after the end."""

    service: str
    token: str | None
    who: "MeMessage"
    player: "Player"

    @property
    def link(self) -> str:
        """The address at which others, or this player later, find the table."""
        address = Address(service=self.service, table_id=self.player.table_id, invite=self.player.invite)
        return address.link

    @property
    def names(self) -> Names:
        """The names of the game that is played there."""
        return Names(words(), ruleset_of(self.player.standing.table.ruleset))

    def table(self, client: "AsyncClient", names: Names) -> "JoinedTable":
        """The table as this seat sees it."""
        return JoinedTable(client, self.player, names, self.link)

    def again(self) -> "Seat":
        """A seat at the table that follows this one, opened for all who ask for it; raises ClientError."""
        with Client(self.service, token=self.token) as client:
            found = client.send(tables.rematch(self.player.table_id))
            where = Address(service=self.service, table_id=found.id, invite=found.invite)
            player = sit_down(client, self.who, where)
        return Seat(service=self.service, token=self.token, who=self.who, player=player)

    def record(self) -> Record:
        """The record of the game, as much of it as this player may know; raises ClientError."""
        with Client(self.service, token=self.token) as client:
            return client.send(tables.record(self.player.table_id, invite=self.player.invite))

    def save(self, name: str) -> str:
        """Save the record in a new file; returns what people must be told."""
        try:
            record = self.record()
        except ClientError as error:
            return spoken("terminal.refused", reason=error)
        return save_copy(name, record)


def _on_screen(seat: Seat, *, ascii_only: bool) -> Seat:
    """Play on the drawn screen, as often as the player wants; returns the last seat."""
    seats = [seat]

    def opened(brush: Brush) -> Opened:
        here = seats[-1]

        async def again() -> Opened:
            seats.append(await asyncio.to_thread(here.again))
            return opened(brush)

        async def save(name: str) -> str:
            return save_copy(name, await asyncio.to_thread(here.record))

        client = AsyncClient(here.service, token=here.token)
        return Opened(source=here.table(client, brush.names), brush=brush, again=again, save=save)

    show(seat.names, opened, ascii_only=ascii_only)
    return seats[-1]


def _line_by_line(seat: Seat) -> Seat:
    """Play at the prompt, as often as the player wants; returns the last seat."""
    typed = keyboard()
    while True:
        try:
            asyncio.run(_follow(seat, typed))
            if not seat.player.is_done or not wants_another(seat.save, typed):
                return seat
            seat = seat.again()
        except ClientError as error:
            raise CommandRefused("terminal.lost", reason=error) from error


async def _follow(seat: Seat, typed: Keyboard) -> None:
    lines = lines_of(seat.names.ruleset)
    async with AsyncClient(seat.service, token=seat.token) as client:
        await PlainTable(seat.table(client, lines.brush.names), lines, is_remote=True).run(typed)
