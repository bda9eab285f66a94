"""What administrators may do about a player."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from cartagena.messages.accounts import MOST_BAN_DAYS
from cartagena.server.accounts.door import Sessions
from cartagena.server.accounts.players import no_such_player
from cartagena.server.shared.errors import Problem, ServiceError

SET_BAN: Final = """
UPDATE directory.players SET banned_until = $2 WHERE player_id = $1 AND deleted_at IS NULL
RETURNING player_id
"""

SET_ADMIN: Final = """
UPDATE directory.players SET is_admin = $2 WHERE player_id = $1 AND deleted_at IS NULL AND NOT is_guest
RETURNING player_id
"""


async def ban(sessions: Sessions, player_id: UUID, days: int) -> None:
    """Let a player only watch, and manage their account, for `days`; raises UNFIT, NO_SUCH_PLAYER.

    Their sessions are closed, so that a table where they sit learns of it at once.
    """
    if not 1 <= days <= MOST_BAN_DAYS:
        raise ServiceError(Problem.UNFIT, f"a ban lasts 1 to {MOST_BAN_DAYS} days")
    until = sessions.directory.clock() + timedelta(days=days)
    if await sessions.directory.pool.fetchval(SET_BAN, player_id, until) is None:
        raise no_such_player()
    await sessions.close_player(player_id)


async def lift_ban(sessions: Sessions, player_id: UUID) -> None:
    """Let a banned player play again; raises NO_SUCH_PLAYER."""
    if await sessions.directory.pool.fetchval(SET_BAN, player_id, None) is None:
        raise no_such_player()
    await sessions.close_player(player_id)


async def set_admin(sessions: Sessions, player_id: UUID, *, is_admin: bool) -> None:
    """Make a named player an administrator, or no longer one; raises NO_SUCH_PLAYER."""
    if await sessions.directory.pool.fetchval(SET_ADMIN, player_id, is_admin) is None:
        raise no_such_player()
    await sessions.close_player(player_id)
