"""Forgetting a player: results and ratings know only his id, and his name is asked of the players."""

from typing import Final
from uuid import UUID

from asyncpg.pool import PoolConnectionProxy

# A table whose host never comes back is not shown to those who look for one.
FORGET: Final = (
    "DELETE FROM directory.notices WHERE player_id = $1",
    "DELETE FROM directory.listings WHERE host_id = $1",
)


async def forget_player(connection: PoolConnectionProxy, player_id: UUID) -> None:
    """Take away what the lobby keeps of somebody who leaves for good; part of a larger transaction."""
    for statement in FORGET:
        await connection.execute(statement, player_id)
