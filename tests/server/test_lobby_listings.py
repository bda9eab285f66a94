"""The lobby shows what there is: open tables, no private ones, nothing old."""

from dataclasses import replace
from uuid import uuid4

import pytest

from cartagena.messages.tables import ClockSettings
from cartagena.server.lobby.repair import tell
from cartagena.server.store.databases import Databases
from cartagena.tables import seating
from tests.server.lobby_world import PAGE, LobbyWorld, private
from tests.server.tables_world import LIVE, MAIL, terms


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


async def test_an_open_table_is_listed_with_all_that_one_wants_to_know(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table_id = await world.table_of([anne, bart], terms("nest", 3, LIVE, rated=True))
    await world.told()
    (listing,) = (await world.lobby()).tables
    assert listing.id == table_id
    assert (listing.stage, listing.seats, listing.free, listing.host) == ("open", 3, 1, anne.name)
    assert listing.ruleset.preset == "nest"
    assert listing.ruleset.options["hand_size"] == 7
    assert listing.clock == ClockSettings(kind="live", bank=600, increment=5)
    assert (listing.rated, listing.quick, listing.spectators) == (True, False, True)


async def test_a_clock_by_correspondence_is_listed_in_days(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    await world.open(terms(clock=MAIL), anne)
    await world.told()
    (listing,) = (await world.lobby()).tables
    assert listing.clock == ClockSettings(kind="correspondence", days=3)


async def test_a_private_table_is_never_listed(world: LobbyWorld) -> None:
    await world.listen()
    anne, bart = await world.people(2)
    table = await world.playing([anne, bart], private(terms()))
    assert await world.told() == 1
    assert await world.listed() == []
    assert await world.listed(stage="running") == []
    await world.ends(table.id, 0)
    await world.told()
    assert world.frames == []


async def test_a_table_that_becomes_private_leaves_the_lobby(world: LobbyWorld) -> None:
    await world.listen()
    (anne,) = await world.people(1)
    table_id = await world.open(terms(), anne)
    await world.told()
    await world.change(table_id, lambda table: seating.change_terms(table, private(terms())), anne)
    await world.told()
    assert await world.listed() == []
    assert [frame.table is None for frame in world.frames] == [False, True]


async def test_a_running_game_is_listed_for_those_who_watch_until_it_ends(world: LobbyWorld) -> None:
    people = await world.people(2)
    table = await world.playing(people, terms())
    hidden = await world.playing(people, replace(terms(), spectators=False))
    await world.told()
    assert await world.listed() == []
    assert await world.listed(stage="running") == [table.id]
    for one in (table, hidden):
        await world.ends(one.id, 1)
    await world.told()
    assert await world.listed(stage="running") == []
    assert await world.rows("listings") == []


async def test_a_table_that_is_closed_leaves_nothing_behind(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    table_id = await world.open(terms(), anne)
    await world.told()
    await world.change(table_id, lambda table: seating.leave(table, 0), anne)
    await world.told()
    assert await world.rows("listings") == []
    assert await world.rows("seatings") == []
    assert await world.rows("results") == []


async def test_the_lobby_can_be_asked_for_a_ruleset_and_a_number_of_seats(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    wanted = {
        (ruleset, seats): await world.open(terms(ruleset, seats), anne)
        for ruleset in ("tortuga", "nest")
        for seats in (2, 4)
    }
    await world.told()
    assert len(await world.listed()) == 4
    assert set(await world.listed(ruleset="nest")) == {wanted["nest", 2], wanted["nest", 4]}
    assert set(await world.listed(seats=4)) == {wanted["tortuga", 4], wanted["nest", 4]}
    assert await world.listed(ruleset="tortuga", seats=2) == [wanted["tortuga", 2]]
    assert await world.listed(ruleset="jamaica") == []


async def test_pages_show_every_table_once_the_newest_first(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    opened = {await world.open(terms(), anne) for _ in range(2 * PAGE + 1)}
    await world.told()
    page = await world.lobby()
    seen = list(page.tables)
    while page.next is not None:
        assert len(page.tables) == PAGE
        page = await world.lobby(after=page.next)
        seen.extend(page.tables)
    assert [table.id for table in seen] == sorted(opened, reverse=True)


@pytest.mark.parametrize("who_blocks", [0, 1])
async def test_those_who_blocked_each_other_do_not_see_each_others_tables(
    world: LobbyWorld, who_blocks: int
) -> None:
    anne, bart, cora = await world.people(3)
    table_id = await world.table_of([anne, bart], terms(seats=3))
    await world.told()
    await world.block((bart, cora)[who_blocks], (cora, bart)[who_blocks])
    assert await world.listed(cora) == []
    assert await world.listed(anne) == [table_id]
    assert await world.listed() == [table_id]


async def test_what_is_old_never_replaces_what_is_newer(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table_id = await world.open(terms(seats=3), anne)
    old = await world.standing(table_id)
    await world.sits(table_id, bart)
    await world.told()
    before = await world.rows("listings"), await world.rows("seatings"), await world.rows("told")
    assert await tell(world.directory, old) is None
    assert (await world.rows("listings"), await world.rows("seatings"), await world.rows("told")) == before


async def test_the_stream_is_told_what_changed_and_nothing_else(world: LobbyWorld) -> None:
    await world.listen()
    anne, bart = await world.people(2)
    table_id = await world.open(terms(seats=3), anne)
    await world.told()
    await world.sits(table_id, bart)
    await world.told()
    await world.change(table_id, lambda table: seating.mute(table, 1, muted=True), anne)
    assert await world.told() == 1
    assert [(frame.id, frame.table and frame.table.free) for frame in world.frames] == [
        (table_id, 2),
        (table_id, 1),
    ]
    assert world.frames[0].seq < world.frames[1].seq
    (listing,) = (await world.lobby()).tables
    assert world.frames[1].table == listing


async def test_a_table_that_nobody_knows_is_not_listed(world: LobbyWorld) -> None:
    assert await world.source.standings([uuid4()]) == []
    assert await world.source.existing([uuid4()]) == frozenset()
