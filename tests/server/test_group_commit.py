"""Group commit: what is acknowledged is on disk, once, whatever else is written or breaks meanwhile."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from cartagena.rules.legality import legal
from cartagena.server.store import databases as databases_module
from cartagena.server.store.databases import Databases
from cartagena.server.store.group_commit import GroupCommit
from cartagena.tables import playing
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Sender
from cartagena.tables.sheet import Clock
from cartagena.tables.table import Change, Table, Times
from tests.server.databases import opened, settings_for
from tests.server.relay import relayed
from tests.server.tables_world import PLAYERS, World, terms
from tests.waiting import PATIENCE, until


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


CUT_WHO_WAITS = """
SELECT bool_or(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


def next_change(table: Table) -> Change:
    """The first legal action of the seat to act."""
    assert table.to_act is not None
    assert table.position is not None
    return playing.act(table, table.to_act, legal(table.position)[0])


def sender() -> Sender:
    return Sender(player=PLAYERS[0].id, key=uuid4())


async def seqs(databases: Databases, table_id: UUID) -> list[int]:
    rows = await databases.shard_of(table_id).fetch(
        "SELECT seq FROM shard.events WHERE game_id = $1 ORDER BY seq", table_id
    )
    return [row["seq"] for row in rows]


async def test_changes_of_many_games_go_together(world: World) -> None:
    tables = [await world.started(terms()) for _ in range(6)]
    (pool,) = world.databases.shards()
    answers = await asyncio.gather(*(world.store.commit(next_change(table), sender()) for table in tables))
    assert all(isinstance(answer, Times) for answer in answers)
    # The first goes alone, the other five wait for it and go together.
    transactions = await pool.fetchval(
        "SELECT count(DISTINCT e.xmin::text) FROM shard.events e JOIN shard.games g USING (game_id, seq) "
        "WHERE game_id = ANY ($1::uuid[])",
        [table.id for table in tables],
    )
    assert transactions <= 2
    for table in tables:
        assert (await seqs(world.databases, table.id))[-1] == table.seq + 1


async def test_two_changes_of_one_game_at_the_same_seq_count_once(world: World) -> None:
    table = await world.started(terms())
    answers = await asyncio.gather(*(world.store.commit(next_change(table), sender()) for _ in range(5)))
    assert sum(answer is not None for answer in answers) == 1
    assert await seqs(world.databases, table.id) == list(range(table.seq + 2))


async def test_what_was_read_before_a_failover_is_not_built_upon(world: World) -> None:
    table = await world.started(terms())
    lost = replace(table, timeline="00000009")
    assert await world.store.commit(next_change(lost), sender()) is None
    assert await world.store.commit(next_change(table), sender()) is not None


async def test_two_nodes_with_the_same_games_never_wait_for_each_other_in_vain(world: World) -> None:
    tables = [await world.started(terms()) for _ in range(8)]
    (pool,) = world.databases.shards()
    nodes = [GroupCommit(pool) for _ in range(4)]
    wishes = [
        node.commit(next_change(table), sender())
        for number, node in enumerate(nodes)
        for table in (tables if number % 2 else reversed(tables))
    ]
    async with asyncio.timeout(PATIENCE):
        answers = await asyncio.gather(*wishes)
    assert sum(answer is not None for answer in answers) == len(tables)


async def test_what_cannot_be_written_keeps_nobody_else_from_being_written(world: World) -> None:
    tables = [await world.started(terms()) for _ in range(4)]
    (pool,) = world.databases.shards()
    writer = GroupCommit(pool)
    changes = [next_change(table) for table in tables]
    broken = replace(changes[2], code=2**20)
    answers = await asyncio.gather(
        *(writer.commit(change, sender()) for change in (*changes[:2], broken, changes[3])),
        return_exceptions=True,
    )
    assert [type(answer) is Times for answer in answers] == [True, True, False, True]
    assert isinstance(answers[2], Exception)


async def test_an_answer_that_was_lost_is_found_in_the_log(world: World, database_dsn: str) -> None:
    table = await world.started(terms())
    async with relayed(database_dsn) as (relay, dsn), opened(settings_for(dsn, CARTAGENA_POOL="1")) as far:
        other = World(far)
        theirs = await other.tables.newest(table.id)
        first = await other.store.commit(next_change(theirs), sender())
        assert isinstance(first, Times)
        theirs = await other.tables.newest(table.id)
        relay.cut_after_request = True
        answer = await other.store.commit(next_change(theirs), sender())
        assert relay.cuts == 1
        assert isinstance(answer, Times)
    assert (await seqs(world.databases, table.id))[-1] == table.seq + 2


async def test_a_commit_that_never_arrived_asks_to_be_sent_again(world: World) -> None:
    table = await world.started(terms())
    (pool,) = world.databases.shards()
    change, who = next_change(table), sender()
    async with pool.acquire() as blocker, blocker.transaction():
        await blocker.execute("SELECT 1 FROM shard.games WHERE game_id = $1 FOR UPDATE", table.id)
        waiting = asyncio.create_task(world.store.commit(change, who))
        await until(lambda: pool.fetchval(CUT_WHO_WAITS), what="a commit that waits")
        with pytest.raises(ServiceError) as error:
            await waiting
    assert error.value.problem is Problem.UNAVAILABLE
    assert isinstance(await world.store.commit(change, who), Times)
    assert (await seqs(world.databases, table.id))[-1] == table.seq + 1


async def test_a_game_that_somebody_holds_keeps_nobody_else_waiting_for_long(
    database_dsn: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases_module, "LOCK_TIMEOUT", "100ms")
    held, free = [await world.started(terms()) for _ in range(2)]
    (pool,) = world.databases.shards()
    async with opened(settings_for(database_dsn)) as others, pool.acquire() as blocker, blocker.transaction():
        await blocker.execute("SELECT 1 FROM shard.games WHERE game_id = $1 FOR UPDATE", held.id)
        (busy,) = others.shards()
        writer = GroupCommit(busy)
        first, second = await asyncio.gather(
            *(writer.commit(next_change(table), sender()) for table in (held, free)), return_exceptions=True
        )
    assert isinstance(first, asyncpg.LockNotAvailableError)
    assert isinstance(second, Times)


async def test_a_clock_that_is_behind_after_a_failover_gives_nobody_time(world: World) -> None:
    table = await world.started(terms(clock=Clock(kind="live", bank=60_000)))
    (pool,) = world.databases.shards()
    ahead = "UPDATE shard.games SET clock_since = now() + interval '1 hour' WHERE game_id = $1"
    await pool.execute(ahead, table.id)
    seat = table.to_act
    assert seat is not None
    while table.to_act == seat:
        assert table.position is not None
        table = await world.act(table, legal(table.position)[0])
    assert table.times.banks[seat] <= 60_000
