"""The directory as the use cases see it: its database, a clock and a source of randomness."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from asyncpg import Pool
from asyncpg.pool import PoolConnectionProxy

from cartagena.server.shared.moments import milliseconds
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import RANDOM_BYTES, new_id

Clock: TypeAlias = Callable[[], datetime]
Chance: TypeAlias = Callable[[int], bytes]
"""Returns that number of random bytes; in production those of the operating system."""

Connection: TypeAlias = PoolConnectionProxy

# Not FOR UPDATE, which would block rows that only refer to the player: two players who block each other at
# the same moment would wait for each other.
LOCK_PLAYER: Final = """
SELECT 1 FROM directory.players WHERE player_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """The database of players, with the clock and the randomness that this process uses."""

    pool: Pool
    clock: Clock
    chance: Chance

    def new_id(self) -> UUID:
        """A new, unique id."""
        return new_id(milliseconds(self.clock()), self.chance(RANDOM_BYTES))


@asynccontextmanager
async def player_locked(directory: Directory, player_id: UUID) -> AsyncIterator[Connection]:
    """A transaction that locks a player: no other one changes what belongs to the player.

    Raises NO_SUCH_PLAYER if the player does not exist, or no longer does.
    """
    async with directory.pool.acquire() as connection, connection.transaction():
        if await connection.fetchval(LOCK_PLAYER, player_id) is None:
            raise ServiceError(Problem.NO_SUCH_PLAYER, "there is no such player")
        yield connection
