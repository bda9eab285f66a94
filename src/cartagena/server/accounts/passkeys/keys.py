"""Passkeys: the keys with which a player proves who they are; there may be several, each with a label."""

import hashlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec
from asyncpg import Record

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import PasskeyMessage
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.sessions.tokens import require_proof
from cartagena.server.shared.moments import milliseconds, milliseconds_or_none
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import short_text

# Challenges: what a passkey is asked to sign, so that an old answer is worth nothing.

CHALLENGE_BYTES: Final = 32
LIFETIME: Final = timedelta(minutes=5)

Purpose: TypeAlias = Literal["register", "sign_in"]

PUT: Final = """
INSERT INTO directory.challenges (challenge_hash, purpose, player_id, name, expires_at)
VALUES ($1, $2, $3, $4, $5)
"""

TAKE: Final = """
DELETE FROM directory.challenges WHERE challenge_hash = $1 AND purpose = $2 AND expires_at > $3
RETURNING player_id, name
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """What was asked: for whom, and which name a guest wants to keep; at a sign-in the player is unknown."""

    purpose: Purpose
    player_id: UUID | None = None
    name: str | None = None
    value: bytes = field(repr=False)


class _Response(msgspec.Struct, frozen=True, rename={"client_data": "clientDataJSON"}):
    client_data: str


class _Credential(msgspec.Struct, frozen=True):
    response: _Response


class _ClientData(msgspec.Struct, frozen=True):
    challenge: str


async def put(directory: Directory, challenge: Challenge) -> None:
    """Remember what was asked."""
    await directory.pool.execute(
        PUT,
        _hash_of(challenge.value),
        challenge.purpose,
        challenge.player_id,
        challenge.name,
        directory.clock() + LIFETIME,
    )


async def take(directory: Directory, purpose: Purpose, credential: bytes) -> Challenge:
    """The challenge that a browser's answer belongs to; it can be answered only once. Raises WRONG_PROOF."""
    value = _challenge_in(credential)
    row = await directory.pool.fetchrow(TAKE, _hash_of(value), purpose, directory.clock())
    if row is None:
        raise ServiceError(Problem.WRONG_PROOF, "this was not asked, or too long ago: begin again")
    return Challenge(purpose=purpose, player_id=row["player_id"], name=row["name"], value=value)


def _hash_of(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()


def _challenge_in(credential: bytes) -> bytes:
    try:
        client_data = msgspec.json.decode(credential, type=_Credential).response.client_data
        challenge = msgspec.json.decode(_from_base64url(client_data), type=_ClientData).challenge
        return _from_base64url(challenge)
    except ValueError as error:
        raise ServiceError(Problem.WRONG_PROOF, "this is no answer of a passkey") from error


def _from_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text.encode() + b"==")


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
