"""Whole games of two sailors, played through the use cases: `python -m benchmarks.scale_finished GAMES`."""

import asyncio
import os
import sys
from functools import partial
from random import Random
from uuid import UUID, uuid4

from benchmarks.server_games import prepare
from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.players.registry import make
from cartagena.rules.hidden.view import view
from cartagena.server.resources import Parts, opened_parts
from cartagena.server.shared.settings import Settings
from cartagena.server.tables import playing
from cartagena.server.tables.ports import Sender
from cartagena.server.tables.sheet import Stage


async def finish(settings: Settings, games: int) -> None:
    """Deal `games` games and play them to their ends."""
    dealt = await prepare(settings, games, moves=0)
    async with opened_parts(settings, program="cartagena bench") as parts:
        await asyncio.gather(*(_play(parts, UUID(game.id), number) for number, game in enumerate(dealt)))


async def _play(parts: Parts, table_id: UUID, seed: int) -> None:
    chance, bot = Random(seed), make("sailor")
    table = await parts.tables.newest(table_id)
    while table.sheet.stage is Stage.RUNNING:
        assert table.position is not None
        seat = table.position.to_act
        code = bot.choose(view(table.position, seat), chance, UNHURRIED)
        sender = Sender(player=table.sheet.chairs[seat].player, key=uuid4())
        act = partial(playing.act, seat=seat, code=code)
        table = (await parts.tables.change_at(table_id, table.seq, sender, act)).table


if __name__ == "__main__":
    asyncio.run(finish(Settings.read(os.environ), int(sys.argv[1])))
