"""The shard map, and the databases it leads to."""

import re
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.server.shared.settings_parsing import SettingsError
from cartagena.server.store.migrate import upgrade
from cartagena.server.store.shards import ShardMap
from cartagena.tables.ids import BUCKETS, bucket_of, new_id
from tests.server.databases import empty_database, opened, settings_for

ONE, TWO = "postgresql://one/games", "postgresql://two/games"


def game_in(bucket: int) -> UUID:
    return new_id(1_700_000_000_000, bucket.to_bytes(2) + bytes(8))


def primary_of(shard_map: ShardMap, bucket: int) -> str:
    return shard_map.primaries[shard_map.places[bucket]]


def test_one_address_holds_every_bucket() -> None:
    shard_map = ShardMap.parse(f" {ONE} ")
    assert shard_map.primaries == (ONE,)
    assert {primary_of(shard_map, bucket) for bucket in range(BUCKETS)} == {ONE}


def test_every_bucket_leads_to_the_database_that_names_it() -> None:
    shard_map = ShardMap.parse(f"512-1022={TWO}, 0-511={ONE} ,1023={ONE}")
    assert set(shard_map.primaries) == {ONE, TWO}
    assert [primary_of(shard_map, bucket) for bucket in (0, 511, 512, 1022, 1023)] == [
        ONE,
        ONE,
        TWO,
        TWO,
        ONE,
    ]


@given(st.lists(st.integers(1, BUCKETS - 1), unique=True, max_size=20), st.randoms(use_true_random=False))
def test_any_cut_of_the_buckets_is_read_in_any_order(cuts: list[int], chance: Random) -> None:
    bounds = [0, *sorted(cuts), BUCKETS]
    ranges = list(zip(bounds, [bound - 1 for bound in bounds[1:]], strict=False))
    entries = [f"{first}-{last}=postgresql://db{first}/games" for first, last in ranges]
    chance.shuffle(entries)
    shard_map = ShardMap.parse(",".join(entries))
    for first, last in ranges:
        for bucket in (first, last):
            assert primary_of(shard_map, bucket) == f"postgresql://db{first}/games"


def test_an_address_may_hold_commas_and_equals_signs() -> None:
    several = "postgresql://10.0.0.1:5432,10.0.0.2:5432/games?target_session_attrs=primary"
    shard_map = ShardMap.parse(f"0-9={several},10-1023={ONE}")
    assert (primary_of(shard_map, 9), primary_of(shard_map, 10)) == (several, ONE)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        (f"0-511={ONE}", "no database for buckets 512-1023"),
        (f"0-511={ONE},513-1022={TWO}", "no database for bucket 512 and bucket 1023"),
        (f"0-600={ONE},512-1023={TWO}", "more than one database for buckets 512-600"),
        (f"0-1023={ONE},7={ONE}", "more than one database for bucket 7"),
        (f"0-1024={ONE}", "no such buckets as 0-1024"),
        (f"511-0={ONE},512-1023={TWO}", "no such buckets as 511-0"),
        ("0-1023=one.example.org", "no address of a PostgreSQL database for buckets 0-1023"),
        ("one.example.org", "cannot be read at entry 1"),
        ("", "cannot be read at entry 1"),
    ],
)
def test_a_wrong_map_is_told_where_it_is_wrong(text: str, trouble: str) -> None:
    with pytest.raises(
        SettingsError, match=f"^CARTAGENA_SHARDS .*{re.escape(trouble)}.*; for example CARTAGENA_SHARDS="
    ):
        ShardMap.parse(text)


@pytest.mark.parametrize(
    "text", ["0-5=postgresql://u:geheim@h/d", "x=postgresql://u:geheim@h/d", "0-1023=u:geheim@h"]
)
def test_no_password_is_told(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        ShardMap.parse(text)
    assert "geheim" not in str(caught.value)
    assert "geheim" not in repr(ShardMap.parse("postgresql://u:geheim@h/d"))


async def test_a_game_lives_in_the_database_of_its_bucket_and_nowhere_else() -> None:
    async with empty_database() as one, empty_database() as two:
        settings = settings_for(one, shards=f"0-511={one},512-1023={two}")
        await upgrade(settings, lambda _: None)
        async with opened(settings) as databases:
            games = {place: game_in(bucket) for place, bucket in ((one, 0), (two, 512))}
            for dsn, game in games.items():
                name = dsn.rpartition("/")[2]
                assert bucket_of(game) in {0, 512}
                assert await databases.shard_of(game).fetchval("SELECT current_database()") == name
            assert len(databases.shards()) == 2
            assert await databases.directory.fetchval("SELECT to_regclass('directory.players')") is not None
            second = databases.shard_of(games[two])
            assert await second.fetchval("SELECT to_regclass('shard.games')") is not None
            assert await second.fetchval("SELECT to_regnamespace('directory')") is None
