"""The checker of `make faults` reads a store that is still written to."""

import asyncio

import pytest

from cartagena.server.store.databases import Databases
from cartagena.tables import playing
from harness.faults import checker
from harness.faults.checker import read_store
from tests.server.tables_world import PLAYERS, World, terms
from tests.waiting import until

SLOW_LINES = """
WITH pause AS MATERIALIZED (SELECT pg_sleep(1))
SELECT chat.* FROM pause LEFT JOIN shard.chat ON true ORDER BY game_id, number
"""
ASLEEP = (
    "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
)


async def test_a_game_that_goes_on_meanwhile_is_read_as_of_one_moment(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(databases)
    table = await world.started(terms(seats=3))
    seat = table.to_act
    assert seat is not None
    monkeypatch.setattr(checker, "LINES", SLOW_LINES)
    reading = asyncio.create_task(read_store(databases))
    await until(lambda: databases.directory.fetchval(ASLEEP), what="a reader between events and rows")
    later = await world.change(table.id, lambda now: playing.resign(now, seat), PLAYERS[seat])
    stored = (await reading)[table.id]
    assert stored.row["seq"] == stored.events[-1]["seq"] == table.seq < later.table.seq
