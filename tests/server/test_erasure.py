"""Players who leave for good are forgotten by their tables: name, chair, chat and log."""

import asyncio
from uuid import UUID, uuid4

import msgspec
import pytest

from cartagena.server.store.databases import Databases
from cartagena.server.store.erasure import ERASED, Forgetting, lines_by
from cartagena.server.worker.erasure import Eraser
from cartagena.tables import seating
from cartagena.tables.chat import say
from cartagena.tables.names import DELETED
from cartagena.tables.ports import ChatLine
from cartagena.tables.sheet import Stage
from tests.server.tables_world import PLAYERS, World, terms

BART = PLAYERS[1]


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


async def leaves_for_good(world: World, *table_ids: UUID) -> None:
    """Write what the directory knows after Bart has deleted his account."""
    directory = world.databases.directory
    await directory.execute(
        """
        INSERT INTO directory.players (player_id, name, name_key, is_guest, created_at, deleted_at)
        VALUES ($1, 'x', 'x', true, now(), now())
        """,
        BART.id,
    )
    for table_id in table_ids:
        await directory.execute(
            "INSERT INTO directory.seatings VALUES ($1, $2, 1, 0, false, NULL, NULL)", BART.id, table_id
        )


def eraser_of(world: World) -> Eraser:
    return Eraser(tables=world.tables, forgetting=Forgetting(world.databases))


async def test_tables_forget_the_name_of_who_left_for_good(world: World) -> None:
    over = await world.started(terms())
    running = await world.started(terms(seats=3))
    open_id = await world.seated(terms(seats=3))
    await world.change(open_id, lambda table: seating.mute(table, 1, muted=True))
    line = ChatLine(number=0, player=BART.id, seat=1, name="Bart", text="ahoy", at=0)
    await say(world.store, world.heard, running, line, key=UUID(int=1))
    await leaves_for_good(world, over.id, running.id, open_id)
    eraser = eraser_of(world)
    async with asyncio.TaskGroup() as group:
        assert await eraser.round(group) == 1
        assert await eraser.round(group) == 0
    for table_id in (over.id, running.id, open_id):
        table = await world.tables.newest(table_id)
        assert "Bart" not in [chair.name for chair in table.sheet.chairs]
        log = await world.store.past(table_id, -1)
        assert "Bart" not in {past.news.name for past in log}
        assert [past.seq for past in log] == list(range(table.seq + 1))
    assert (await world.tables.newest(over.id)).sheet.stage is Stage.OVER
    chair = (await world.tables.newest(running.id)).sheet.chairs[1]
    assert (chair.resigned, chair.name) == (True, DELETED)
    assert (await world.tables.newest(open_id)).sheet.chairs[1].is_open
    assert [(spoken.name, spoken.text) for spoken in await world.store.chat(running.id, 0)] == [
        (DELETED, ERASED)
    ]


async def test_a_spectator_is_forgotten_where_he_spoke_and_nobody_else(world: World) -> None:
    table = await world.started(terms())
    for number, (player, name) in enumerate([(BART.id, "Bart"), (PLAYERS[0].id, "Anne"), (None, "Bart")]):
        line = ChatLine(number=0, player=player, seat=None, name=name, text="ahoy", at=0)
        await say(world.store, world.heard, table, line, key=UUID(int=number))
    await leaves_for_good(world)
    async with asyncio.TaskGroup() as group:
        assert await eraser_of(world).round(group) == 1
    told = [(spoken.name, spoken.text) for spoken in await world.store.chat(table.id, 0)]
    assert told == [(DELETED, ERASED), ("Anne", "ahoy"), ("Bart", "ahoy")]


async def test_somebody_takes_along_what_he_said(world: World) -> None:
    tables = [await world.started(terms()) for _ in range(2)]
    for number, table in enumerate(tables):
        for player in (BART.id, PLAYERS[0].id):
            line = ChatLine(number=0, player=player, seat=None, name="x", text=f"ahoy {number}", at=0)
            await say(world.store, world.heard, table, line, key=uuid4())
    told = msgspec.json.decode(await lines_by(world.databases, BART.id))
    assert [(line["table"], line["number"], line["text"]) for line in told] == [
        (str(table.id), 1, f"ahoy {number}") for number, table in enumerate(tables)
    ]
