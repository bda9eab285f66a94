"""Sessions: the token that a player carries, and the row behind it."""

import enum
import hashlib
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from asyncpg import Pool, Record

from cartagena.endpoints.callers import Scope, Session
from cartagena.messages.accounts import SessionMessage
from cartagena.server.accounts.directory import Chance, Connection, Directory
from cartagena.server.shared.moments import milliseconds, milliseconds_or_none
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import short_text

TOKEN_BYTES: Final = 32
LIFETIME: Final = timedelta(days=90)
"""How long an unused session lasts; each use starts the time again."""

PROOF_LASTS: Final = timedelta(minutes=15)
"""How long after proving who they are a player may change their ways in."""

LONGEST_LABEL: Final = 60
PERSONAL: Final = frozenset({Scope.READ, Scope.PLAY, Scope.ACCOUNT})
"""What every player may do with their own session."""

WHILE_BANNED: Final = frozenset({Scope.READ, Scope.ACCOUNT})
"""A banned player may look, export their data and leave."""

_TOKEN: Final = re.compile(r"ct_[A-Za-z0-9_-]{43}")

INSERT: Final = """
INSERT INTO directory.sessions
    (session_id, player_id, token_hash, kind, scopes, label, created_at, seen_at, expires_at, proved_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)
"""

# A node of the release before deletes an owner, and knows nothing of the bots.
HAS_OWNER: Final = """
NOT EXISTS (
    SELECT FROM directory.bots JOIN directory.players AS owner ON owner.player_id = owner_id
    WHERE bot_id = players.player_id AND owner.deleted_at IS NOT NULL
)
"""
"""A condition on the player of a session: no bot goes on whose owner has left."""

FIND: Final = f"""
SELECT session_id, player_id, token_hash, kind, scopes, seen_at, expires_at,
       name, is_guest, is_admin, owner_id IS NOT NULL AS is_bot,
       GREATEST(banned_until, (SELECT owner.banned_until FROM directory.players AS owner
                               WHERE owner.player_id = owner_id)) AS banned_until
FROM directory.sessions JOIN directory.players USING (player_id)
LEFT JOIN directory.bots ON bot_id = player_id
WHERE token_hash = ANY($1::bytea[]) AND revoked_at IS NULL AND deleted_at IS NULL
  AND (expires_at IS NULL OR expires_at > $2) AND {HAS_OWNER}
"""  # noqa: S608  # our own condition

KIND: Final = "SELECT kind FROM directory.sessions WHERE session_id = $1 AND revoked_at IS NULL"

LACKS_PROOF: Final = """
SELECT NOT is_guest AND (proved_at IS NULL OR proved_at < $2)
FROM directory.sessions JOIN directory.players USING (player_id) WHERE session_id = $1
"""

RENEW: Final = """
UPDATE directory.sessions
SET token_hash = $2, proved_at = CASE WHEN $5 THEN $3 ELSE proved_at END, seen_at = $3,
    expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE $4::timestamptz END
WHERE session_id = $1 AND token_hash = $6 AND revoked_at IS NULL
"""

LIST: Final = """
SELECT session_id, kind, label, created_at, seen_at, expires_at FROM directory.sessions
WHERE player_id = $1 AND kind <> 'token' AND revoked_at IS NULL AND expires_at > $2
ORDER BY seen_at DESC, session_id
"""


class SessionKind(enum.Enum):
    """How a session is carried: by a browser, by a client that signed in, or by a player's own program."""

    COOKIE = "cookie"
    BEARER = "bearer"
    TOKEN = "token"  # noqa: S105 - a word, not a token


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """How a player signs in, and the name of the session in their list: a browser, a device."""

    kind: SessionKind
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A session and its new token, which is shown only once."""

    session: Session
    token: str = field(repr=False)


def new_token(chance: Chance) -> str:
    """A token that cannot be guessed.

    >>> new_token(bytes)
    'ct_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    return "ct_" + urlsafe_b64encode(chance(TOKEN_BYTES)).rstrip(b"=").decode()


def is_token(text: str) -> bool:
    """Whether a text could be a token at all."""
    return _TOKEN.fullmatch(text) is not None


