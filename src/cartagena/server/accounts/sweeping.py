"""Sweeping: what has run out is taken away, so that the directory does not grow for ever."""

from datetime import timedelta
from typing import Final

from cartagena.server.accounts.directory import Directory

KEPT: Final = timedelta(days=30)
"""So long an ended session is kept, in case somebody asks what happened."""

BATCH: Final = 1_000

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


async def sweep(directory: Directory) -> int:
    """Take away what ran out, of sessions only the oldest; says how many, up to a thousand of each kind."""
    now = directory.clock()
    swept = 0
    for statement, kept in SWEEPS:
        done = await directory.pool.execute(statement, now - kept, BATCH)
        swept += int(done.rpartition(" ")[2])
    return swept
