"""Chat at a table: who may speak."""

from uuid import UUID, uuid4

import pytest

from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.store.databases import Databases
from cartagena.server.tables import creating, playing, seating
from cartagena.server.tables.chatting import say
from cartagena.server.tables.ports import Line
from cartagena.server.tables.seating import MOST_MUTED
from cartagena.server.tables.sheet import Stage
from cartagena.server.tables.table import Kind
from tests.server.tables_world import PLAYERS, Player, World, terms

ANNE, BART, CORA, DIRK = PLAYERS[:4]


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


async def spoken(world: World, table_id: UUID, by: Player, text: str = "ahoy") -> int:
    """Somebody says something; returns the number of the line."""
    table = await world.tables.newest(table_id)
    line = Line(number=0, player=by.id, seat=table.sheet.seat_of(by.id), name=by.name, text=text, at=0)
    return await say(world.store, world.heard, table, line, key=uuid4())


async def mute(world: World, table_id: UUID, player: Player, *, muted: bool = True) -> int:
    """The host silences somebody, or no longer; returns the number of the last event."""
    made = await world.change(
        table_id, lambda table: seating.mute_player(table, player.id, muted=muted), ANNE
    )
    return made.table.seq


async def test_a_watcher_whom_the_host_has_muted_is_silent_until_he_may_speak_again(world: World) -> None:
    table_id = await world.seated(terms())
    assert await spoken(world, table_id, DIRK) == 1
    await mute(world, table_id, DIRK)
    with pytest.raises(ServiceError) as error:
        await spoken(world, table_id, DIRK)
    assert error.value.problem is Problem.MUTED
    assert await spoken(world, table_id, CORA) == 2
    await mute(world, table_id, DIRK, muted=False)
    assert await spoken(world, table_id, DIRK) == 3


async def test_who_is_muted_stays_so_on_a_chair_and_without_one(world: World) -> None:
    table_id = await world.open(terms(seats=3))
    await mute(world, table_id, BART)
    await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), 1), BART)
    with pytest.raises(ServiceError):
        await spoken(world, table_id, BART)
    await world.change(table_id, lambda table: seating.mute(table, 1, muted=False))
    await spoken(world, table_id, BART)
    await world.change(table_id, lambda table: seating.mute(table, 1, muted=True))
    await world.change(table_id, lambda table: seating.leave(table, 1), BART)
    with pytest.raises(ServiceError):
        await spoken(world, table_id, BART)


async def test_to_mute_who_is_muted_is_no_event(world: World) -> None:
    table_id = await world.seated(terms())
    first = await mute(world, table_id, DIRK)
    last = await mute(world, table_id, CORA)
    assert [await mute(world, table_id, DIRK) for _ in range(2)] == [last, last] == [first + 1] * 2


async def test_the_log_does_not_name_a_watcher_who_was_muted(world: World) -> None:
    table_id = await world.seated(terms())
    await mute(world, table_id, DIRK)
    event = (await world.store.past(table_id, -1))[-1]
    assert (event.kind, event.seat, event.news.name, event.player) == (Kind.MUTED, None, None, ANNE.id)


async def test_a_table_silences_so_many_and_no_more(world: World) -> None:
    table_id = await world.seated(terms())
    for _ in range(MOST_MUTED):
        await mute(world, table_id, Player(uuid4(), "pest"))
    with pytest.raises(ServiceError) as error:
        await mute(world, table_id, DIRK)
    assert error.value.problem is Problem.UNFIT


async def test_who_was_muted_is_silent_in_a_rematch_unless_it_is_his(world: World) -> None:
    table = await world.started(terms())
    for pest in (BART, DIRK):
        await mute(world, table.id, pest)
    over = (await world.change(table.id, lambda now: playing.resign(now, 0))).table
    assert over.sheet.stage is Stage.OVER
    made = creating.New(0, world.chance)
    assert creating.rematch_sheet(over, ANNE.sitter(), made).muted == (BART.id, DIRK.id)
    assert creating.rematch_sheet(over, BART.sitter(), made).muted == (DIRK.id,)
