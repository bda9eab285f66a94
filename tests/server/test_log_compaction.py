"""Logs of games that are over, folded into one row: nobody who reads them notices."""

from random import Random
from uuid import uuid4

import pytest

from cartagena.fairness.record import verify_record
from cartagena.server.store.databases import Databases
from cartagena.server.store.due_games import ShardTimers
from cartagena.server.store.erasure import Forgetting
from cartagena.server.store.games import Games
from cartagena.server.store.log_compaction import FOLD_AFTER, fold, folded
from cartagena.server.store.outbox import AllOutboxes
from cartagena.tables import playing
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.names import DELETED
from cartagena.tables.records import record_for
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table
from tests.server.tables_world import LIVE, PLAYERS, World, terms

OF_EVENTS = "SELECT count(*) FROM shard.events WHERE game_id = $1"
DUE = "SELECT wake_at - now() FROM shard.games WHERE game_id = $1"


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


async def over(world: World, preset: str = "tortuga") -> Table:
    table = await world.play(await world.started(terms(preset, 2, LIVE)), Random(1))
    assert table.sheet.stage is Stage.OVER
    return table


async def resigned(world: World) -> Table:
    table = await world.play(await world.started(terms("nest", 2, LIVE)), Random(2), most=31)
    return (await world.change(table.id, lambda now: playing.resign(now, 0))).table


@pytest.mark.parametrize("preset", ["tortuga", "jamaica", "nest"])
async def test_the_past_of_a_folded_game_is_what_it_was(world: World, preset: str) -> None:
    table = await over(world, preset)
    shard = world.databases.shard_of(table.id)
    before = await world.store.past(table.id, -1)
    standing = await AllOutboxes(world.databases).standings([table.id])
    assert await fold(shard, table.id)
    # Its last event, by which it ended, and what its position is rebuilt from are still there.
    assert 0 < await shard.fetchval(OF_EVENTS, table.id) < len(before) / 2
    after = await world.store.past(table.id, -1)
    assert [
        (past.seq, past.kind, past.code, past.orders, past.news, past.player, past.at) for past in after
    ] == [(past.seq, past.kind, past.code, past.orders, past.news, past.player, past.at) for past in before]
    assert [past.seq for past in await world.store.past(table.id, 10)] == list(range(11, table.seq + 1))
    assert await AllOutboxes(world.databases).standings([table.id]) == standing
    fresh = await Games(world.databases).load(table.id)
    assert fresh is not None
    assert fresh.sheet == table.sheet
    assert verify_record(await record_for(world.store, fresh, SPECTATOR)).holds
    assert not await fold(shard, table.id), "a second time there is nothing left to do"
    assert len(await world.store.past(table.id, -1)) == len(before)


async def test_a_game_that_was_resigned_is_folded_too(world: World) -> None:
    table = await resigned(world)
    assert await fold(world.databases.shard_of(table.id), table.id)
    assert [past.seq for past in await world.store.past(table.id, -1)] == list(range(table.seq + 1))
    assert (await Games(world.databases).load(table.id)) is not None


async def test_a_running_game_is_never_folded(world: World) -> None:
    table = await world.play(await world.started(terms("tortuga", 2, LIVE)), Random(1), most=20)
    assert not await fold(world.databases.shard_of(table.id), table.id)
    assert await folded(world.databases.shard_of(table.id), table.id) == []
    assert (await world.play(table, Random(2), most=5)).seq == table.seq + 5


async def test_a_game_is_due_to_be_folded_some_days_after_its_end(world: World) -> None:
    table = await over(world)
    shard = world.databases.shard_of(table.id)
    due = await shard.fetchval(DUE, table.id)
    assert FOLD_AFTER - due < FOLD_AFTER / 100
    await ShardTimers(world.databases).fold(table.id)
    assert await shard.fetchval(DUE, table.id) is None


async def test_a_folded_log_forgets_a_name(world: World) -> None:
    table = await over(world)
    shard = world.databases.shard_of(table.id)
    await fold(shard, table.id)
    anne = PLAYERS[0]
    names = {past.news.name for past in await world.store.past(table.id, -1)}
    assert anne.name in names
    await Forgetting(world.databases).rename(table.id, anne.id, anne.name, DELETED)
    after = await world.store.past(table.id, -1)
    assert {past.news.name for past in after} == names - {anne.name} | {DELETED}
    assert verify_record(await record_for(world.store, table, SPECTATOR)).holds


async def test_a_folded_log_takes_little_room(world: World) -> None:
    table = await over(world)
    shard = world.databases.shard_of(table.id)
    size = "SELECT sum(pg_column_size(e.*)) FROM shard.events e WHERE game_id = $1"
    before = await shard.fetchval(size, table.id)
    await fold(shard, table.id)
    packed = await shard.fetchval(
        "SELECT octet_length(events) FROM shard.records WHERE game_id = $1", table.id
    )
    assert packed < before / 4
    # A game that is not there has no log, which is different from an empty one.
    assert await folded(shard, uuid4()) is None
