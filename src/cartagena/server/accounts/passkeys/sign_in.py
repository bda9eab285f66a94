"""Proving who you are with a passkey, at sign-in or again later: the passkey itself says whose it is."""

import hmac
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec import Raw
from webauthn import generate_authentication_options, options_to_json, verify_authentication_response
from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import base64url_to_bytes

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import PasskeyOptionsMessage
from cartagena.server.accounts.codes import (
    Code,
    CodeForm,
    new_code,
    proof_hash,
    proved,
    read,
    written,
    wrong_code,
)
from cartagena.server.accounts.directory import Connection, Directory, player_locked
from cartagena.server.accounts.passkeys import keys
from cartagena.server.accounts.passkeys.keys import CHALLENGE_BYTES, Challenge, RelyingParty
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import (
    Admission,
    Arrival,
    admit,
    renew,
    require_in_person,
    require_proof,
)
from cartagena.tables.errors import Problem, ServiceError

# Recovery codes: the way back for a player who lost their passkeys.

CODES: Final = 10
ATTEMPTS: Final = 10
FORM: Final = CodeForm(locator=6, proof=14, group=5)

INSERT: Final = """
INSERT INTO directory.recovery_codes (code_id, player_id, locator, proof_hash) VALUES ($1, $2, $3, $4)
"""

DELETE_ALL: Final = "DELETE FROM directory.recovery_codes WHERE player_id = $1"

LOCATE: Final = """
SELECT code_id, player_id, proof_hash FROM directory.recovery_codes
WHERE locator = $1 AND attempts < $2
FOR UPDATE
"""

GUESSED: Final = "UPDATE directory.recovery_codes SET attempts = attempts + 1 WHERE code_id = ANY($1)"
DELETE: Final = "DELETE FROM directory.recovery_codes WHERE code_id = $1"


async def write_recovery_codes(
    directory: Directory, connection: Connection, player_id: UUID
) -> tuple[str, ...]:
    """Make new codes for a player; all earlier ones become worthless."""
    await connection.execute(DELETE_ALL, player_id)
    codes = [new_code(FORM, directory.chance) for _ in range(CODES)]
    rows = [await _row(directory.new_id(), player_id, code) for code in codes]
    await connection.executemany(INSERT, rows)
    return tuple(written(code, FORM) for code in codes)


async def renew_recovery_codes(directory: Directory, session: Session) -> tuple[str, ...]:
    """New codes for a player who used or lost the old ones.

    Raises NEEDS_PROOF, and NEEDS_ACCOUNT for a guest.
    """
    if session.is_guest:
        raise ServiceError(Problem.NEEDS_ACCOUNT, "a guest has nothing to recover: add a passkey first")
    await require_in_person(directory.pool, session)
    await require_proof(directory, session)
    async with player_locked(directory, session.player_id) as connection:
        return await write_recovery_codes(directory, connection, session.player_id)


async def use_recovery_code(directory: Directory, text: str, arrival: Arrival) -> Admission:
    """Let a player in by one of their codes, which is used up; raises WRONG_PROOF."""
    code = read(text, FORM)
    async with directory.pool.acquire() as connection, connection.transaction():
        rows = await connection.fetch(LOCATE, code.locator, ATTEMPTS)
        row = await proved(rows, code.proof)
        if row is not None:
            await connection.execute(DELETE, row["code_id"])
            return await admit(directory, connection, row["player_id"], arrival, proved=True)
        await connection.execute(GUESSED, [row["code_id"] for row in rows])
    # Only now: raising inside the transaction would roll back the count of guesses.
    raise wrong_code()


async def _row(code_id: UUID, player_id: UUID, code: Code) -> tuple[UUID, UUID, str, bytes]:
    return code_id, player_id, code.locator, await proof_hash(code_id, code.proof)


FIND: Final = """
SELECT passkey_id, player_id, public_key, sign_count FROM directory.passkeys WHERE credential_id = $1
"""

# If two answers at the same time bring the same count, one comes from a copied key.
USED: Final = """
UPDATE directory.passkeys SET used_at = $2, sign_count = $3
WHERE passkey_id = $1 AND (sign_count < $3 OR $3 = 0)
RETURNING true
"""


class _Signature(NamedTuple):
    passkey_id: UUID
    player_id: UUID
    signatures: int
    """How many signatures the key says it has given."""


class _Response(msgspec.Struct, frozen=True, rename={"user_handle": "userHandle"}):
    user_handle: str | None = None


class _Credential(msgspec.Struct, frozen=True):
    id: str
    response: _Response


async def begin_sign_in(directory: Directory, party: RelyingParty) -> PasskeyOptionsMessage:
    """Ask a visitor to sign with one of their passkeys for this site."""
    value = directory.chance(CHALLENGE_BYTES)
    await keys.put(directory, Challenge(purpose="sign_in", value=value))
    options = generate_authentication_options(rp_id=party.id, challenge=value)
    return PasskeyOptionsMessage(public_key=Raw(options_to_json(options)))


async def finish_sign_in(
    directory: Directory, party: RelyingParty, credential: Raw, arrival: Arrival
) -> Admission:
    """Let in the player whose passkey signed; raises WRONG_PROOF."""
    signature = await _signature(directory, party, credential)
    async with directory.pool.acquire() as connection, connection.transaction():
        await _count(directory, connection, signature)
        return await admit(directory, connection, signature.player_id, arrival, proved=True)


async def prove_oneself(
    sessions: SessionCache, party: RelyingParty, session: Session, credential: Raw
) -> Admission:
    """Note that one of this player's own passkeys signed; raises WRONG_PROOF, FORBIDDEN."""
    directory = sessions.directory
    await require_in_person(directory.pool, session)
    signature = await _signature(directory, party, credential)
    if signature.player_id != session.player_id:
        raise _refusal()
    async with directory.pool.acquire() as connection, connection.transaction():
        await _count(directory, connection, signature)
        renewed = await renew(directory, connection, session)
    sessions.close(session.id)
    return renewed


async def _signature(directory: Directory, party: RelyingParty, credential: Raw) -> _Signature:
    asked = await keys.take(directory, "sign_in", bytes(credential))
    passkey = await _passkey_of(directory, credential)
    verified = _verified(party, asked.value, credential, passkey)
    return _Signature(passkey["passkey_id"], passkey["player_id"], verified.new_sign_count)


async def _count(directory: Directory, connection: Connection, signature: _Signature) -> None:
    if not await connection.fetchval(USED, signature.passkey_id, directory.clock(), signature.signatures):
        raise _refusal()


async def _passkey_of(directory: Directory, credential: Raw) -> Record:
    try:
        told = msgspec.json.decode(credential, type=_Credential)
        credential_id = base64url_to_bytes(told.id)
        user_handle = base64url_to_bytes(told.response.user_handle or "")
    except ValueError as error:
        raise _refusal() from error
    row = await directory.pool.fetchrow(FIND, credential_id)
    if row is None:
        raise _refusal()
    if user_handle and not hmac.compare_digest(user_handle, row["player_id"].bytes):
        raise _refusal()
    return row


def _verified(
    party: RelyingParty, challenge: bytes, credential: Raw, passkey: Record
) -> VerifiedAuthentication:
    try:
        return verify_authentication_response(
            credential=bytes(credential).decode(),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=passkey["public_key"],
            credential_current_sign_count=passkey["sign_count"],
        )
    except Exception as error:  # bytes of strangers make the library raise all kinds, KeyError among them
        raise _refusal() from error


def _refusal() -> ServiceError:
    return ServiceError(Problem.WRONG_PROOF, "this passkey is not known here, or its answer does not hold")
