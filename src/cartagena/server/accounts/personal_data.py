"""A player's own data: everything stored about them in one piece, and leaving for good."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final, TypeAlias
from uuid import UUID

from msgspec import Raw

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import ExportMessage
from cartagena.server.accounts.bots import bots_locked, bots_of, lock_bot
from cartagena.server.accounts.club.sign_in import links_of
from cartagena.server.accounts.directory import Connection, Directory, player_locked
from cartagena.server.accounts.moderation import blocked_by, reports_by
from cartagena.server.accounts.notices.web_push import exported_browsers
from cartagena.server.accounts.notices.webhooks import webhook_message
from cartagena.server.accounts.passkeys.keys import passkeys_of
from cartagena.server.accounts.players import me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.devices import tokens_of
from cartagena.server.accounts.sessions.tokens import require_in_person, require_proof, sessions_of
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import DELETED

Part: TypeAlias = Callable[[UUID], Awaitable[Raw]]
"""What another part of the service keeps about a player, as JSON."""


async def export_me(directory: Directory, session: Session, parts: Mapping[str, Part]) -> ExportMessage:
    """Everything about a player; games, results and ratings come from the parts that store them."""
    player_id = session.player_id
    return ExportMessage(
        me=await me(directory, player_id),
        sessions=await sessions_of(directory, session),
        tokens=await tokens_of(directory, player_id),
        bots=(await bots_of(directory, player_id)).bots,
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
SET name = $2, name_key = $2, is_admin = false, settings = '{}', open_data = false, deleted_at = $3
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
    "DELETE FROM directory.bots WHERE bot_id = $1",
    "DELETE FROM directory.bot_games WHERE bot_id = $1",
    "DELETE FROM directory.bot_ratings WHERE bot_id = $1",
    "DELETE FROM directory.game_challenges WHERE $1 IN (challenger_id, opponent_id)",
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
    """Forget who a player was, and who their bots were: names, ways in, blocks and notices.

    `also` are the other parts of the directory that know the player. Raises NO_SUCH_PLAYER.
    """
    directory = sessions.directory
    closed = list[UUID]()
    async with player_locked(directory, player_id) as connection:
        leaving = [*await bots_locked(connection, player_id), player_id]
        for each in leaving:
            closed += await _erased(directory, connection, each, also)
    _let_go(sessions, leaving, closed)


async def _erased(
    directory: Directory, connection: Connection, player_id: UUID, also: Sequence[ForgetPlayer]
) -> list[UUID]:
    """Erase one player, and return the ids of the sessions that ended."""
    for statement in DELETE_ALL:
        await connection.execute(statement, player_id)
    closed = await connection.fetch(DELETE_SESSIONS, player_id)
    for forget in also:
        await forget(connection, player_id)
    await connection.execute(ANONYMISE, player_id, DELETED, directory.clock())
    return [row["session_id"] for row in closed]


def _let_go(sessions: SessionCache, players: Sequence[UUID], closed: Sequence[UUID]) -> None:
    for player_id in players:
        sessions.forget_player(player_id)
    for session_id in closed:
        sessions.close(session_id)


async def delete_bot(
    sessions: SessionCache, session: Session, bot_id: UUID, also: Sequence[ForgetPlayer] = ()
) -> None:
    """Delete a bot of the session's player; raises FORBIDDEN, NO_SUCH_PLAYER."""
    directory = sessions.directory
    async with player_locked(directory, session.player_id) as connection:
        await require_in_person(connection, session)
        await lock_bot(connection, session.player_id, bot_id)
        closed = await _erased(directory, connection, bot_id, also)
    _let_go(sessions, [bot_id], closed)


# Sweeping: expired rows are deleted, so that the directory does not grow forever.

KEPT: Final = timedelta(days=30)
"""How long an ended session is kept, in case questions come up."""

