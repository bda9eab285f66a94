"""Buckets that move to another database while their games are played."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from secrets import token_bytes
from uuid import UUID, uuid4

import pytest

from cartagena.fairness.record import verify_record
from cartagena.rules.legality import legal
from cartagena.server.resources import opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store import shards
from cartagena.server.store.games import Games
from cartagena.server.store.log_compaction import fold
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.store.shard_migration import MovedBucket, Mover, move
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import bucket_of
from cartagena.tables.ports import ChatLine
from cartagena.tables.records import record_for
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table
from tests.server.databases import opened
from tests.server.moves_world import FIRST, SECOND, moved, rows_of
from tests.server.tables_world import LIVE, PLAYERS, World, terms


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


async def test_a_folded_game_moves_with_its_record(
    two_shards: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(two_shards) as databases:
        world = World(databases)
        table = await world.play(await world.started(terms("tortuga", 2, LIVE)), Random(1))
        depart = Mover._depart

        async def fold_first(self: Mover, destination: UUID) -> None:
            assert await fold(databases.shards()[FIRST], table.id)
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
