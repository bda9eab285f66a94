"""Challenges: what a passkey is asked to sign, so that an old answer is worth nothing."""

import hashlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec

from cartagena.server.accounts.directory import Directory
from cartagena.server.shared.errors import Problem, ServiceError

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
