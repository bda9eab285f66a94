"""Creations: which table a player's request opened, remembered for a day in the directory."""

from typing import Final
from uuid import UUID

from cartagena.server.store.pool import Pool

CLAIM: Final = """
INSERT INTO directory.creations (player_id, key, game_id) VALUES ($1, $2, $3)
ON CONFLICT (player_id, key) DO UPDATE SET key = excluded.key
RETURNING game_id
"""
"""The update changes nothing, but makes an existing row come back."""

FORGET: Final = "DELETE FROM directory.creations WHERE created_at < now() - interval '1 day'"


class DirectoryCreations:
    """Implements the port `tables.creating.Creations`."""

    def __init__(self, directory: Pool) -> None:
        self._directory = directory

    async def claim(self, player: UUID, key: UUID, table_id: UUID) -> UUID:
        """The table that this request stands for: this one, unless the key was used before."""
        claimed: UUID = await self._directory.fetchval(CLAIM, player, key, table_id)
        return claimed

    async def forget_old(self) -> None:
        """Drop keys that no client will use again."""
        await self._directory.execute(FORGET)
