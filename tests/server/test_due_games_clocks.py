"""Time that runs out: clocks and starts, each ended once, and PostgreSQL decides by whom."""

import asyncio
from collections import Counter

import pytest
from msgspec.structs import replace

from cartagena.fairness import commit
from cartagena.server.store.databases import Databases
from cartagena.tables import playing, seating
from cartagena.tables.errors import ServiceError, WithCurrent
from cartagena.tables.sheet import Clock, Stage
from cartagena.tables.table import EventKind
from tests.server.databases import until_blocked
from tests.server.worker_world import (
    Node,
    code_of,
    in_time,
    nobody,
    person,
    row_held,
    until_happened,
)
from tests.waiting import until

LONG = Clock(kind="live", bank=600_000)


# Clocks.


async def test_a_clock_runs_out_once_though_two_workers_race(databases: Databases) -> None:
    one, two = Node(databases), Node(databases)
    tables = [await one.begun([person("Anne"), person("Bart")], clock=LONG) for _ in range(12)]
    for table in tables:
        await one.let_time_run_out(table.id)
    async with one.running(), two.running():
        for table in tables:
            await until_happened(one, table.id, EventKind.EXPIRED)
            await until_happened(one, table.id, EventKind.ACTED)
    for table in tables:
        assert (await one.kinds(table.id)).count(EventKind.EXPIRED) == 1
        chairs = (await one.tables.newest(table.id)).sheet.chairs
        assert [(chair.minded, chair.lost) for chair in chairs].count((True, True)) == 1
    expired = [node.counted("cartagena_wakes_done_total", duty="expired") for node in (one, two)]
    assert sum(expired) == len(tables)


async def test_a_clock_of_real_time_runs_out_by_itself(databases: Databases) -> None:
    node = Node(databases)
    async with node.running():
        table = await node.begun([person("Anne"), person("Bart")], clock=Clock(kind="live", bank=300))
        after = await until_happened(node, table.id, EventKind.EXPIRED)
        assert after.sheet.chairs[table.to_act or 0].minded
    began, expired = [
        past.at
        for past in await node.store.past(table.id, -1)
        if past.kind in {EventKind.BEGAN, EventKind.EXPIRED}
    ]
    assert 300 <= expired - began < LONG.bank, "by its own clock, whenever the worker looked"


async def test_a_clock_that_is_looked_at_too_early_goes_on(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([person("Anne"), person("Bart")], clock=LONG)
    await databases.shard_of(table.id).execute("UPDATE shard.games SET wake_at = now()")
    async with node.running():

        async def rests() -> bool:
            row = await node.row(table.id)
            return row["wake_at"] == row["deadline"] and row["wake_tries"] == 0

        await until(rests)
    assert (await node.tables.newest(table.id)).seq == table.seq


async def test_a_move_in_time_wins_even_if_it_is_written_after_the_deadline(databases: Databases) -> None:
    player, worker = Node(databases), Node(databases)
    table = await player.begun([person("Anne"), person("Bart")], clock=Clock(kind="live", bank=2_000))
    sender, act = in_time(table)
    async with row_held(databases, table.id):
        moving = asyncio.create_task(player.tables.change_at(table.id, table.seq, sender, act))
        await until_blocked(databases)
        is_over = "SELECT now() > deadline FROM shard.games WHERE game_id = $1"
        await until(lambda: databases.directory.fetchval(is_over, table.id))
        expiring = asyncio.create_task(worker.tables.change_at(table.id, table.seq, nobody(), playing.expire))
        await until_blocked(databases, 2)
        assert not moving.done()
        assert not expiring.done()
    moved, expired = await asyncio.gather(moving, expiring, return_exceptions=True)
    assert (code_of(moved), code_of(expired)) == (None, "stale")
    assert await player.kinds(table.id) == [EventKind.OPENED, EventKind.BEGAN, EventKind.ACTED]


async def test_a_late_move_loses_even_if_the_expiry_is_not_written_yet(databases: Databases) -> None:
    player, worker = Node(databases), Node(databases)
    table = await player.begun([person("Anne"), person("Bart")], clock=LONG)
    sender, act = in_time(table)
    await player.let_time_run_out(table.id)
    async with row_held(databases, table.id):
        expiring = asyncio.create_task(worker.tables.change_at(table.id, table.seq, nobody(), playing.expire))
        await until_blocked(databases)
        with pytest.raises(WithCurrent) as refused:
            await player.tables.change_at(table.id, table.seq, sender, act)
        assert code_of(refused.value) == "too_late"
        assert not expiring.done()
    await expiring
    assert await player.kinds(table.id) == [EventKind.OPENED, EventKind.BEGAN, EventKind.EXPIRED]


async def test_of_a_late_move_and_an_expiry_at_the_same_time_exactly_one_counts(databases: Databases) -> None:
    player, worker = Node(databases), Node(databases)
    winners: Counter[EventKind] = Counter()
    async with worker.running():
        for delay in range(100, 200, 10):
            table = await player.begun([person("Anne"), person("Bart")], clock=Clock(kind="live", bank=150))
            sender, act = in_time(table)
            # Shortly before or after the clock runs out, which it does by itself.
            await asyncio.sleep(delay / 1000)
            (answer,) = await asyncio.gather(
                player.tables.change_at(table.id, table.seq, sender, act), return_exceptions=True
            )
            await until_happened(player, table.id, EventKind.EXPIRED)
            third = (await player.kinds(table.id))[2]
            winners[EventKind(third)] += 1
            assert (code_of(answer) is None) == (third == EventKind.ACTED)
            assert code_of(answer) in {None, "stale", "too_late"}
    assert winners.total() == 10
    assert set(winners) <= {EventKind.ACTED, EventKind.EXPIRED}


# Starts.


async def test_a_start_is_called_off_when_a_number_does_not_come(databases: Databases) -> None:
    node = Node(databases)
    promised = replace(person("Anne"), nonce_hash=commit(bytes(32)))
    table_id = await node.open([promised, person("Bart")])
    waiting = await node.start(table_id)
    assert waiting.sheet.stage is Stage.STARTING
    async with node.running():
        await node.looked()
        assert (await node.tables.newest(table_id)).seq == waiting.seq
        await node.let_time_run_out(table_id)
        await until_happened(node, table_id, EventKind.CALLED_OFF)
        with pytest.raises(ServiceError) as refused:
            await node.tables.change(
                table_id, nobody(), lambda now: seating.show_nonce(now, 0, bytes(32).hex())
            )
    assert code_of(refused.value) == "wrong_stage"
    after = await node.store.load(table_id)
    assert after is not None
    assert (after.sheet.stage, after.sheet.called_off) == (Stage.OPEN, 1)
    assert after.secret != waiting.secret
    assert after.sheet.commitment == commit(after.secret)
    row = await node.row(table_id)
    assert (row["wake_at"], row["deadline"]) == (None, None)
