"""An upgrade under running games: they go on, and no node starts on a schema it does not know."""

from random import Random

import pytest

from cartagena.fairness.record import verify_record
from cartagena.server.resources import NotReady, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import places_of, upgrade, upgrade_place
from cartagena.server.store.snapshot import pack
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.records import record_for
from cartagena.tables.sheet import Stage
from tests.server.databases import empty_database, opened, settings_for
from tests.server.tables_world import LIVE, World, terms

BEFORE = {"directory": "directory_0004", "shard": "shard_0001"}
"""What the schemas were before their newest revisions."""


async def upgrade_to_the_one_before(settings: Settings) -> None:
    for place in places_of(settings):
        await upgrade_place(place, lambda _: None, to=BEFORE[place.line.schema])


@pytest.mark.parametrize("preset", ["tortuga", "jamaica", "nest"])
async def test_games_of_the_schema_before_go_on_after_the_upgrade(preset: str) -> None:
    async with empty_database() as dsn:
        settings = settings_for(dsn, CARTAGENA_POOL="2", CARTAGENA_DIRECTORY_POOL="2")
        await upgrade_to_the_one_before(settings)
        async with opened(settings) as databases:
            world = World(databases)
            table = await world.play(await world.started(terms(preset, 3, LIVE)), Random(1), most=20)
            assert table.position is not None
            with pytest.raises(NotReady, match="cartagena db upgrade"):
                async with opened_resources(settings, program="test"):
                    pass
            await upgrade(settings, lambda _: None)
            # The node that has been running all the time goes on, and one that starts now agrees with it.
            table = await world.play(table, Random(2), most=20)
            async with opened_resources(settings, program="test") as resources:
                fresh = await resources.tables.newest(table.id)
                assert fresh.seq == table.seq
                assert fresh.position is not None
                assert table.position is not None
                assert pack(fresh.position) == pack(table.position)
            table = await world.play(table, Random(3))
            assert table.sheet.stage is Stage.OVER
            assert verify_record(await record_for(world.store, table, SPECTATOR)).holds