def hash_of(token: str) -> bytes:
    """All that is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def session_of(row: Record, now: datetime) -> Session:
    """The session in a row, with the scopes it has at this moment."""
    kind = SessionKind(row["kind"])
    scopes = frozenset(map(Scope, row["scopes"]))
    if row["is_admin"] and kind is not SessionKind.TOKEN:
        scopes |= {Scope.ADMIN}
    is_banned = row["banned_until"] is not None and row["banned_until"] > now
    if is_banned:
        scopes &= WHILE_BANNED
    return Session(
        id=row["session_id"],
        player_id=row["player_id"],
        name=row["name"],
        is_guest=row["is_guest"],
        scopes=scopes,
        by_cookie=kind is SessionKind.COOKIE,
        token_hash=row["token_hash"],
        banned_until=row["banned_until"] if is_banned else None,
        is_bot=row["is_bot"],
    )


async def admit(
    directory: Directory,
    connection: Connection,
    player_id: UUID,
    arrival: Arrival,
    *,
    scopes: frozenset[Scope] = PERSONAL,
    proved: bool = False,
) -> Admission:
    """Open a session for a player who is entitled to it; `proved` if they have just proved who they are."""
    now = directory.clock()
    token = new_token(directory.chance)
    expires_at = None if arrival.kind is SessionKind.TOKEN else now + LIFETIME
    await connection.execute(
        INSERT,
        directory.new_id(),
        player_id,
        hash_of(token),
        arrival.kind.value,
        sorted(scope.value for scope in scopes),
        short_text(arrival.label, LONGEST_LABEL),
        now,
        expires_at,
        now if proved else None,
    )
    admission = await _admission(connection, token, now)
    if admission is None:
        raise ServiceError(Problem.NO_SUCH_PLAYER, "there is no such player any more")
    return admission


async def renew(
    directory: Directory, connection: Connection, session: Session, *, proved: bool = True
) -> Admission:
    """Give a session whose player has just proved who they are a new token; the old one stops working.

    A thief of the old one shares neither the proof nor what follows. The caller closes the session once this
    is committed, so that no node believes the old token. If two tabs prove at the same time, one is refused:
    their browser keeps one cookie, and answers may overtake each other.
    """
    now = directory.clock()
    token = new_token(directory.chance)
    await connection.execute(
        RENEW, session.id, hash_of(token), now, now + LIFETIME, proved, session.token_hash
    )
    renewed = await _admission(connection, token, now)
    if renewed is None:
        raise ServiceError(
            Problem.UNAUTHENTICATED,
            "this token has ended meanwhile: come with the newer one, or sign in again",
        )
    return renewed


async def _admission(connection: Connection, token: str, now: datetime) -> Admission | None:
    row = await connection.fetchrow(FIND, [hash_of(token)], now)
    return None if row is None else Admission(session=session_of(row, now), token=token)


async def sessions_of(directory: Directory, session: Session) -> tuple[SessionMessage, ...]:
    """Where a player is signed in, the most recently seen first."""
    rows = await directory.pool.fetch(LIST, session.player_id, directory.clock())
    return tuple(
        SessionMessage(
            id=row["session_id"],
            kind=row["kind"],
            label=row["label"],
            created=milliseconds(row["created_at"]),
            seen=milliseconds(row["seen_at"]),
            expires=milliseconds_or_none(row["expires_at"]),
            is_this=row["session_id"] == session.id,
        )
        for row in rows
    )


NOT_BY_TOKEN: Final = "a personal token cannot do this: sign in for that"  # noqa: S105 - a sentence, not a token


async def require_in_person(asking: Pool | Connection, session: Session) -> None:
    """Raise FORBIDDEN for a personal token: it makes no way in that outlives it, and deletes no account."""
    if await asking.fetchval(KIND, session.id) in (None, SessionKind.TOKEN.value):
        raise ServiceError(Problem.FORBIDDEN, NOT_BY_TOKEN)


async def refuse_token(asking: Pool | Connection, session: Session) -> None:
    """Raise FORBIDDEN for a personal token; a session that has just ended is none."""
    if await asking.fetchval(KIND, session.id) == SessionKind.TOKEN.value:
        raise ServiceError(Problem.FORBIDDEN, NOT_BY_TOKEN)


async def require_proof(directory: Directory, session: Session) -> None:
    """Raise NEEDS_PROOF unless the player proved lately who they are; changing the ways in requires it.

    Otherwise a thief of a session could create a way in that outlives it. A guest, who has no other way in,
    needs no proof.
    """
    since = directory.clock() - PROOF_LASTS
    if await directory.pool.fetchval(LACKS_PROOF, session.id, since):
        raise ServiceError(Problem.NEEDS_PROOF, "show first who you are: sign in again")
