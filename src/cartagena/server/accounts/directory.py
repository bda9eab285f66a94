"""The directory as the use cases see it: its database, a clock and a source of chance."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from asyncpg import Pool
from asyncpg.pool import PoolConnectionProxy

from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.ids import RANDOM_BYTES, new_id
from cartagena.server.shared.moments import milliseconds

Clock: TypeAlias = Callable[[], datetime]
Chance: TypeAlias = Callable[[int], bytes]
"""Gives as many random bytes as it is asked for; in earnest those of the operating system."""

Connection: TypeAlias = PoolConnectionProxy

# Not FOR UPDATE, which would keep away rows that only refer to the player: two who block each other at the
# same moment would wait for each other.
LOCK_PLAYER: Final = """
SELECT 1 FROM directory.players WHERE player_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """The database of players, with the clock and the chance that this process uses."""

    pool: Pool
    clock: Clock
    chance: Chance

    def new_id(self) -> UUID:
        """An id that nobody has had before."""
        return new_id(milliseconds(self.clock()), self.chance(RANDOM_BYTES))


@asynccontextmanager
async def player_locked(directory: Directory, player_id: UUID) -> AsyncIterator[Connection]:
    """A transaction in which nobody else changes what belongs to this player.

    Raises NO_SUCH_PLAYER if there is none, or no longer.
    """
    async with directory.pool.acquire() as connection, connection.transaction():
        if await connection.fetchval(LOCK_PLAYER, player_id) is None:
            raise ServiceError(Problem.NO_SUCH_PLAYER, "there is no such player")
        yield connection
