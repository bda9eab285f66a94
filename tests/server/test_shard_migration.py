"""Buckets that move to another database while their games are played."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from secrets import token_bytes
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from cartagena.fairness.record import verify_record
from cartagena.rules.play import legal
from cartagena.server.resources import opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store import shard_migration, shards
from cartagena.server.store.databases import Databases, NotConfirmed, confirm_on
from cartagena.server.store.games import Games
from cartagena.server.store.log_compaction import fold
from cartagena.server.store.migrate import upgrade
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.store.shard_migration import MovedBucket, Mover, MoveRefused, alone, bring_back, move
from cartagena.server.store.shards import Held
from cartagena.tables.audiences import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import bucket_of
from cartagena.tables.ports import ChatLine
from cartagena.tables.records import record_for
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table
from tests.server.databases import empty_database, forget_everything, opened, settings_for
from tests.server.moves_world import FIRST, SECOND
from tests.server.tables_world import LIVE, PLAYERS, World, terms

FIRST, SECOND = 0, 1


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pair() -> AsyncIterator[Settings]:
    """Every bucket in the first database, none in the second."""
    async with empty_database() as one, empty_database() as two:
        settings = settings_for(one, shards=f"0-1023={one},none={two}", CARTAGENA_POOL="4")
        await upgrade(settings, lambda _: None)
        yield settings


@pytest_asyncio.fixture
async def two_shards(pair: Settings) -> Settings:
    """The databases of `pair`, emptied."""
    async with opened(pair) as databases:
        await forget_everything(databases)
    return pair


async def moved(settings: Settings, bucket: int, target: int) -> list[MovedBucket]:
    """Move a bucket as a program of its own does."""
    told: list[MovedBucket] = []
    async with opened(settings) as databases:
        await move(databases, [bucket], target, told.append)
    return told


async def rows_of(databases: Databases, place: int, game_id: UUID) -> dict[str, int]:
    """How many rows of a game a database has in each of its tables, including those of leaving games."""
    names = [*(table.name for table in shard_migration.COPIED), "leaving"]
    return {
        name: await databases.shards()[place].fetchval(
            f"SELECT count(*) FROM shard.{name} WHERE game_id = $1",  # noqa: S608  # our own names
            game_id,
        )
        for name in names
    }


async def test_a_game_goes_there_and_back_and_is_played_to_its_end(two_shards: Settings) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.play(await world.started(terms("jamaica", 3, LIVE)), Random(1), most=25)
        bucket = bucket_of(table.id)
        line = ChatLine(number=0, player=PLAYERS[0].id, seat=0, name="Anne", text="ahoy", at=0)
        assert await world.store.say(table.id, line, uuid4()) is not None
        before = await rows_of(databases, FIRST, table.id)
        (told,) = await moved(two_shards, bucket, SECOND)
        assert told.games == 1
        assert await rows_of(databases, SECOND, table.id) == before
        assert not any((await rows_of(databases, FIRST, table.id)).values())
        # The node that has been running all the time goes on without a word.
        table = await world.play(table, Random(2), most=25)
        assert await world.store.seq_of(table.id) == (table.seq, 1)
        await moved(two_shards, bucket, FIRST)
        table = await world.play(table, Random(3))
        assert table.sheet.stage is Stage.OVER
        assert [line.text for line in await world.store.chat(table.id, 0)] == ["ahoy"]
        assert verify_record(await record_for(world.store, table, SPECTATOR)).holds
        assert not any((await rows_of(databases, SECOND, table.id)).values())


async def test_two_nodes_play_on_while_their_bucket_moves(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How long a move takes is measured elsewhere, on a quiet machine.
    monkeypatch.setattr(shards, "PATIENCE", 60.0)
    async with AsyncExitStack() as nodes:
        worlds = [World(await nodes.enter_async_context(opened(two_shards))) for _ in range(2)]
        tables = [await worlds[0].started(terms("tortuga", 2, LIVE)) for _ in range(6)]
        stop = asyncio.Event()

        async def play(number: int) -> int:
            chance, world = Random(number), worlds[number % 2]
            table = await world.tables.newest(tables[number].id)
            acts = 0
            while not stop.is_set() and table.position is not None and table.sheet.stage is Stage.RUNNING:
                table = await world.act(table, chance.choice(legal(table.position)))
                acts += 1
            assert table.sheet.stage is Stage.OVER or stop.is_set()
            # What was acknowledged is there, wherever that is: one event for every action, and those before.
            past = await world.store.past(table.id, -1)
            assert [event.seq for event in past] == list(range(table.seq + 1))
            return acts

        playing = [asyncio.create_task(play(number)) for number in range(len(tables))]
        async with opened(two_shards) as databases:
            told: list[MovedBucket] = []
            for target in (SECOND, FIRST, SECOND):
                await move(databases, sorted({bucket_of(table.id) for table in tables}), target, told.append)
        stop.set()
        assert sum(await asyncio.gather(*playing)) > 0
        assert {one.bucket for one in told} == {bucket_of(table.id) for table in tables}


async def test_tables_are_opened_where_their_bucket_went(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        bucket = 7
        monkeypatch.setattr(world, "chance", lambda size: bucket.to_bytes(2) + token_bytes(size - 2))
        await moved(two_shards, bucket, SECOND)
        table_id = await world.open(terms("tortuga", 2, LIVE))
        assert bucket_of(table_id) == bucket
        assert (await rows_of(databases, SECOND, table_id))["games"] == 1
        assert (await rows_of(databases, FIRST, table_id))["games"] == 0
        assert (await world.tables.newest(table_id)).seq == 0


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


async def test_a_folded_game_moves_with_its_record(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.play(await world.started(terms("tortuga", 2, LIVE)), Random(1))
        depart = Mover._depart

        async def fold_first(self: Mover, destination: UUID) -> None:
            assert await fold(self.source, table.id)
            await depart(self, destination)

        # Copied ahead as events, folded, and only then on its way.
        monkeypatch.setattr(Mover, "_depart", fold_first)
        await moved(two_shards, bucket_of(table.id), SECOND)
        rows = await rows_of(databases, SECOND, table.id)
        assert rows["records"] == 1
        assert rows["events"] < table.seq / 2
        await world.store.seq_of(table.id)
        assert [past.seq for past in await world.store.past(table.id, -1)] == list(range(table.seq + 1))


async def test_a_line_that_is_taken_away_while_its_bucket_moves_is_gone_there_too(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        line = ChatLine(number=0, player=PLAYERS[0].id, seat=0, name="Anne", text="ahoy", at=0)
        assert await world.store.say(table.id, line, uuid4()) is not None
        depart = Mover._depart

        async def remove_first(self: Mover, destination: UUID) -> None:
            assert await world.store.say(table.id, replace(line, removes=1), uuid4()) is not None
            await depart(self, destination)

        # Copied ahead with its words, taken away, and only then on its way.
        monkeypatch.setattr(Mover, "_depart", remove_first)
        await moved(two_shards, bucket_of(table.id), SECOND)
        assert [(said.text, said.removes) for said in await world.store.chat(table.id, 0)] == [
            ("", None),
            ("", 1),
        ]


async def test_whatever_is_asked_first_is_found_where_it_went(two_shards: Settings) -> None:
    key = uuid4()
    asks: tuple[Callable[[Games, UUID], Awaitable[object]], ...] = (
        lambda store, game: store.past(game, -1),
        lambda store, game: store.chat(game, 0),
        lambda store, game: store.find_key(game, key),
        lambda store, game: store.find_line(game, key),
    )
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        assert table.position is not None
        await world.act(table, legal(table.position)[0], key)
        line = ChatLine(number=0, player=PLAYERS[0].id, seat=0, name="Anne", text="ahoy", at=0)
        assert await world.store.say(table.id, line, key) is not None
        before = [await ask(world.store, table.id) for ask in asks]
        assert all(before)
        for number, ask in enumerate(asks):
            # Away and back again: each time the node knows only the place where it was.
            await moved(two_shards, bucket_of(table.id), (SECOND, FIRST)[number % 2])
            assert await ask(world.store, table.id) == before[number]
        assert await world.store.find_key(table.id, uuid4()) is None
        assert await world.store.find_line(table.id, uuid4()) is None


async def test_a_bucket_may_leave_in_the_middle_of_a_request(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases, opened(two_shards) as others:
        here, there = World(databases), World(others)
        table, key = await here.started(terms("tortuga", 2, LIVE)), uuid4()
        assert table.position is not None
        code = legal(table.position)[0]
        done = await here.act(table, code, key)
        load, moves = there.store.load, itertools.count()

        async def load_and_leave(table_id: UUID) -> Table | None:
            loaded = await load(table_id)
            await moved(two_shards, bucket_of(table_id), (SECOND, FIRST)[next(moves) % 2])
            return loaded

        monkeypatch.setattr(there.store, "load", load_and_leave)
        # The same request at another node: it was carried out, so it must not be refused as too late.
        assert (await there.act(table, code, key)).seq == done.seq


async def test_a_node_that_starts_later_knows_where_buckets_are(two_shards: Settings) -> None:
    async with opened(two_shards) as databases:
        table = await World(databases).started(terms("tortuga", 2, LIVE))
    await moved(two_shards, bucket_of(table.id), SECOND)
    async with opened_resources(two_shards, program="test") as resources:
        assert resources.databases.whereabouts.place_of(bucket_of(table.id)) == SECOND
        assert (await resources.tables.newest(table.id)).seq == table.seq


async def test_notes_that_lead_in_a_circle_lead_nobody_for_ever(two_shards: Settings) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.started(terms("tortuga", 2, LIVE))
        await moved(two_shards, bucket_of(table.id), SECOND)
        await world.store.seq_of(table.id)
        first, second = databases.shards()
        # As after a restore of the second one to a moment before the bucket came.
        await second.execute("DELETE FROM shard.games")
        identity = await first.fetchval("SELECT id FROM shard.identity")
        await second.execute(
            "INSERT INTO shard.departures (bucket, shard, arrived) VALUES ($1, $2, true)",
            bucket_of(table.id),
            identity,
        )
        with pytest.raises(ServiceError) as refused:
            await world.store.load(table.id)
        assert refused.value.problem is Problem.UNAVAILABLE


async def test_the_directory_looks_for_games_where_they_went(two_shards: Settings) -> None:
    async with opened(two_shards) as databases:
        table = await World(databases).started(terms("tortuga", 2, LIVE))
        unknown = UUID(int=table.id.int ^ 1)
        news = AllOutboxes(databases)
        await moved(two_shards, bucket_of(table.id), SECOND)
        assert await news.existing([table.id, unknown]) == {table.id}
        assert [one.game_id for one in await news.standings([unknown, table.id])] == [table.id]


async def test_moves_and_what_needs_games_to_stay_go_one_after_another(two_shards: Settings) -> None:
    async with opened(two_shards) as databases, alone(databases.directory):
        with pytest.raises(MoveRefused, match="under way"):
            await moved(two_shards, 1, SECOND)


async def test_games_that_leave_have_the_columns_of_games(two_shards: Settings) -> None:
    async with opened(two_shards) as databases:
        columns = [
            await databases.shards()[FIRST].fetch(
                "SELECT attname, atttypid FROM pg_attribute"
                " WHERE attrelid = $1::text::regclass AND attnum > 0 ORDER BY attnum",
                f"shard.{name}",
            )
            for name in ("games", "leaving")
        ]
        assert columns[0] == columns[1]
