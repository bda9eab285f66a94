"""Games that are due: bots play, and workers and databases that come and go meanwhile."""

import asyncio
from dataclasses import replace as with_other
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from cartagena.fairness.record import verify_record
from cartagena.server.bus import Wake
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.log_compaction import folded
from cartagena.server.worker.due_tables import TimerClaim
from cartagena.server.worker.timers import PATIENT_TRIES, Pace
from cartagena.tables import playing
from cartagena.tables.ids import bucket_of
from cartagena.tables.records import whole_record
from cartagena.tables.table import EventKind, Table
from tests.server.databases import migrated_database, opened, settings_for
from tests.server.worker_bots import HERE
from tests.server.worker_world import (
    QUICK,
    Gate,
    Node,
    bot,
    nobody,
    person,
    until_counted,
    until_happened,
)
from tests.waiting import until

CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'cartagena cut' AND datname = current_database()
"""
GATED = bot(f"{HERE}:Gated")


# Bots.


async def test_four_bots_play_a_game_to_its_end(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("deckhand"), bot("sailor"), bot("random"), bot("sailor")])
    async with node.running():
        over = await node.until_over(table.id)
    assert over.sheet.ending == "won"
    assert verify_record(await whole_record(node.store, over)).holds
    assert node.counted("cartagena_wakes_done_total", duty="acted") == (await node.kinds(table.id)).count(
        EventKind.ACTED
    )
    assert node.counted("cartagena_wakes_failed_total") == 0


async def test_the_log_of_a_game_that_is_over_is_folded_when_that_is_due(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    async with node.running():
        await node.until_over(table.id)
    events = len(await node.store.past(table.id, -1))
    shard = databases.shard_of(table.id)
    assert not await folded(shard, table.id)
    await shard.execute("UPDATE shard.games SET wake_at = now() WHERE game_id = $1", table.id)

    async def is_folded() -> bool:
        return bool(await folded(shard, table.id))

    async with Node(databases).running():
        await until(is_folded)
    assert (await node.row(table.id))["wake_at"] is None
    assert len(await node.store.past(table.id, -1)) == events


@pytest.mark.parametrize("ruleset", ["jamaica", "nest"])
async def test_two_workers_play_the_games_of_both_without_failing(databases: Databases, ruleset: str) -> None:
    one, two = Node(databases), Node(databases)
    tables = [await one.begun([bot("sailor"), bot("deckhand")], ruleset=ruleset) for _ in range(3)]
    async with one.running(), two.running():
        for table in tables:
            over = await one.until_over(table.id)
            assert verify_record(await whole_record(one.store, over)).holds
    # One of them may be quicker every time.
    assert sum(node.counted("cartagena_wakes_done_total", duty="acted") for node in (one, two)) > 0
    assert [node.counted("cartagena_wakes_failed_total") for node in (one, two)] == [0, 0]


async def test_a_bot_stops_where_a_person_is_to_act(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), person("Anne")])
    async with node.running():

        async def is_her_turn() -> bool:
            return (await node.tables.newest(table.id)).to_act == 1

        await until(is_her_turn)
        now = await node.tables.newest(table.id)
        await node.looked()
        assert (await node.tables.newest(table.id)).seq == now.seq
    assert (await node.row(table.id))["wake_at"] is None


async def test_a_game_that_ends_after_it_was_claimed_is_not_folded_yet(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    (due,) = await node.claims.claim(0, 1, node.lease)
    await node.tables.change(table.id, nobody(), lambda now: playing.resign(now, 1))
    await node.attendant.attend(TimerClaim(due, 0.0), is_stopping=lambda: False)
    # The request that ended it may be sent again, and is found by its key.
    assert [past.kind for past in await node.store.past(table.id, table.seq)] == [EventKind.RESIGNED]
    assert await folded(databases.shard_of(table.id), table.id) == []


async def test_a_hint_on_the_bus_is_quicker_than_the_next_look(databases: Databases) -> None:
    node = Node(databases, pace=Pace(poll_seconds=60))
    async with node.running():
        await until(lambda: node.claims.looks)
        table = await node.begun([bot("sailor"), bot("sailor")])
        await until_happened(node, table.id, EventKind.ACTED)


async def test_what_no_hint_told_is_found_by_the_next_look(databases: Databases) -> None:
    node, elsewhere = Node(databases), Node(databases)
    async with node.running():
        table = await elsewhere.begun([bot("sailor"), bot("sailor")])
        await until_happened(elsewhere, table.id, EventKind.ACTED)


async def test_many_hints_at_once_are_one(databases: Databases) -> None:
    node = Node(databases, pace=Pace(poll_seconds=60))
    async with node.running():
        table = await Node(databases).begun([bot("sailor"), bot("sailor")])
        for _ in range(1000):
            node.bus.publish(Wake(bucket=bucket_of(table.id)))
        await node.until_over(table.id)
    assert node.counted("cartagena_wakes_failed_total") == 0


async def test_a_turn_that_is_due_before_the_last_one_is_put_down_is_not_forgotten(
    databases: Databases,
) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    assert table.position is not None
    (due,) = await node.claims.claim(0, 10, 10_000)
    watch = node.wakes._watches[0]
    async with asyncio.TaskGroup() as group:
        watch._begin(due, group)
        watch._begin(due, group)
    after = await node.tables.newest(table.id)
    assert after.position is not None
    assert after.position.turn == table.position.turn + 2


async def test_a_seat_that_is_taken_back_while_its_bot_thinks_is_not_played_by_it(
    databases: Databases,
) -> None:
    node, elsewhere = Node(databases, seconds=1.0), Node(databases)
    minded = [replace(person(name), minded=True) for name in ("Anne", "Bart")]
    table = await node.begun(minded)
    seat = table.to_act
    assert seat is not None
    async with node.running():
        await until_counted(node, "cartagena_wakes_claimed_total")
        await elsewhere.tables.change(table.id, nobody(), lambda now: playing.take_back(now, seat))
    assert (await node.kinds(table.id))[-1] == EventKind.TAKEN_BACK
    assert node.counted("cartagena_wakes_failed_total") == 0


# Bots that fail.


async def test_a_game_with_a_bot_that_always_fails_is_played_to_its_end(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot(f"{HERE}:Raising"), bot(f"{HERE}:Cheating"), bot(f"{HERE}:Nobody")])
    async with node.running():
        over = await node.until_over(table.id)
    assert verify_record(await whole_record(node.store, over)).holds
    assert node.counted("cartagena_bot_troubles_total", level=f"{HERE}:Raising", trouble="ValueError") > 5


# Workers that come and go.


async def test_the_claim_of_a_worker_that_died_is_taken_over_after_its_lease(databases: Databases) -> None:
    dead, node = Node(databases), Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    (claimed,) = await dead.claims.claim(0, 10, 600)
    assert (claimed.game_id, claimed.seq, claimed.tries) == (table.id, table.seq, 1)
    claimed_at = await databases.shard_of(table.id).fetchval("SELECT now()")
    async with node.running():
        assert await node.claims.claim(0, 10, 600) == []
        await until_happened(node, table.id, EventKind.ACTED)
        await node.until_over(table.id)
    acted = next(past for past in await node.store.past(table.id, -1) if past.kind is EventKind.ACTED)
    assert acted.at >= (claimed_at + timedelta(milliseconds=550)).timestamp() * 1000


async def test_a_worker_that_is_stopped_finishes_its_choice_and_leaves_the_turn_to_others(
    databases: Databases, gate: Gate
) -> None:
    one, two = Node(databases), Node(databases)
    table = await one.begun([GATED, GATED])
    async with one.running():
        await gate.asked()
        stopping = asyncio.create_task(one.wakes.stop())
        asyncio.get_running_loop().call_soon(gate.let, 1000)
        await stopping
    assert (await one.kinds(table.id)).count(EventKind.ACTED) == 1
    row = await one.row(table.id)
    wake_in = row["wake_in"]
    assert isinstance(wake_in, timedelta)
    assert wake_in <= timedelta(0)
    async with two.running():
        await until_happened(two, table.id, EventKind.ACTED, 2)


async def test_a_worker_that_is_cancelled_leaves_nothing_running(databases: Databases, gate: Gate) -> None:
    node = Node(databases)
    await node.begun([GATED, GATED])
    before = asyncio.all_tasks()
    running = asyncio.create_task(node.wakes.run())
    await gate.asked()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    gate.let(1000)
    assert asyncio.all_tasks() == before


async def test_a_worker_asks_for_more_time_while_its_bot_thinks(databases: Databases, gate: Gate) -> None:
    node, other = Node(databases, lease=2_000), Node(databases, lease=2_000)
    table = await node.begun([GATED, GATED])
    shard = databases.shard_of(table.id)
    passed = "SELECT clock_timestamp() > $1::timestamptz"
    async with node.running():
        await gate.asked()
        ends_at = (await node.row(table.id))["wake_at"]
        assert isinstance(ends_at, datetime)
        await until(lambda: shard.fetchval(passed, ends_at - timedelta(seconds=0.9)))
        # More than half of its time is gone when it has chosen, so it asks for more before it goes on.
        gate.let(1)
        await gate.asked(2)
        async with other.running():
            await until(lambda: shard.fetchval(passed, ends_at))
            await other.looked()
        assert other.counted("cartagena_wakes_claimed_total") == 0
        gate.let(1000)
        await until_happened(node, table.id, EventKind.ACTED, 2)


async def until_put_off(node: Node, table_id: UUID, tries: int) -> None:
    """Wait until a worker has failed `tries` times, and the game rests for the pause that follows."""
    pause = timedelta(milliseconds=node.pace.pause(tries))

    async def is_so() -> bool:
        wake_in = (await node.row(table_id))["wake_in"]
        assert isinstance(wake_in, timedelta)
        return node.counted("cartagena_wakes_failed_total") == tries and pause / 2 < wake_in <= pause

    await until(is_so, what=f"a pause of {pause}")


async def test_a_game_that_fails_again_and_again_rests_and_calls_somebody(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    shard = databases.shard_of(table.id)
    await shard.execute("UPDATE shard.games SET rules_version = 999")
    # No pause ends by itself during this test.
    other = Node(databases, pace=with_other(QUICK, first_pause=100_000))
    async with other.running():
        for tries in range(1, PATIENT_TRIES + 2):
            await until_put_off(other, table.id, tries)
            assert other.counted("cartagena_wakes_stuck_total") == (tries > PATIENT_TRIES)
            await other.looked()
            if tries <= PATIENT_TRIES:
                await shard.execute("UPDATE shard.games SET wake_at = now()")
    assert (await node.row(table.id))["wake_tries"] == PATIENT_TRIES + 1
    assert other.counted("cartagena_wakes_failed_total") == PATIENT_TRIES + 1
    await shard.execute("UPDATE shard.games SET rules_version = 1, wake_at = now()")
    another = Node(databases)
    async with another.running():
        await another.until_over(table.id)
    assert (await node.row(table.id))["wake_tries"] == 0


def test_the_pauses_of_a_game_that_fails_grow_to_an_hour() -> None:
    pauses = [Pace().pause(tries) for tries in (1, 2, 3, 5, 12, 13, 30_000)]
    assert pauses == [1_000, 2_000, 4_000, 16_000, 2_048_000, 3_600_000, 3_600_000]


# Databases that come and go.


async def test_a_worker_goes_on_when_its_connections_are_cut(
    databases: Databases, settings: Settings
) -> None:
    own, watcher = await Databases.open(settings, program="cartagena cut", patience=0), Node(databases)
    try:
        node = Node(own, lease=1_000)
        table = await watcher.begun([bot("sailor"), bot("sailor"), bot("sailor")])
        async with node.running():
            for acted in range(3, 18, 3):
                await until_happened(watcher, table.id, EventKind.ACTED, acted)
                await databases.directory.execute(CUT)
            over = await watcher.until_over(table.id)
        assert verify_record(await whole_record(watcher.store, over)).holds
    finally:
        await own.close()


async def test_the_games_of_one_database_go_on_while_another_is_away() -> None:
    async with migrated_database() as first, migrated_database() as second:
        shards = f"0-511={first},512-1023={second}"
        async with opened(settings_for(first, shards=shards)) as databases:
            node = Node(databases)
            by_place: dict[int, Table] = {}
            while len(by_place) < 2:
                table = await node.begun([bot("sailor"), bot("sailor")])
                by_place.setdefault(node.claims.place_of(bucket_of(table.id)), table)
            here, there = by_place[0], by_place[1]
            away = databases.shards()[1]
            await away.execute("ALTER TABLE shard.games RENAME TO gone")
            async with node.running():
                await node.until_over(here.id)
                await away.execute("ALTER TABLE shard.gone RENAME TO games")
                await node.until_over(there.id)
