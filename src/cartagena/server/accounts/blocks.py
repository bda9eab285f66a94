"""Blocks: two players who keep out of each other's way."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from asyncpg import ForeignKeyViolationError

from cartagena.messages.accounts import PlayerMessage
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.players import no_such_player, player_message
from cartagena.server.shared.errors import Problem, ServiceError

MOST_BLOCKS: Final = 1_000

BLOCK: Final = """
INSERT INTO directory.blocks (blocker_id, blocked_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""

DELETE: Final = "DELETE FROM directory.blocks WHERE blocker_id = $1 AND blocked_id = $2"
COUNT_BLOCKS: Final = "SELECT count(*) FROM directory.blocks WHERE blocker_id = $1"

LIST: Final = """
SELECT player_id, name, is_guest, created_at
FROM directory.blocks JOIN directory.players ON player_id = blocked_id
WHERE blocker_id = $1
ORDER BY at DESC, player_id
"""

AMONG: Final = """
SELECT blocked_id AS other FROM directory.blocks WHERE blocker_id = $1 AND blocked_id = ANY($2)
UNION
SELECT blocker_id FROM directory.blocks WHERE blocked_id = $1 AND blocker_id = ANY($2)
"""


async def block(directory: Directory, player_id: UUID, other_id: UUID) -> None:
    """Block a player; doing it twice does no harm. Raises UNFIT, NO_SUCH_PLAYER."""
    if player_id == other_id:
        raise ServiceError(Problem.UNFIT, "you cannot get out of your own way")
    async with player_locked(directory, player_id) as connection:
        if await connection.fetchval(COUNT_BLOCKS, player_id) >= MOST_BLOCKS:
            raise ServiceError(Problem.UNFIT, f"a player blocks at most {MOST_BLOCKS} others")
        try:
            await connection.execute(BLOCK, player_id, other_id, directory.clock())
        except ForeignKeyViolationError as error:
            raise no_such_player() from error


async def unblock(directory: Directory, player_id: UUID, other_id: UUID) -> None:
    """Remove a block; does nothing if there is none."""
    await directory.pool.execute(DELETE, player_id, other_id)


async def blocked_by(directory: Directory, player_id: UUID) -> tuple[PlayerMessage, ...]:
    """The players whom a player blocked, the latest first."""
    return tuple(map(player_message, await directory.pool.fetch(LIST, player_id)))


async def blocked_among(directory: Directory, player_id: UUID, others: Iterable[UUID]) -> frozenset[UUID]:
    """Those of the others whom a player has blocked, or who have blocked the player."""
    rows = await directory.pool.fetch(AMONG, player_id, list(others))
    return frozenset(row["other"] for row in rows)


async def is_blocked_between(directory: Directory, one: UUID, other: UUID) -> bool:
    """Whether either of two players blocked the other."""
    return bool(await blocked_among(directory, one, [other]))
