"""Sweeping: expired rows are deleted, so that the directory does not grow forever."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.personal_data import ForgetPlayer, delete_me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.shared.errors import Problem, ServiceError

KEPT: Final = timedelta(days=30)
"""How long an ended session is kept, in case questions come up."""

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
        DELETE FROM directory.sessions WHERE session_id IN (
            SELECT session_id FROM directory.sessions WHERE LEAST(expires_at, revoked_at) < $1 LIMIT $2
        )
        """,
        KEPT,
    ),
)


async def erase_lost_guests(sessions: SessionCache, also: Sequence[ForgetPlayer]) -> int:
    """Delete every guest whose sessions all ended long ago: no browser can return to it. Returns how many.

    `also` are the other parts of the directory that know the guest.
    """
    directory = sessions.directory
    rows = await directory.pool.fetch(LOST_GUESTS, directory.clock() - LOST, BATCH)
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
