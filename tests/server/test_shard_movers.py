"""Movers that die, wait or are refused: whatever becomes of them, a bucket is played in one place."""

import asyncio
import itertools
from random import Random

import asyncpg
import pytest

from cartagena.fairness.record import verify_record
from cartagena.server.shared.settings import Settings
from cartagena.server.store import shard_migration, shards
from cartagena.server.store.databases import NotConfirmed, confirm_on
from cartagena.server.store.shard_migration import Mover, MoveRefused, alone, bring_back
from cartagena.server.store.shards import Held
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import bucket_of
from cartagena.tables.records import record_for
from cartagena.tables.sheet import Stage
from tests.server.databases import opened
from tests.server.moves_world import FIRST, SECOND, moved, rows_of
from tests.server.tables_world import LIVE, World, terms
from tests.waiting import until

GATE = 17
"""A lock of the test: a statement that waits for it is under way until the test lets it go on."""
WAIT = "SELECT pg_advisory_lock($1)"
SESSIONS_AT_LOCK = """
SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
WHERE locktype = 'advisory' AND d.datname = current_database() AND objid = $1::int::oid AND granted <> $2
"""


class Interrupted(Exception):
    """The mover died."""


async def dies_before(
    line: str, settings: Settings, bucket: int, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run a mover that dies when it comes to `line`."""

    async def die(*_: object) -> None:
        raise Interrupted

    with monkeypatch.context() as patched:
        patched.setattr(Mover, line, die)
        with pytest.raises(Interrupted):
            await moved(settings, bucket, target)


@pytest.mark.parametrize("died_before", ["_depart", "_arrive", "_note_arrival"])
async def test_a_mover_may_die_at_any_moment_and_another_goes_on(
    two_shards: Settings, died_before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.play(await world.started(terms("nest", 2, LIVE)), Random(1), most=15)
        bucket = bucket_of(table.id)

        await dies_before(died_before, two_shards, bucket, SECOND, monkeypatch)
        if died_before == "_depart":
            table = await world.play(table, Random(2), most=5)
        else:
            with monkeypatch.context() as patched:
                patched.setattr(shards, "PATIENCE", 0.2)
                with pytest.raises(ServiceError) as refused:
                    await world.play(table, Random(2), most=1)
            assert refused.value.problem is Problem.UNAVAILABLE
        if died_before == "_note_arrival":
            # Otherwise both copies could be written afterwards.
            with pytest.raises(MoveRefused, match="has arrived"):
                await bring_back(databases, bucket)
        await moved(two_shards, bucket, SECOND)
        assert (await rows_of(databases, SECOND, table.id))["games"] == 1
        assert not any((await rows_of(databases, FIRST, table.id)).values())
        table = await world.play(table, Random(3))
        assert verify_record(await record_for(world.store, table, SPECTATOR)).holds


async def test_a_move_that_cannot_arrive_is_undone(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        bucket = bucket_of(table.id)
        await dies_before("_arrive", two_shards, bucket, SECOND, monkeypatch)
        await bring_back(databases, bucket)
        table = await world.play(table, Random(2), most=10)
        with pytest.raises(MoveRefused, match="nothing to undo"):
            await bring_back(databases, bucket)
        # What the move had brought is no hindrance to the next one.
        await moved(two_shards, bucket, SECOND)
        assert (await world.play(table, Random(3))).sheet.stage is Stage.OVER


async def test_a_mover_may_die_before_it_says_that_a_bucket_has_come_back(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        bucket = bucket_of(table.id)
        await moved(two_shards, bucket, SECOND)
        table = await world.play(table, Random(1), most=5)
        await dies_before("_note_arrival", two_shards, bucket, FIRST, monkeypatch)
        # For the next mover it is where the settings say; a node that knows better still waits for the note.
        await moved(two_shards, bucket, FIRST)
        assert (await world.play(table, Random(2))).sheet.stage is Stage.OVER
        assert not any((await rows_of(databases, SECOND, table.id)).values())


@pytest.mark.parametrize("place", [FIRST, SECOND])
async def test_a_mover_does_not_go_on_before_the_standby_has_what_it_did(
    two_shards: Settings, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        bucket, confirmed = bucket_of(table.id), itertools.count()

        async def not_confirmed(connection: Held) -> None:
            if next(confirmed) == place:
                raise NotConfirmed
            await confirm_on(connection)

        with monkeypatch.context() as patched:
            patched.setattr(shard_migration, "confirm_on", not_confirmed)
            with pytest.raises(NotConfirmed):
                await moved(two_shards, bucket, SECOND)
        assert (await rows_of(databases, SECOND, table.id))["games"] == place
        assert not await databases.shards()[FIRST].fetchval("SELECT arrived FROM shard.departures")
        await moved(two_shards, bucket, SECOND)
        assert (await world.play(table, Random(2))).sheet.stage is Stage.OVER


async def test_moves_and_what_needs_games_to_stay_go_one_after_another(two_shards: Settings) -> None:
    async with opened(two_shards) as databases, alone(databases.directory):
        with pytest.raises(MoveRefused, match="under way"):
            await moved(two_shards, 1, SECOND)


@pytest.mark.parametrize("place", [FIRST, SECOND])
async def test_nothing_moves_while_a_statement_of_a_dead_mover_is_under_way(
    two_shards: Settings, place: int
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        bucket, pool = bucket_of(table.id), databases.shards()[place]

        async def sessions(lock: int, *, waits: bool) -> int:
            return int(await pool.fetchval(SESSIONS_AT_LOCK, lock, waits))

        async def is_under_way() -> bool:
            return await sessions(GATE, waits=True) > 0

        async def has_ended() -> bool:
            return await sessions(shard_migration.MOVER, waits=False) == 0

        async with pool.acquire() as gate:
            await gate.execute(WAIT, GATE)
            async with pool.acquire() as session:
                assert await session.fetchval(shard_migration.TRY_ALONE, shard_migration.MOVER)
                await session.execute("SET lock_timeout = 0")
                last = asyncio.create_task(session.execute(WAIT, GATE))
                await until(is_under_way)
                session.terminate()
                with pytest.raises((asyncpg.PostgresConnectionError, OSError)):
                    await last
            for asked in (moved(two_shards, bucket, SECOND), bring_back(databases, bucket)):
                with pytest.raises(MoveRefused, match="try again"):
                    await asked
            await gate.execute(shard_migration.NO_LONGER_ALONE, GATE)
        await until(has_ended)
        await moved(two_shards, bucket, SECOND)
        assert (await world.play(table, Random(2))).sheet.stage is Stage.OVER
