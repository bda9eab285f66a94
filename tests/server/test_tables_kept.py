"""What is kept of tables: numbers that mean the same for ever, tables in memory, a log that is told again."""

import pytest

from cartagena.server.store.databases import Databases
from cartagena.tables import playing, seating
from cartagena.tables.frames import frames_since
from cartagena.tables.service import Tables
from cartagena.tables.table import EventKind
from tests.server.tables_world import PLAYERS, World, repeat_event, terms

KINDS = """
OPENED ACTED UNDONE SAT LEFT KICKED BOT_ADDED BOT_REMOVED SETTINGS_CHANGED REORDERED PROMISED STARTED
NONCE_SHOWN CALLED_OFF BEGAN RESIGNED EXPIRED TAKEN_BACK ABANDON_ASKED ABANDON_WITHDRAWN ABANDONED REMATCH
MUTED UNMUTED CLOSED RENAMED
"""


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


def test_a_stored_kind_of_event_means_the_same_for_ever() -> None:
    assert {kind.name: kind.value for kind in EventKind} == {
        name: at for at, name in enumerate(KINDS.split())
    }


async def test_the_table_that_changed_longest_ago_makes_room(world: World) -> None:
    tables = Tables(world.store, world.heard, room=2)
    first, second, third = [await world.open(terms()) for _ in range(3)]
    for table_id in (first, second):
        await tables.newest(table_id)
    bart = PLAYERS[1]
    await tables.change(first, bart.sends(), lambda table: seating.sit(table, bart.sitter(), None))
    await tables.newest(third)
    assert [tables.kept(table_id) is not None for table_id in (first, second, third)] == [True, False, True]


async def test_a_thousand_missed_events_are_told_again_one_by_one_and_more_are_not(world: World) -> None:
    table = await world.started(terms())
    asked = await world.change(table.id, lambda now: playing.abandon(now, 0, agrees=True))
    await repeat_event(world.databases, table.id, asked.table.seq, 1_001)
    long = await world.store.load(table.id)
    assert long is not None
    told = {
        missed: [one.seq for one in await frames_since(world.store, long, 0, long.seq - missed)]
        for missed in (1_000, 1_001)
    }
    assert told == {1_000: list(range(long.seq - 999, long.seq + 1)), 1_001: [long.seq]}
