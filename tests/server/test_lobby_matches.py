"""Quick match: everybody gets a seat, the same request the same one, and a full table starts."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from cartagena.fairness import commit
from cartagena.rules.ruleset import PRESETS
from cartagena.server.lobby.matchmaking import CLAIM, MatchWish, start_if_full, starts_by_itself
from cartagena.server.store.databases import Databases
from cartagena.tables import seating
from cartagena.tables.creating import NewTable
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Change, EventKind, Table
from tests.server.lobby_world import LobbyWorld
from tests.server.tables_world import Heard, Player, shows, terms


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


def find(
    world: LobbyWorld, player: Player, *, ruleset: str = "tortuga", seats: int = 2, key: UUID | None = None
) -> Awaitable[Table]:
    """A player asks for a quick match; without numbers for the shuffle, unless the test adds them."""
    sitter = replace(player.sitter(), nonce_hash=None)
    wish = MatchWish(sitter=sitter, ruleset=PRESETS[ruleset], seats=seats, key=key or uuid4())
    return world.matches.find(wish, NewTable(int(time.time() * 1000), world.chance))


async def started(world: LobbyWorld, people: list[Player]) -> Table:
    """A quick table whose players promised numbers and sat down one after the other."""
    tables = [
        await world.matches.find(
            MatchWish(sitter=player.sitter(), ruleset=PRESETS["nest"], seats=len(people), key=uuid4()),
            NewTable(1, world.chance),
        )
        for player in people
    ]
    return tables[-1]


def promises(seat: int, player: Player) -> Callable[[Table], Change]:
    """The player at a seat promises their number."""
    return lambda table: seating.promise(table, seat, commit(player.nonce))


def another_node(world: LobbyWorld) -> LobbyWorld:
    """Another node of the service, which remembers nothing of the first."""
    node = LobbyWorld(world.databases)
    node.tables = Tables(node.store, Heard())
    node.matches = replace(node.matches, tables=node.tables)
    return node


async def test_the_second_finds_the_table_of_the_first_and_the_game_begins(world: LobbyWorld) -> None:
    anne, bart = await world.people(2, guest=True)
    waiting = await find(world, anne)
    assert (waiting.sheet.stage, waiting.sheet.quick, waiting.sheet.listed) == (Stage.OPEN, True, True)
    assert not waiting.sheet.rated
    found = await find(world, bart)
    assert found.id == waiting.id
    assert found.sheet.stage is Stage.RUNNING
    assert [chair.player for chair in found.sheet.chairs] == [anne.id, bart.id]


async def test_a_program_is_not_matched_with_people_nor_sits_down_where_they_wait(world: LobbyWorld) -> None:
    anne, bot = await world.people(2)
    bot = replace(bot, program=True)
    with pytest.raises(ServiceError) as error:
        await find(world, bot)  # with a table of its own
    assert error.value.problem is Problem.FORBIDDEN
    waiting = await find(world, anne)
    with pytest.raises(ServiceError) as error:
        await find(world, bot)  # at the one where Anne waits
    assert error.value.problem is Problem.FORBIDDEN
    assert (await find(world, anne)).sheet.stage is Stage.OPEN
    with pytest.raises(ServiceError) as error:
        await world.change(waiting.id, lambda table: seating.sit(table, bot.sitter(), None), bot)
    assert error.value.problem is Problem.FORBIDDEN


async def test_a_match_with_promised_numbers_waits_for_them(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table = await started(world, [anne, bart])
    assert table.sheet.stage is Stage.STARTING
    await world.change(table.id, shows(0, anne), anne)
    outcome = await world.change(table.id, shows(1, bart), bart)
    assert outcome.table.sheet.stage is Stage.RUNNING


@pytest.mark.parametrize(("ruleset", "seats"), [("jamaica", 2), ("tortuga", 3)])
async def test_only_who_wants_the_same_game_meets(world: LobbyWorld, ruleset: str, seats: int) -> None:
    anne, bart = await world.people(2)
    first = await find(world, anne)
    second = await find(world, bart, ruleset=ruleset, seats=seats)
    assert first.id != second.id
    assert second.sheet.rules.key == ruleset
    assert len(second.sheet.chairs) == seats


async def test_the_same_request_again_is_answered_with_the_same_table(world: LobbyWorld) -> None:
    anne, bart, cora = await world.people(3)
    key = uuid4()
    first = await find(world, anne, key=key)
    assert (await find(another_node(world), anne, key=key)).id == first.id
    await find(world, bart)
    again = await find(world, anne, key=key)
    assert (again.id, again.sheet.stage) == (first.id, Stage.RUNNING)
    assert (await find(world, cora)).id != first.id


async def test_a_request_that_was_carried_out_is_not_carried_out_again_after_leaving(
    world: LobbyWorld,
) -> None:
    anne, bart = await world.people(2)
    key = uuid4()
    waiting = await find(world, anne, seats=3)
    assert (await find(world, bart, seats=3, key=key)).id == waiting.id
    await world.change(waiting.id, lambda table: seating.leave(table, 1), bart)
    await world.block(anne, bart)
    again = await find(world, bart, seats=3, key=key)
    assert again.id == waiting.id
    assert again.sheet.seat_of(bart.id) is None


async def test_who_waits_already_and_asks_anew_goes_on_waiting_at_his_table(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    await find(world, bart, seats=3)
    waiting = await find(world, anne, seats=4)
    assert (await find(world, anne, seats=4)).id == waiting.id


async def test_a_request_that_broke_off_before_the_table_was_opened_opens_it(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    key, place = uuid4(), NewTable(1, world.chance).id
    await world.directory.fetchval(CLAIM, anne.id, key, place)
    table = await find(world, anne, key=key)
    assert table.id == place
    assert table.sheet.seat_of(anne.id) == 0


async def test_a_request_that_broke_off_before_it_sat_down_sits_down_there(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    waiting = await find(world, anne, seats=3)
    key = uuid4()
    await world.directory.fetchval(CLAIM, bart.id, key, waiting.id)
    assert (await find(world, bart, seats=3, key=key)).id == waiting.id


async def test_a_request_that_broke_off_at_a_table_now_full_goes_to_another(world: LobbyWorld) -> None:
    anne, bart, cora = await world.people(3)
    waiting = await find(world, anne)
    key = uuid4()
    await world.directory.fetchval(CLAIM, cora.id, key, waiting.id)
    await find(world, bart)
    table = await find(world, cora, key=key)
    assert table.id != waiting.id
    assert table.sheet.seat_of(cora.id) == 0
    assert (await find(another_node(world), cora, key=key)).id == table.id


async def test_the_same_request_at_two_nodes_at_once_ends_at_one_table(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    waiting = await find(world, anne, seats=5)
    nodes = [world, *(another_node(world) for _ in range(3))]
    opened, found = uuid4(), uuid4()
    new = await asyncio.gather(*(find(node, bart, seats=4, key=opened) for node in nodes))
    old = await asyncio.gather(*(find(node, bart, seats=5, key=found) for node in nodes))
    assert len({table.id for table in new}) == 1
    assert {table.id for table in old} == {waiting.id}
    assert set(await seats_of(world, bart)) == {new[0].id, waiting.id}


async def seats_of(world: LobbyWorld, player: Player) -> list[UUID]:
    """Every table at which a player sits."""
    await world.told()
    rows = await world.directory.fetch(
        "SELECT game_id FROM directory.seatings WHERE player_id = $1", player.id
    )
    return [row["game_id"] for row in rows]


@pytest.mark.parametrize("seats", [2, 3])
async def test_of_many_at_once_nobody_is_lost_and_nobody_sits_twice(world: LobbyWorld, seats: int) -> None:
    people = await world.people(7)
    nodes = [world, another_node(world)]
    tables = await asyncio.gather(
        *(find(nodes[number % 2], player, seats=seats) for number, player in enumerate(people))
    )
    for player, table in zip(people, tables, strict=True):
        now = await world.tables.newest(table.id)
        assert now.sheet.seat_of(player.id) is not None
        assert await seats_of(world, player) == [table.id]
    for table_id in {table.id for table in tables}:
        sheet = (await world.tables.newest(table_id)).sheet
        is_full = not any(chair.is_open for chair in sheet.chairs)
        assert sheet.stage is (Stage.RUNNING if is_full else Stage.OPEN)
    late = await world.people(seats * len(tables))
    for player in late:
        await find(world, player, seats=seats)
    for table in tables:
        assert (await world.tables.newest(table.id)).sheet.stage is Stage.RUNNING


@pytest.mark.parametrize("who_blocks", [0, 1])
async def test_those_who_blocked_each_other_never_meet(world: LobbyWorld, who_blocks: int) -> None:
    anne, bart, cora = await world.people(3)
    await world.block((anne, bart)[who_blocks], (bart, anne)[who_blocks])
    waiting = await find(world, anne)
    assert (await find(world, bart)).id != waiting.id
    assert (await find(world, cora)).id == waiting.id


async def test_somebody_blocked_is_noticed_even_if_the_lobby_has_not_heard_of_him(world: LobbyWorld) -> None:
    anne, bart, cora = await world.people(3)
    waiting = await find(world, anne, seats=3)
    await world.sits(waiting.id, bart)
    await world.block(bart, cora)
    assert (await find(world, cora, seats=3)).id != waiting.id


async def test_who_was_kicked_is_not_brought_back(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    waiting = await find(world, anne, seats=3)
    await find(world, bart, seats=3)
    await world.change(waiting.id, lambda table: seating.kick(table, 1, invite="another code"), anne)
    assert (await find(world, bart, seats=3)).id != waiting.id


async def test_a_table_whose_host_changed_its_terms_gets_no_strangers(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    waiting = await find(world, anne, seats=3)
    other = seating.Terms(
        ruleset=PRESETS["jamaica"], seats=3, clock=None, listed=True, rated=False, spectators=True
    )
    await world.change(waiting.id, lambda table: seating.change_terms(table, other), anne)
    assert (await find(world, bart, seats=3)).id != waiting.id


async def test_a_lost_answer_of_the_store_is_no_reason_to_sit_down_elsewhere(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    waiting = await find(world, anne, seats=3)
    key = uuid4()

    class Cut(Tables):
        async def change(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
            await super().change(*args, **kwargs)  # type: ignore[arg-type]
            raise ServiceError(Problem.UNAVAILABLE, "try again with the same key", retry_after=1)

    node = another_node(world)
    node.matches = replace(node.matches, tables=Cut(node.store, Heard()))
    with pytest.raises(ServiceError) as error:
        await find(node, bart, seats=3, key=key)
    assert error.value.problem is Problem.UNAVAILABLE
    assert (await find(world, bart, seats=3, key=key)).id == waiting.id
    assert await seats_of(world, bart) == [waiting.id]


async def test_a_full_table_is_started_once_however_many_try(world: LobbyWorld) -> None:
    people = await world.people(3)
    table = await find(world, people[0], seats=3)
    for player in people[1:]:
        table = await world.sits(table.id, player)
    nodes = [world, *(another_node(world) for _ in range(3))]
    await asyncio.gather(*(start_if_full(node.tables, table.id, table.sheet) for node in nodes))
    log = await world.store.past(table.id, -1)
    assert [past.kind for past in log].count(EventKind.STARTED) == 1


async def test_after_a_start_that_was_called_off_all_must_promise_again(world: LobbyWorld) -> None:
    people = await world.people(2)
    table = await started(world, people)
    await world.databases.shard_of(table.id).execute(
        "UPDATE shard.games SET deadline = now() - interval '1 s'"
    )
    outcome = await world.change(table.id, lambda now: seating.call_off(now, bytes(32)))
    assert not starts_by_itself(outcome.table.sheet)
    assert await world.told()
    assert (await world.tables.newest(table.id)).sheet.stage is Stage.OPEN
    for seat, player in enumerate(people):
        await world.change(table.id, promises(seat, player), player)
    await world.told()
    assert (await world.tables.newest(table.id)).sheet.stage is Stage.STARTING


async def test_an_ordinary_table_waits_for_its_host(world: LobbyWorld) -> None:
    table_id = await world.table_of(await world.people(2), terms())
    await world.told()
    table = await world.tables.newest(table_id)
    assert await start_if_full(world.tables, table_id, table.sheet) is None
    assert (await world.tables.newest(table_id)).sheet.stage is Stage.OPEN


async def test_a_quick_table_with_an_open_seat_waits(world: LobbyWorld) -> None:
    table = await find(world, (await world.people(1))[0], seats=2)
    await world.told()
    assert await start_if_full(world.tables, table.id, table.sheet) is None


async def test_a_table_that_a_match_has_listed_is_announced_by_the_next_news(world: LobbyWorld) -> None:
    await world.listen()
    anne, bart = await world.people(2)
    waiting = await find(world, anne)
    assert await world.listed() == [waiting.id]
    await world.told()
    assert [(frame.id, frame.table and frame.table.free) for frame in world.frames] == [(waiting.id, 1)]
    await find(world, bart)
    await world.told()
    assert world.frames[-1].id == waiting.id
    assert world.frames[-1].table is not None
    assert world.frames[-1].table.stage == "running"
