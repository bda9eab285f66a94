"""Leaving for good: the games of others keep their results, but no longer the name."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from cartagena.server.accounts.directory import Connection, player_locked
from cartagena.server.accounts.door import Sessions
from cartagena.server.accounts.names import DELETED
from cartagena.server.accounts.sessions import require_in_person, require_proof
from cartagena.server.shared.session import Session

ForgetPlayer: TypeAlias = Callable[[Connection, UUID], Awaitable[None]]
"""What another part of the directory does to forget a player, inside the same transaction."""

ANONYMISE: Final = """
UPDATE directory.players
SET name = $2, name_key = $2, is_admin = false, settings = '{}', deleted_at = $3
WHERE player_id = $1
"""

# Reports stay, to protect others: they refer to a player who no longer has a name.
DELETE_ALL: Final = (
    "DELETE FROM directory.push WHERE player_id = $1",
    "DELETE FROM directory.webhooks WHERE player_id = $1",
    "DELETE FROM directory.device_codes WHERE player_id = $1",
    "DELETE FROM directory.recovery_codes WHERE player_id = $1",
    "DELETE FROM directory.challenges WHERE player_id = $1",
    "DELETE FROM directory.passkeys WHERE player_id = $1",
    "DELETE FROM directory.club_errands WHERE player_id = $1",
    "DELETE FROM directory.club_links WHERE player_id = $1",
    "DELETE FROM directory.blocks WHERE $1 IN (blocker_id, blocked_id)",
)

DELETE_SESSIONS: Final = "DELETE FROM directory.sessions WHERE player_id = $1 RETURNING session_id"


async def leave_for_good(sessions: Sessions, session: Session, also: Sequence[ForgetPlayer] = ()) -> None:
    """Delete the player of a session, who must have proved lately who they are.

    A guest has nothing but the session to show. Raises FORBIDDEN, NEEDS_PROOF, NO_SUCH_PLAYER.
    """
    await require_in_person(sessions.directory.pool, session)
    await require_proof(sessions.directory, session)
    await delete_me(sessions, session.player_id, also)


async def delete_me(sessions: Sessions, player_id: UUID, also: Sequence[ForgetPlayer] = ()) -> None:
    """Forget who a player was: their name, ways in, blocks and notices.

    `also` are the other parts of the directory that know the player. Raises NO_SUCH_PLAYER.
    """
    directory = sessions.directory
    async with player_locked(directory, player_id) as connection:
        for statement in DELETE_ALL:
            await connection.execute(statement, player_id)
        closed = await connection.fetch(DELETE_SESSIONS, player_id)
        for forget in also:
            await forget(connection, player_id)
        await connection.execute(ANONYMISE, player_id, DELETED, directory.clock())
    sessions.forget_player(player_id)
    for row in closed:
        sessions.close(row["session_id"])
