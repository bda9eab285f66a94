"""How many games the account of a bot may begin against bots in a day; against people there is no bound."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cartagena.server.accounts.directory import Connection, Directory
from cartagena.tables.errors import Problem, ServiceError

DAY_SECONDS: Final = 24 * 60 * 60
OF_TWO: Final = 2
"""From this number of bots on, a game is one of bots against bots."""

# In the order in which an owner who leaves locks them; who is no bot is left out.
LOCK: Final = """
SELECT player_id FROM directory.players
WHERE player_id = ANY ($1::uuid[]) AND EXISTS (SELECT FROM directory.bots WHERE bot_id = player_id)
ORDER BY player_id FOR NO KEY UPDATE
"""

BOTS: Final = "SELECT bot_id FROM directory.bots WHERE bot_id = ANY ($1::uuid[]) ORDER BY bot_id"

# The game that must be a day old before there is room for another one: of the last $3, the first.
FULL_UNTIL: Final = """
SELECT extract(epoch FROM begun_at + interval '1 day' - now())::float8 AS seconds
FROM directory.bot_games
WHERE bot_id = $1 AND begun_at > now() - interval '1 day' AND game_id IS DISTINCT FROM $2
ORDER BY begun_at DESC OFFSET $3 - 1 LIMIT 1
"""

COUNT: Final = """
INSERT INTO directory.bot_games (bot_id, game_id) SELECT bot_id, $2 FROM unnest($1::uuid[]) AS bot_id
ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotGames:
    """Counts games of bots against bots; implements the port `endpoints.kit.BotQuota`."""

    directory: Directory
    most: int
    """How many of them a bot may begin in 24 hours."""

    async def check(self, players: Sequence[UUID]) -> None:
        """Raise TOO_MANY if a bot among these players may not begin a game with another one now."""
        if len(players) >= OF_TWO:
            async with self.directory.pool.acquire() as connection:
                bots = [row["bot_id"] for row in await connection.fetch(BOTS, players)]
                await self._require_room(connection, bots, None)

    async def count(self, game_id: UUID, players: Sequence[UUID]) -> None:
        """Count a game that begins, once for each bot; raises TOO_MANY, and counts it for none."""
        if len(players) < OF_TWO:
            return
        async with self.directory.pool.acquire() as connection, connection.transaction():
            bots = [row["player_id"] for row in await connection.fetch(LOCK, players)]
            await self._require_room(connection, bots, game_id)
            if len(bots) >= OF_TWO:
                await connection.execute(COUNT, bots, game_id)

    async def _require_room(self, connection: Connection, bots: list[UUID], game_id: UUID | None) -> None:
        for bot_id in bots if len(bots) >= OF_TWO else ():
            seconds = await self._seconds_until(connection, bot_id, game_id)
            if seconds is not None:
                raise ServiceError(
                    Problem.TOO_MANY,
                    f"a bot begins at most {self.most} games against bots in a day",
                    retry_after=max(1, math.ceil(seconds)),
                )

    async def _seconds_until(
        self, connection: Connection, bot_id: UUID, game_id: UUID | None
    ) -> float | None:
        if not self.most:
            return DAY_SECONDS
        seconds: float | None = await connection.fetchval(FULL_UNTIL, bot_id, game_id, self.most)
        return seconds
