"""Repair: whatever became of the directory, afterwards it says what the games say."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from uuid import uuid4

import pytest
from asyncpg import Record

from cartagena.server.lobby.ratings import rate
from cartagena.server.lobby.repair import RepairStep, rate_anew, repair, tell
from cartagena.server.lobby.results import keep, result_of
from cartagena.server.store.databases import Databases
from cartagena.tables import playing, seating
from cartagena.tables.ids import bucket_of
from tests.server.databases import migrated_database, opened, settings_for, until_blocked
from tests.server.lobby_world import LobbyWorld, private
from tests.server.tables_world import LIVE, MAIL, terms

REPAIRED = ("told", "listings", "seatings", "results", "ratings", "rating_changes")


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


@pytest.fixture
async def two_shards() -> AsyncIterator[LobbyWorld]:
    """A world whose games lie in two databases, apart from the directory."""
    async with migrated_database() as directory, migrated_database() as one, migrated_database() as two:
        settings = settings_for(directory, shards=f"0-511={one},512-1023={two}", CARTAGENA_POOL="2")
        async with opened(settings) as databases:
            yield LobbyWorld(databases)


async def said(world: LobbyWorld) -> dict[str, list[dict[str, object]]]:
    """Everything that the directory says, except when it was told."""

    def kept(row: Record) -> dict[str, object]:
        return {name: value for name, value in row.items() if name != "at"}

    return {name: [kept(row) for row in await world.rows(name)] for name in REPAIRED}


async def lively(world: LobbyWorld) -> dict[str, list[dict[str, object]]]:
    """Tables of every kind, all of them told; returns what the directory says then."""
    people = await world.people(4)
    chance = Random(1)
    for _ in range(8):
        seated = chance.sample(people, chance.randint(2, 4))
        lost = [seat for seat in range(len(seated)) if chance.random() < 0.2]
        await world.rated(seated, chance.choice([None, *range(len(seated))]), lost=lost)
        await world.told()
    await world.open(terms(seats=3), people[0])
    await world.table_of(people[:2], private(terms("nest")))
    await world.playing(people, terms(seats=4, clock=MAIL))
    await world.playing(people[:3], terms("jamaica", 3, LIVE))
    dropped = await world.playing(people[:2], terms(clock=LIVE, rated=True))
    for seat in (0, 1):
        await world.change(dropped.id, lambda now, s=seat: playing.abandon(now, s, agrees=True), people[seat])  # type: ignore[misc]
    closed = await world.open(terms(), people[3])
    await world.change(closed, lambda table: seating.leave(table, 0), people[3])
    await world.told()
    return await said(world)


async def mended(world: LobbyWorld) -> dict[str, list[dict[str, object]]]:
    """What the directory says after a repair."""
    await repair(world.source, world.directory, lambda _: None)
    return await said(world)


async def test_a_directory_in_order_is_left_as_it_is(world: LobbyWorld) -> None:
    before = await lively(world)
    assert all(before.values())
    written = await row_versions(world)
    assert await mended(world) == before
    assert await row_versions(world) == written


async def row_versions(world: LobbyWorld) -> list[Record]:
    """Which transaction wrote each row last; `told` notes every telling and is left out."""
    return [
        row
        for name in REPAIRED[1:]
        for row in await world.directory.fetch(f"SELECT xmin, t.* FROM directory.{name} AS t")  # noqa: S608 - our own names
    ]


async def test_what_was_lost_comes_back_exactly(world: LobbyWorld) -> None:
    before = await lively(world)
    for lost in (*((name,) for name in REPAIRED), REPAIRED):
        for name in lost:
            await world.directory.execute(f"DELETE FROM directory.{name}")  # noqa: S608 - our own names
        assert await said(world) != before
        assert await mended(world) == before, lost


DAMAGE = {
    "numbers changed": """
        UPDATE directory.ratings SET mu = mu + 1, games = 0;
        UPDATE directory.rating_changes SET mu_after = 0;
        UPDATE directory.results SET winner = 1 - winner, rated = NOT rated, lost = NULL::boolean[] || false;
        UPDATE directory.listings SET free = 0, host = 'nobody', seq = seq - 1, players = '{}';
        UPDATE directory.seatings SET seat = 4, ended_at = NULL, to_act = NOT to_act;
    """,
    "believed too much": "UPDATE directory.told SET seq = seq + 1000",
    "strangers": """
        INSERT INTO directory.told SELECT gen_random_uuid(), 7;
        INSERT INTO directory.seatings SELECT gen_random_uuid(), gen_random_uuid(), 0, 2, true, now(), NULL;
        INSERT INTO directory.seatings SELECT gen_random_uuid(), game_id, 0, 2, true, now(), NULL
            FROM directory.results LIMIT 1;
        INSERT INTO directory.results SELECT gen_random_uuid(), ruleset, rules, listed, true, 'won', 0,
            players, levels, lost, ended_at FROM directory.results LIMIT 1;
        INSERT INTO directory.results SELECT game_id, ruleset, rules, true, false, 'won', 0,
            '{NULL}', '{NULL}', '{false}', now() FROM directory.listings LIMIT 1;
        INSERT INTO directory.ratings SELECT gen_random_uuid(), 'nest', 50, 1, 100, 100;
        INSERT INTO directory.rating_changes SELECT gen_random_uuid(), gen_random_uuid(), 'nest', 1, 1, 1, 1;
        INSERT INTO directory.notices SELECT gen_random_uuid(), now(), 1, gen_random_uuid(), now(), 0;
    """,
}


async def test_what_is_wrong_is_put_right(world: LobbyWorld) -> None:
    before = await lively(world)
    notices = await world.rows("notices")
    for name, damage in DAMAGE.items():
        await world.directory.execute(damage)
        assert await said(world) != before
        assert await mended(world) == before, name
        assert await world.rows("notices") == notices


async def test_games_in_several_databases_are_all_found(two_shards: LobbyWorld) -> None:
    world = two_shards
    before = await lively(world)
    halves = {bucket_of(row["game_id"]) < 512 for row in await world.rows("told")}
    assert halves == {True, False}
    for name in REPAIRED:
        await world.directory.execute(f"DELETE FROM directory.{name}")  # noqa: S608 - our own names
    steps: list[RepairStep] = []
    await repair(world.source, world.directory, steps.append, batch=3)
    assert await said(world) == before
    tables = [step.done for step in steps if step.doing == "tables"]
    assert tables[-1] == len(before["told"])
    assert len(tables) >= len(before["told"]) // 3
    assert steps[-1] == RepairStep(doing="ratings", done=8)


async def test_games_that_were_told_in_another_order_are_rated_in_that_of_their_ends(
    world: LobbyWorld,
) -> None:
    people = await world.people(2)
    games = [await world.rated(people, number % 2) for number in range(4)]
    right = await mended(world)
    for name in REPAIRED:
        await world.directory.execute(f"DELETE FROM directory.{name}")  # noqa: S608 - our own names
    for game_id in games[::-1]:
        await tell(world.directory, await world.standing(game_id))
    assert (await said(world))["ratings"] != right["ratings"]
    assert await mended(world) == right


async def test_news_that_come_while_the_ratings_are_worked_out_count_once(world: LobbyWorld) -> None:
    people = await world.people(3)
    first = [await world.rated(people, number % 3) for number in range(6)]
    await world.told()
    more = [await world.rated(people, 0) for _ in range(4)]
    standings = [await world.standing(game_id) for game_id in (*first, *more)]
    await asyncio.gather(
        rate_anew(world.directory, lambda _: None), *(tell(world.directory, one) for one in standings)
    )
    assert len(await world.rows("rating_changes")) == 30
    assert {row["games"] for row in await world.rows("ratings")} == {10}


async def test_ratings_wait_for_a_game_that_is_being_rated(world: LobbyWorld) -> None:
    people = await world.people(3)
    await world.rated(people, 1)
    await world.told()
    result = result_of(await world.standing(await world.rated(people, 0)))
    assert result is not None
    assert result.rated_game is not None
    await world.directory.execute("UPDATE directory.ratings SET mu = mu + 1")
    async with world.directory.acquire() as connection:
        async with connection.transaction():
            await keep(connection, result)
            await rate(connection, result.rated_game)
            anew = asyncio.create_task(rate_anew(world.directory, lambda _: None))
            await until_blocked(world.databases)
            assert not anew.done()
        await anew
    found = await said(world)
    assert {row["games"] for row in found["ratings"]} == {2}
    assert (await mended(world))["ratings"] == found["ratings"]


async def test_a_repair_does_not_undo_what_happens_at_the_same_time(world: LobbyWorld) -> None:
    people = await world.people(4)
    table_ids = [await world.open(terms(seats=4), people[0]) for _ in range(6)]

    async def go_on() -> None:
        for player in people[1:]:
            for table_id in table_ids:
                await world.sits(table_id, player)
            await world.told()

    await asyncio.gather(go_on(), *(repair(world.source, world.directory, lambda _: None) for _ in range(3)))
    await world.told()
    shown = await said(world)
    assert {row["free"] for row in shown["listings"]} == {0}
    assert len(shown["seatings"]) == 24
    assert await mended(world) == shown


async def test_nothing_to_repair_is_no_trouble(world: LobbyWorld) -> None:
    assert not any((await mended(world)).values())
    assert await world.source.existing([uuid4()]) == frozenset()
