"""Two databases of games, and the way of a bucket from one to the other."""

from uuid import UUID

from cartagena.server.shared.settings import Settings
from cartagena.server.store import shard_migration
from cartagena.server.store.databases import Databases
from cartagena.server.store.shard_migration import MovedBucket, move
from tests.server.databases import opened

FIRST, SECOND = 0, 1


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
