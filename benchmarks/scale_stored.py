"""Games that are over, in great number: some are played and folded, the others are copies of one of them.

`python -m benchmarks.scale_stored GAMES` plays whole games of two sailors through the use cases.
"""

import asyncio
import os
import sys
from functools import partial
from random import Random
from typing import Final
from uuid import UUID, uuid4

import asyncpg

from benchmarks.scale_places import Place
from benchmarks.server_games import prepare
from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.players.registry import make
from cartagena.rules.hidden.view import view
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store.log_compaction import fold
from cartagena.tables import playing
from cartagena.tables.ports import Sender
from cartagena.tables.sheet import Stage


async def finish(settings: Settings, games: int) -> None:
    """Deal `games` games and play them to their ends."""
    dealt = await prepare(settings, games, moves=0)
    async with opened_resources(settings, program="cartagena bench") as resources:
        await asyncio.gather(*(_play(resources, UUID(game.id), number) for number, game in enumerate(dealt)))


async def _play(resources: Resources, table_id: UUID, seed: int) -> None:
    chance, bot = Random(seed), make("sailor")
    table = await resources.tables.newest(table_id)
    while table.sheet.stage is Stage.RUNNING:
        assert table.position is not None
        seat = table.position.to_act
        code = bot.choose(view(table.position, seat), chance, UNHURRIED)
        sender = Sender(player=table.sheet.chairs[seat].player, key=uuid4())
        act = partial(playing.act, seat=seat, code=code)
        table = (await resources.tables.change_at(table_id, table.seq, sender, act)).table


# A game that was played to its end, folded as it would be after some days.
ENDED: Final = "SELECT game_id FROM shard.records LIMIT 1"

OVER: Final = "SELECT game_id FROM shard.games WHERE stage = 3"

COPY: Final = """
WITH fresh AS MATERIALIZED (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)),
games AS (
    INSERT INTO shard.games
    SELECT (jsonb_populate_record(g, jsonb_build_object('game_id', fresh.id))).*
    FROM fresh, shard.games g WHERE g.game_id = $1
),
tables AS (
    INSERT INTO shard.tables SELECT fresh.id, t.sheet, t.secret, t.created_at
    FROM fresh, shard.tables t WHERE t.game_id = $1
),
kept AS (
    INSERT INTO shard.events (game_id, seq, kind, seat, code, orders, detail, key, player, at)
    SELECT fresh.id, e.seq, e.kind, e.seat, e.code, e.orders, e.detail, e.key, e.player, e.at
    FROM fresh, shard.events e WHERE e.game_id = $1
)
INSERT INTO shard.records SELECT fresh.id, r.last, r.events FROM fresh, shard.records r WHERE r.game_id = $1
"""
AT_ONCE: Final = 20_000


async def fold_all(place: Place) -> dict[str, int]:
    """Fold the games that are over; bytes of one game's log before and after."""
    async with asyncpg.create_pool(place.dsns[0], min_size=1, max_size=1) as pool:
        games = [
            row["game_id"] for row in await pool.fetch("SELECT game_id FROM shard.games WHERE stage = 3")
        ]
        before = await _bytes(pool, "events", games)
        actions = await pool.fetchval(
            "SELECT count(*) FROM shard.events WHERE game_id = ANY ($1::uuid[])", games
        )
        for game in games:
            await fold(pool, game)
        kept, packed = await _bytes(pool, "events", games), await _bytes(pool, "records", games)
    number = max(1, len(games))
    return {
        "games": len(games),
        "events_each": actions // number,
        "log_bytes": before // number,
        "kept_bytes": kept // number,
        "folded_bytes": packed // number,
    }


async def _bytes(pool: "asyncpg.Pool[asyncpg.Record]", table: str, games: list[object]) -> int:
    """What the rows of games take, the index of each row included."""
    statement = f"""
        SELECT coalesce(sum(pg_column_size(r.*) + 24 + 40), 0)::bigint FROM shard.{table} r
        WHERE game_id = ANY ($1::uuid[])
    """  # noqa: S608  # our own names
    total: int = await pool.fetchval(statement, games)
    return total


async def store(place: Place, games: int) -> None:
    """Copy games until the first database holds `games` in all."""
    connection = await asyncpg.connect(place.dsns[0])
    try:
        await connection.execute("SET session_replication_role = replica")  # copies may begin anywhere
        template = await connection.fetchval(ENDED)
        there = await connection.fetchval("SELECT count(*) FROM shard.games")
        for start in range(there, games, AT_ONCE):
            await connection.execute(COPY, template, min(AT_ONCE, games - start), timeout=600)
        await connection.execute("VACUUM ANALYZE", timeout=600)
        await connection.execute("CHECKPOINT", timeout=600)
    finally:
        await connection.close()


if __name__ == "__main__":
    asyncio.run(finish(Settings.read(os.environ), int(sys.argv[1])))
