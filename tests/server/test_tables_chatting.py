"""Chat at a table: who may speak, and who may take away what was said."""

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import msgspec
import pytest

from cartagena.server.store.databases import Databases
from cartagena.server.store.erasure import ERASED, Forgetting, lines_by
from cartagena.server.store.statements import REMOVE
from cartagena.tables import creating, playing, seating
from cartagena.tables.chat import remove, say
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import chat_message
from cartagena.tables.names import DELETED
from cartagena.tables.ports import ChatLine, Sender
from cartagena.tables.seating import MOST_MUTED
from cartagena.tables.sheet import Stage
from cartagena.tables.table import EventKind
from tests.server.databases import until_blocked
from tests.server.tables_world import PLAYERS, Player, World, terms

ANNE, BART, CORA, DIRK = PLAYERS[:4]


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


async def spoken(world: World, table_id: UUID, by: Player, text: str = "ahoy") -> int:
    """Let `by` say something; return the number of the line."""
    table = await world.tables.newest(table_id)
    line = ChatLine(number=0, player=by.id, seat=table.sheet.seat_of(by.id), name=by.name, text=text, at=0)
    return await say(world.store, world.heard, table, line, key=uuid4())


async def removed(
    world: World, table_id: UUID, number: int, by: Player, *, key: UUID | None = None, is_admin: bool = False
) -> None:
    """Let `by` take a line away."""
    table = await world.tables.newest(table_id)
    seat = table.sheet.seat_of(by.id)
    line = ChatLine(number=0, player=by.id, seat=seat, name=by.name, text="", at=0, removes=number)
    await remove(world.store, world.heard, table, line, key=key or uuid4(), is_admin=is_admin)


async def told(world: World, table_id: UUID) -> list[tuple[int, str, bool, int | None]]:
    """Number, text, whether it was taken away and what it takes away, of all lines as a stream tells them."""
    lines = map(chat_message, await world.store.chat(table_id, 0))
    return [(line.number, line.text, line.removed, line.removes) for line in lines]


async def mute(world: World, table_id: UUID, player: Player, *, muted: bool = True) -> int:
    """Let the host mute a player, or no longer; return the number of the last event."""
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
    assert (event.kind, event.seat, event.news.name, event.player) == (EventKind.MUTED, None, None, ANNE.id)


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
    made = creating.NewTable(0, world.chance)
    assert creating.rematch_sheet(over, ANNE.sitter(), made).muted == (BART.id, DIRK.id)
    assert creating.rematch_sheet(over, BART.sitter(), made).muted == (DIRK.id,)


# --- Taking lines away -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "is_admin"), [(DIRK, False), (ANNE, False), (CORA, True)])
async def test_a_line_is_taken_away_by_its_speaker_the_host_or_who_runs_the_place(
    world: World, by: Player, *, is_admin: bool
) -> None:
    table_id = await world.seated(terms())
    for speaker in (BART, DIRK):
        await spoken(world, table_id, speaker)
    await removed(world, table_id, 2, by, is_admin=is_admin)
    assert await told(world, table_id) == [(1, "ahoy", False, None), (2, "", True, None), (3, "", False, 2)]
    assert await world.store.seq_of(table_id) == ((await world.tables.newest(table_id)).seq, 3)
    frames = set(world.heard.lines[-1].values())
    assert [msgspec.json.decode(frame)["removes"] for frame in frames] == [2]


@pytest.mark.parametrize("by", [BART, CORA])
async def test_nobody_else_takes_it_away(world: World, by: Player) -> None:
    table_id = await world.seated(terms())
    await spoken(world, table_id, DIRK)
    with pytest.raises(ServiceError) as error:
        await removed(world, table_id, 1, by)
    assert error.value.problem is Problem.FORBIDDEN
    assert await told(world, table_id) == [(1, "ahoy", False, None)]


async def test_a_line_is_taken_away_once_and_only_one_that_was_said(world: World) -> None:
    table_id = await world.seated(terms())
    key, said = uuid4(), uuid4()
    await spoken(world, table_id, DIRK)
    line = ChatLine(number=0, player=DIRK.id, seat=None, name="Dirk", text="again", at=0)
    await say(world.store, world.heard, await world.tables.newest(table_id), line, key=said)
    for _ in range(2):
        await removed(world, table_id, 1, ANNE, key=key)
    await removed(world, table_id, 1, ANNE)
    assert [number for number, *_ in await told(world, table_id)] == [1, 2, 3]
    for number, used, problem in (
        (3, uuid4(), Problem.NO_SUCH_THING),
        (9, uuid4(), Problem.NO_SUCH_THING),
        (2, said, Problem.KEY_REUSED),
    ):
        with pytest.raises(ServiceError) as error:
            await removed(world, table_id, number, ANNE, key=used)
        assert error.value.problem is problem


async def test_two_who_take_a_line_away_at_the_same_moment_do_it_once(
    world: World, databases: Databases
) -> None:
    table_id = await world.seated(terms())
    await spoken(world, table_id, DIRK)
    async with databases.shard_of(table_id).acquire() as connection, connection.transaction():
        assert await connection.fetchrow(REMOVE, table_id, ANNE.id, 0, "Anne", uuid4(), 1)
        second = asyncio.create_task(removed(world, table_id, 1, DIRK))
        await until_blocked(databases)
    await second
    assert await told(world, table_id) == [(1, "", True, None), (2, "", False, 1)]


async def test_what_was_taken_away_is_in_nobodys_export_and_stays_empty(world: World) -> None:
    table_id = await world.seated(terms())
    for text in ("ahoy", "never mind"):
        await spoken(world, table_id, DIRK, text)
    await removed(world, table_id, 1, ANNE)
    own = msgspec.json.decode(await lines_by(world.databases, DIRK.id))
    assert [line["text"] for line in own] == ["never mind"]
    assert msgspec.json.decode(await lines_by(world.databases, ANNE.id)) == []
    await Forgetting(world.databases).erase_lines(DIRK.id, DELETED)
    assert [(line.name, line.text, line.is_removed) for line in await world.store.chat(table_id, 0)] == [
        (DELETED, "", True),
        (DELETED, ERASED, False),
        ("Anne", "", False),
    ]


async def test_a_table_is_not_made_public_with_a_line_that_came_meanwhile(world: World) -> None:
    private = replace(terms(), listed=False)
    table_id = await world.seated(private)
    for _ in range(2):
        before = await world.tables.newest(table_id)
        line = await spoken(world, table_id, ANNE)
        change = seating.change_terms(before, terms())
        assert change.after.sheet.public_after == line - 1
        assert await world.store.commit(change, Sender(player=ANNE.id, key=uuid4())) is None
        made = await world.change(table_id, lambda table: seating.change_terms(table, terms()), ANNE)
        assert made.table.sheet.public_after == line
        await world.change(table_id, lambda table: seating.change_terms(table, private), ANNE)
