"""Passkeys: the keys with which a player proves who they are; there may be several, each with a label."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from asyncpg import Record

from cartagena.messages.accounts import PasskeyMessage
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.names import short_text
from cartagena.server.accounts.sessions.tokens import require_proof
from cartagena.server.shared.callers import Session
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.timestamps import milliseconds, milliseconds_or_none

LONGEST_LABEL: Final = 60
UNNAMED: Final = "passkey"

LIST: Final = """
SELECT passkey_id, label, created_at, used_at FROM directory.passkeys WHERE player_id = $1
ORDER BY passkey_id
"""

RENAME: Final = """
UPDATE directory.passkeys SET label = $3 WHERE player_id = $1 AND passkey_id = $2
RETURNING passkey_id, label, created_at, used_at
"""

DELETE: Final = """
DELETE FROM directory.passkeys WHERE player_id = $1 AND passkey_id = $2 RETURNING passkey_id
"""

COUNT: Final = "SELECT count(*) FROM directory.passkeys WHERE player_id = $1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RelyingParty:
    """The site that a passkey is for: its domain, the name that a browser shows, and its origins."""

    id: str
    name: str
    origins: tuple[str, ...]


async def passkeys_of(directory: Directory, player_id: UUID) -> tuple[PasskeyMessage, ...]:
    """A player's passkeys, the oldest first."""
    return tuple(map(passkey_message, await directory.pool.fetch(LIST, player_id)))


async def rename_passkey(
    directory: Directory, player_id: UUID, passkey_id: UUID, label: str
) -> PasskeyMessage:
    """Give a passkey another label; raises NO_SUCH_THING."""
    row = await directory.pool.fetchrow(RENAME, player_id, passkey_id, clean_label(label))
    if row is None:
        raise no_such_passkey()
    return passkey_message(row)


async def remove_passkey(directory: Directory, session: Session, passkey_id: UUID) -> None:
    """Remove a passkey; the last one stays, or its player could not come back.

    Raises NEEDS_PROOF, NO_SUCH_THING, and UNFIT for the last one.
    """
    await require_proof(directory, session)
    async with player_locked(directory, session.player_id) as connection:
        if await connection.fetchval(DELETE, session.player_id, passkey_id) is None:
            raise no_such_passkey()
        if await connection.fetchval(COUNT, session.player_id) == 0:
            raise ServiceError(Problem.UNFIT, "the last passkey stays: add another one first")


def clean_label(label: str) -> str:
    """A label as it is stored; a passkey without one is just called "passkey"."""
    return short_text(label, LONGEST_LABEL) or UNNAMED


def passkey_message(row: Record) -> PasskeyMessage:
    """A passkey as its player sees it."""
    return PasskeyMessage(
        id=row["passkey_id"],
        label=row["label"],
        created=milliseconds(row["created_at"]),
        used=milliseconds_or_none(row["used_at"]),
    )


def no_such_passkey() -> ServiceError:
    """The refusal of an id that none of the player's passkeys has."""
    return ServiceError(Problem.NO_SUCH_THING, "you have no such passkey")
