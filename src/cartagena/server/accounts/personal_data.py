"""A player's own data: everything stored about them in one piece, and leaving for good."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from msgspec import Raw

from cartagena.messages.accounts import ExportMessage
from cartagena.server.accounts.blocks import blocked_by
from cartagena.server.accounts.club.links import links_of
from cartagena.server.accounts.directory import Connection, Directory, player_locked
from cartagena.server.accounts.moderation import reports_by
from cartagena.server.accounts.names import DELETED
from cartagena.server.accounts.notices.web_push import exported_browsers
from cartagena.server.accounts.notices.webhooks import webhook_message
from cartagena.server.accounts.passkeys.keys import passkeys_of
from cartagena.server.accounts.players import me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.personal_tokens import tokens_of
from cartagena.server.accounts.sessions.tokens import require_in_person, require_proof, sessions_of
from cartagena.server.shared.callers import Session

Part: TypeAlias = Callable[[UUID], Awaitable[Raw]]
"""What another part of the service keeps about a player, as JSON."""


async def export_me(directory: Directory, session: Session, parts: Mapping[str, Part]) -> ExportMessage:
    """Everything about a player; games, results and ratings come from the parts that store them."""
    player_id = session.player_id
    return ExportMessage(
        me=await me(directory, player_id),
        sessions=await sessions_of(directory, session),
        tokens=await tokens_of(directory, player_id),
        passkeys=await passkeys_of(directory, player_id),
        clubs=await links_of(directory, player_id),
        blocks=await blocked_by(directory, player_id),
        reports=await reports_by(directory, player_id),
        browsers=await exported_browsers(directory, player_id),
        webhook=await webhook_message(directory, player_id),
        elsewhere={name: await part(player_id) for name, part in parts.items()},
    )


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


async def leave_for_good(sessions: SessionCache, session: Session, also: Sequence[ForgetPlayer] = ()) -> None:
    """Delete the player of a session, who must have proved lately who they are.

    A guest has nothing but the session to show. Raises FORBIDDEN, NEEDS_PROOF, NO_SUCH_PLAYER.
    """
    await require_in_person(sessions.directory.pool, session)
    await require_proof(sessions.directory, session)
    await delete_me(sessions, session.player_id, also)


async def delete_me(sessions: SessionCache, player_id: UUID, also: Sequence[ForgetPlayer] = ()) -> None:
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
