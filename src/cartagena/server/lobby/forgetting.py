"""Forgetting a player: results and ratings store only the player's id; the name is looked up."""

from typing import Final
from uuid import UUID

from asyncpg.pool import PoolConnectionProxy

# A table whose host never comes back is not shown to players who look for one.
FORGET: Final = (
    "DELETE FROM directory.notices WHERE player_id = $1",
    "DELETE FROM directory.listings WHERE host_id = $1",
)


async def forget_player(connection: PoolConnectionProxy, player_id: UUID) -> None:
    """Delete what the lobby keeps of a player who leaves for good; part of a larger transaction."""
    for statement in FORGET:
        await connection.execute(statement, player_id)
