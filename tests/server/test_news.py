"""News: the directory follows the tables, whichever worker dies on the way, and a rated game counts once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

import pytest
from asyncpg import Record

from cartagena.rules.legality import legal
from cartagena.server.bus import LobbyChange
from cartagena.server.lobby.repair import forget_old, tell
from cartagena.server.store.databases import Databases
from cartagena.server.worker.outbox import OutboxPace, OutboxWorker, Rounds
from cartagena.tables import playing, seating
from cartagena.tables.sheet import Stage
from tests.server.lobby_world import LobbyWorld, passed_on
from tests.server.tables_world import LIVE, MAIL, terms
from tests.waiting import PATIENCE, until

DIRECTORY = ("listings", "seatings", "results", "ratings", "rating_changes", "notices")


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


async def everything(world: LobbyWorld) -> dict[str, list[Record]]:
    """All that the directory says about tables."""
    return {name: await world.rows(name) for name in DIRECTORY}


# --- Telling -------------------------------------------------------------------------------------------


async def test_a_table_is_told_once_and_then_only_when_something_happens(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table_id = await world.open(terms(), anne)
    assert await world.told() == 1
    assert await world.told() == 0
    assert not await world.has_news(table_id)
    await world.sits(table_id, bart)
    assert await world.told() == 1


async def test_the_actions_of_a_live_game_are_no_news(world: LobbyWorld) -> None:
    table = await world.playing(await world.people(2), terms(clock=LIVE))
    await world.told()
    assert table.position is not None
    seat = table.to_act
    assert seat is not None
    code = legal(table.position)[0]
    await world.change(table.id, lambda now: playing.act(now, seat, code))
    assert await world.told() == 0
    assert not any(row["to_act"] for row in await world.rows("seatings"))


async def test_by_correspondence_the_directory_knows_whose_turn_it_is(world: LobbyWorld) -> None:
    people = await world.people(3)
    table = await world.playing(people, terms(seats=3, clock=MAIL))
    for _ in range(4):
        await world.told()
        rows = {row["player_id"]: row for row in await world.rows("seatings")}
        assert table.to_act is not None
        for seat, player in enumerate(people):
            assert rows[player.id]["to_act"] is (seat == table.to_act)
            assert (rows[player.id]["deadline"] is None) is (seat != table.to_act)
            assert rows[player.id]["seat"] == seat
        table = await passed_on(world, table)


async def test_a_seat_that_a_bot_plays_on_for_is_nobodys_turn(world: LobbyWorld) -> None:
    table = await world.playing(await world.people(3), terms(seats=3, clock=MAIL))
    seat = table.to_act
    assert seat is not None
    await world.change(table.id, lambda now: playing.resign(now, seat))
    await world.told()
    assert not any(row["to_act"] for row in await world.rows("seatings"))


async def test_who_leaves_is_seated_no_more(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table_id = await world.table_of([anne, bart], terms(seats=3))
    await world.told()
    await world.change(table_id, lambda table: seating.leave(table, 0), anne)
    await world.told()
    assert [row["player_id"] for row in await world.rows("seatings")] == [bart.id]
    assert (await world.lobby()).tables[0].host == bart.name


async def test_something_that_happens_while_it_is_told_is_told_as_well(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table_id = await world.open(terms(seats=3), anne)
    (shard,) = world.source.shards
    await shard.claim(10, lease=60_000)
    old = await world.standing(table_id)
    await world.sits(table_id, bart)
    await world.teller.tell_one(shard, old)
    assert await world.has_news(table_id)
    assert await world.told() == 1
    assert (await world.lobby()).tables[0].free == 1


async def test_a_table_that_cannot_be_read_keeps_no_other_waiting(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    broken, whole = await world.open(terms(), anne), await world.open(terms(), anne)
    await world.databases.shard_of(broken).execute(
        "UPDATE shard.tables SET sheet = 'no sheet' WHERE game_id = $1", broken
    )
    assert await world.told() == 1
    assert await world.listed() == [whole]


async def test_a_table_of_newer_rules_is_left_to_a_newer_worker(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    table_id = await world.open(terms(), anne)
    await world.databases.shard_of(table_id).execute("UPDATE shard.games SET rules_version = 99")
    assert await world.told() == 0
    assert await world.has_news(table_id)


async def test_a_table_that_cannot_be_told_is_told_when_the_lease_has_ended(world: LobbyWorld) -> None:
    anne, _ = await world.people(2)
    fine, hard = await world.open(terms(), anne), await world.open(terms("nest"), anne)
    await world.directory.execute(
        "ALTER TABLE directory.listings ADD CONSTRAINT no_nest CHECK (ruleset <> 'nest')"
    )
    try:
        assert await world.told() == 1
    finally:
        await world.directory.execute("ALTER TABLE directory.listings DROP CONSTRAINT no_nest")
    assert await world.listed() == [fine]
    assert await world.told() == 0
    await world.lease_ends()
    assert await world.told() == 1
    assert set(await world.listed()) == {fine, hard}


# --- Dying on the way ----------------------------------------------------------------------------------


async def test_a_worker_that_dies_anywhere_is_made_up_for(world: LobbyWorld) -> None:
    await world.listen()
    people = await world.people(3)
    for number, step in enumerate(("claim", "tell", "publish", None), start=1):
        game_id = (await world.playing(people, terms(seats=3, clock=LIVE, rated=True))).id
        await world.told()
        await world.ends(game_id, 1)
        await die_at(world, step, game_id)
        await world.lease_ends()
        await world.told()
        found = await everything(world)
        assert len(found["results"]) == number
        assert len(found["rating_changes"]) == 3 * number
        assert {row["games"] for row in found["ratings"]} == {number}
        assert not await world.has_news(game_id)
        assert any(frame.id == game_id and frame.table is None for frame in world.frames), step
        await world.lease_ends()
        assert await world.told() == 0
        assert await everything(world) == found


async def die_at(world: LobbyWorld, step: str | None, game_id: UUID) -> None:
    """Tell the news of a table like a worker that dies after `step`."""
    (shard,) = world.source.shards
    await shard.claim(10, lease=60_000)
    if step == "claim":
        return
    change = await tell(world.directory, await world.standing(game_id))
    assert change is not None
    if step == "tell":
        return
    world.bus.publish(LobbyChange(frame=change.frame()))
    if step != "publish":
        await shard.told(await world.standing(game_id))


async def test_a_transaction_that_is_cut_leaves_nothing_half_told(world: LobbyWorld) -> None:
    game_id = await world.rated(await world.people(3), 0)
    standing = await world.standing(game_id)
    # The last thing that is written about a rated game fails, so all that came before must go as well.
    await world.directory.execute(
        "ALTER TABLE directory.rating_changes ADD CONSTRAINT nothing CHECK (false) NOT VALID"
    )
    try:
        with pytest.raises(Exception, match="nothing"):
            await tell(world.directory, standing)
    finally:
        await world.directory.execute("ALTER TABLE directory.rating_changes DROP CONSTRAINT nothing")
    assert not any((await everything(world)).values())
    assert await world.rows("told") == []
    await world.told()
    assert len(await world.rows("rating_changes")) == 3


# --- The service --------------------------------------------------------------------------------------


async def number_listed(world: LobbyWorld) -> int:
    return len((await world.lobby()).tables)


async def number_open(world: LobbyWorld, table_ids: list[UUID]) -> int:
    tables = [await world.tables.newest(table_id) for table_id in table_ids]
    return sum(table.sheet.stage is Stage.OPEN for table in tables)


async def until_there_are(number: Callable[[], Awaitable[int]], wanted: int) -> None:
    """Wait until `number` answers `wanted`."""

    async def is_so() -> bool:
        return await number() == wanted

    await until(is_so, what=f"{wanted} of them")


async def test_the_service_tells_news_until_it_is_stopped(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    news = OutboxWorker(world.another_teller(OutboxPace(poll_seconds=0.01)), world.source.shards)
    before = asyncio.all_tasks()
    running = asyncio.create_task(news.run())
    opened = [await world.open(terms(), anne) for _ in range(3)]
    await until_there_are(lambda: number_listed(world), 3)
    await news.stop()
    await running
    assert set(await world.listed()) == set(opened)
    # Nothing is left that could tell it.
    assert asyncio.all_tasks() == before
    assert await world.has_news(await world.open(terms(), anne))
    assert len(await world.listed()) == 3


async def test_two_services_share_the_work_and_start_full_quick_tables(world: LobbyWorld) -> None:
    people = await world.people(2)
    tellers = [world.another_teller(OutboxPace(poll_seconds=0.01, batch=2)) for _ in range(2)]
    services = [OutboxWorker(teller, world.source.shards) for teller in tellers]
    running = [asyncio.create_task(service.run()) for service in services]
    opened = [await world.open(replace(terms(clock=LIVE), quick=True), people[0]) for _ in range(6)]
    for table_id in opened:
        await world.sits(table_id, people[1])
    await until_there_are(lambda: number_open(world, opened), 0)
    for service, task in zip(services, running, strict=True):
        await service.stop()
        await task
    for table_id in opened:
        assert (await world.tables.newest(table_id)).sheet.stage is Stage.STARTING


async def test_rounds_go_on_after_whatever_went_wrong() -> None:
    seen: list[int] = []
    enough = asyncio.Event()

    async def step(_: asyncio.TaskGroup) -> int:
        seen.append(len(seen))
        if len(seen) < 3:
            raise OSError("the database is away")
        if len(seen) == 5:
            enough.set()
        return 0

    rounds = Rounds("test", step, pause=0.001)
    running = asyncio.create_task(rounds.run())
    async with asyncio.timeout(PATIENCE):
        await enough.wait()
    await rounds.stop()
    await running
    assert len(seen) >= 5


async def test_rounds_finish_what_they_began_before_they_end() -> None:
    finished: list[str] = []
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        begun.set()
        await may_end.wait()
        finished.append("slow")

    async def step(group: asyncio.TaskGroup) -> int:
        group.create_task(slow())
        return 0

    rounds = Rounds("test", step, pause=60)
    running = asyncio.create_task(rounds.run())
    await begun.wait()
    stopping = asyncio.create_task(rounds.stop())
    stopping.add_done_callback(lambda _: finished.append("stopped"))
    asyncio.get_running_loop().call_soon(may_end.set)
    await stopping
    await running
    assert finished == ["slow", "stopped"]


async def test_how_far_a_table_was_told_is_forgotten_a_day_after_its_game(world: LobbyWorld) -> None:
    people = await world.people(2)
    await world.rated(people, 0)
    old = await world.rated(people, 0)
    running = await world.playing(people, terms())
    await world.told()
    await world.directory.execute(
        "UPDATE directory.told SET at = now() - interval '2 days' WHERE game_id = ANY ($1)", [old, running.id]
    )
    assert await forget_old(world.directory) == 1
    assert len(await world.rows("told")) == 2
    assert old not in {row["game_id"] for row in await world.rows("told")}