CHALLENGE_KEPT: Final = timedelta(days=1)
"""How long a challenge is kept after its end, with the key of its request."""

BOT_GAME_KEPT: Final = timedelta(days=2)
"""How long it is kept that a bot began a game against bots: longer than the day for which it counts."""

LOST: Final = timedelta(weeks=4)
"""How long a guest is kept after their last session; must be less than KEPT, or they would not be found."""

BATCH: Final = 1_000

LOST_GUESTS: Final = """
SELECT DISTINCT player_id FROM directory.sessions AS ended JOIN directory.players USING (player_id)
WHERE LEAST(ended.expires_at, ended.revoked_at) < $1 AND is_guest AND deleted_at IS NULL
  AND NOT EXISTS (
    SELECT FROM directory.sessions AS other
    WHERE other.player_id = ended.player_id
      AND COALESCE(LEAST(other.expires_at, other.revoked_at) >= $1, true)
  )
LIMIT $2
"""

# By a node of the release before, which knows of no bots.
LEFT_BEHIND: Final = """
SELECT bot_id AS player_id FROM directory.bots JOIN directory.players AS owner ON owner.player_id = owner_id
WHERE owner.deleted_at IS NOT NULL LIMIT $1
"""

# A few at a time: a long statement would keep locks that players wait for.
SWEEPS: Final = (
    (
        """
        DELETE FROM directory.challenges WHERE challenge_hash IN (
            SELECT challenge_hash FROM directory.challenges WHERE expires_at < $1 LIMIT $2
        )
        """,
        timedelta(),
    ),
    (
        """
        DELETE FROM directory.device_codes WHERE code_id IN (
            SELECT code_id FROM directory.device_codes WHERE expires_at < $1 LIMIT $2
        )
        """,
        timedelta(),
    ),
    (
        """
        DELETE FROM directory.club_errands WHERE state_hash IN (
            SELECT state_hash FROM directory.club_errands WHERE expires_at < $1 LIMIT $2
        )
        """,
        timedelta(),
    ),
    (
        """
        DELETE FROM directory.game_challenges WHERE challenge_id IN (
            SELECT challenge_id FROM directory.game_challenges
            WHERE expires_at < $1 AND coalesce(decided_at, expires_at) < $1 LIMIT $2
        )
        """,
        CHALLENGE_KEPT,
    ),
    (
        """
        DELETE FROM directory.bot_games WHERE (bot_id, game_id) IN (
            SELECT bot_id, game_id FROM directory.bot_games WHERE begun_at < $1 LIMIT $2
        )
        """,
        BOT_GAME_KEPT,
    ),
    (
        """
        DELETE FROM directory.sessions WHERE session_id IN (
            SELECT session_id FROM directory.sessions WHERE LEAST(expires_at, revoked_at) < $1 LIMIT $2
        )
        """,
        KEPT,
    ),
)


async def erase_lost_guests(sessions: SessionCache, also: Sequence[ForgetPlayer]) -> int:
    """Delete every guest whose sessions all ended long ago: no browser can return to it. Returns how many.

    With them go bots whose owner has left. `also` are the other parts of the directory that know them.
    """
    directory = sessions.directory
    rows = await directory.pool.fetch(LOST_GUESTS, directory.clock() - LOST, BATCH)
    rows += await directory.pool.fetch(LEFT_BEHIND, BATCH)
    for row in rows:
        try:
            await delete_me(sessions, row["player_id"], also)
        except ServiceError as error:
            # Another worker was quicker.
            if error.problem is not Problem.NO_SUCH_PLAYER:
                raise
    return len(rows)


async def sweep(directory: Directory) -> int:
    """Delete what has expired, sessions only after a while; returns how many, up to a thousand per kind."""
    now = directory.clock()
    swept = 0
    for statement, kept in SWEEPS:
        done = await directory.pool.execute(statement, now - kept, BATCH)
        swept += int(done.rpartition(" ")[2])
    return swept
