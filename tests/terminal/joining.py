"""A person at a terminal who joins a table of a service and plays there by keys until the end.

python -m tests.terminal.joining URL
"""

import asyncio
import sys

from cartagena.cli.join import come_in, sit_down
from cartagena.client import AsyncClient, Client, Patience, Player
from cartagena.messages.views import ruleset_of
from cartagena.terminal.glyphs import UNICODE, Brush
from cartagena.terminal.remote import JoinedTable
from cartagena.terminal.source import Address, address_of
from cartagena.terminal.table_screen import TableScreen
from cartagena.words import Words
from cartagena.words.sentences import Names
from tests.terminal.keyboard import app_of, play_to_the_end, until

KEPT = "The shuffle was the promised one."


def seat_at(where: Address, name: str | None, patience: Patience | None = None) -> tuple[Player, str | None]:
    """Sit down as the command does; return the player and their token."""
    with Client(where.service, patience=patience) as client:
        return sit_down(client, come_in(client, where.service, name), where), client.token


def table_at(player: Player, client: AsyncClient) -> tuple[JoinedTable, Brush]:
    """The table of a player who sits there, and what it is drawn with."""
    names = Names(Words("en"), ruleset_of(player.standing.table.ruleset))
    return JoinedTable(client, player, names), Brush(names=names, glyphs=UNICODE)


async def play(where: Address) -> TableScreen:
    """Join, play to the end, and wait until the shuffle was checked."""
    player, token = await asyncio.to_thread(seat_at, where, "Terry")
    async with AsyncClient(where.service, token=token) as client:
        table, brush = table_at(player, client)
        app = app_of(table, brush)
        async with app.run_test(size=(80, 24)) as pilot:
            screen = await play_to_the_end(pilot, app)
            await until(lambda: screen.desk.said == KEPT)
            return screen


def main(url: str) -> None:
    """Play at the table of an address."""
    where = address_of(url)
    assert where is not None, url
    screen = asyncio.run(play(where))
    sys.stdout.write(f"{screen.desk.moment.log[-1]}\n{screen.desk.said}\n")


if __name__ == "__main__":
    main(sys.argv[1])
