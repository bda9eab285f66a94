"""Personal tokens: a program plays or reads for its owner, with only the rights the owner gave it."""

from typing import Final
from uuid import UUID

from asyncpg import Record

from cartagena.messages.accounts import MakeToken, TokenMadeMessage, TokenMessage
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.names import short_text
from cartagena.server.accounts.sessions.tokens import (
    LONGEST_LABEL,
    Arrival,
    SessionKind,
    admit,
    require_in_person,
)
from cartagena.server.shared.callers import Scope, Session
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.timestamps import milliseconds

MOST_TOKENS: Final = 20

LIST: Final = """
SELECT session_id, label, scopes, created_at, seen_at FROM directory.sessions
WHERE player_id = $1 AND kind = 'token' AND revoked_at IS NULL
ORDER BY session_id DESC
"""

READ: Final = (
    "SELECT session_id, label, scopes, created_at, seen_at FROM directory.sessions WHERE session_id = $1"
)

COUNT: Final = """
SELECT count(*) FROM directory.sessions WHERE player_id = $1 AND kind = 'token' AND revoked_at IS NULL
"""


async def make_token(directory: Directory, session: Session, wanted: MakeToken) -> TokenMadeMessage:
    """Make a personal token; raises UNFIT, and MISSING_SCOPE if it asks for more than the session has."""
    name = short_text(wanted.name, LONGEST_LABEL)
    scopes = frozenset(map(Scope, wanted.scopes))
    if not name or not scopes:
        raise ServiceError(Problem.UNFIT, "a token has a name and at least one scope")
    if not scopes <= session.scopes:
        raise ServiceError(Problem.MISSING_SCOPE, "a token has no more scopes than its maker")
    async with player_locked(directory, session.player_id) as connection:
        # Inside the transaction: a session that is being ended makes nothing that outlives it.
        await require_in_person(connection, session)
        if await connection.fetchval(COUNT, session.player_id) >= MOST_TOKENS:
            raise ServiceError(Problem.UNFIT, f"a player has at most {MOST_TOKENS} tokens: revoke one")
        arrival = Arrival(kind=SessionKind.TOKEN, label=name)
        made = await admit(directory, connection, session.player_id, arrival, scopes=scopes)
        row = await connection.fetchrow(READ, made.session.id)
    assert row is not None
    return TokenMadeMessage(token=made.token, made=_message(row))


async def tokens_of(directory: Directory, player_id: UUID) -> tuple[TokenMessage, ...]:
    """A player's tokens, the newest first; `Sessions.revoke` ends one."""
    return tuple(map(_message, await directory.pool.fetch(LIST, player_id)))


def _message(row: Record) -> TokenMessage:
    return TokenMessage(
        id=row["session_id"],
        name=row["label"],
        scopes=tuple(row["scopes"]),
        created=milliseconds(row["created_at"]),
        seen=milliseconds(row["seen_at"]),
    )
