"""Adding a passkey: with the first one a guest keeps their name, games and id."""

from typing import Final, NamedTuple
from uuid import UUID

from asyncpg import Record, UniqueViolationError
from msgspec import Raw
from webauthn import generate_registration_options, options_to_json, verify_registration_response
from webauthn.helpers import decode_credential_public_key, decoded_public_key_to_cryptography
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import FinishPasskey, PasskeyMadeMessage, PasskeyOptionsMessage
from cartagena.server.accounts.directory import Connection, Directory, player_locked
from cartagena.server.accounts.passkeys import keys
from cartagena.server.accounts.passkeys.keys import (
    CHALLENGE_BYTES,
    COUNT,
    Challenge,
    RelyingParty,
    clean_label,
    passkey_message,
)
from cartagena.server.accounts.passkeys.sign_in import write_recovery_codes
from cartagena.server.accounts.players import FIND, FIND_NAMED, keep_name, name_taken
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import Admission, renew, require_in_person, require_proof
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import name_key, new_name

MOST_PASSKEYS: Final = 10
LONGEST_CREDENTIAL_ID: Final = 1_023

CREDENTIALS: Final = "SELECT credential_id FROM directory.passkeys WHERE player_id = $1"

INSERT: Final = """
INSERT INTO directory.passkeys
    (passkey_id, player_id, credential_id, public_key, sign_count, label, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING passkey_id, label, created_at, used_at
"""


class Registered(NamedTuple):
    """A passkey that was made, and the session that made it, with a new token."""

    made: PasskeyMadeMessage
    renewed: Admission


async def begin_registration(
    directory: Directory, party: RelyingParty, session: Session, name: str | None
) -> PasskeyOptionsMessage:
    """Ask a player's browser for a passkey; a guest says which name to keep.

    Raises NEEDS_PROOF, UNFIT, NAME_TAKEN.
    """
    await require_in_person(directory.pool, session)
    await require_proof(directory, session)
    wanted = new_name(name) if name is not None and session.is_guest else session.name
    if session.is_guest and await directory.pool.fetchrow(FIND_NAMED, name_key(wanted)) is not None:
        raise name_taken()
    known = await directory.pool.fetch(CREDENTIALS, session.player_id)
    value = directory.chance(CHALLENGE_BYTES)
    options = generate_registration_options(
        rp_id=party.id,
        rp_name=party.name,
        user_id=session.player_id.bytes,
        user_name=wanted,
        challenge=value,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=row["credential_id"]) for row in known],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
    )
    asked = Challenge(purpose="register", player_id=session.player_id, name=wanted, value=value)
    await keys.put(directory, asked)
    return PasskeyOptionsMessage(public_key=Raw(options_to_json(options)))


async def finish_registration(
    sessions: SessionCache, party: RelyingParty, session: Session, answer: FinishPasskey
) -> Registered:
    """Keep the passkey that a browser made; the first one brings the recovery codes.

    Raises WRONG_PROOF, and NAME_TAKEN if another player took the name first.
    """
    directory = sessions.directory
    await require_in_person(directory.pool, session)
    asked = await keys.take(directory, "register", bytes(answer.credential))
    if asked.player_id != session.player_id:
        raise ServiceError(Problem.WRONG_PROOF, "another player was asked for this")
    verified = _verified(party, asked.value, answer.credential)
    async with player_locked(directory, session.player_id) as connection:
        made = await _keep(directory, connection, session.player_id, verified, answer.label)
        codes = await _keep_name_of_guest(directory, connection, asked)
        renewed = await renew(directory, connection, session)
    sessions.forget_player(session.player_id)
    sessions.close(session.id)
    token = None if session.by_cookie else renewed.token
    message = PasskeyMadeMessage(passkey=passkey_message(made), recovery_codes=codes, token=token)
    return Registered(message, renewed)


def _verified(party: RelyingParty, challenge: bytes, credential: Raw) -> VerifiedRegistration:
    try:
        verified = verify_registration_response(
            credential=bytes(credential).decode(),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
        )
        # The library checks the key only when it first signs; a useless one must not be kept until then.
        decoded_public_key_to_cryptography(decode_credential_public_key(verified.credential_public_key))
    except Exception as error:  # bytes of strangers make the library raise all kinds, KeyError among them
        raise ServiceError(Problem.WRONG_PROOF, "the passkey's answer does not hold") from error
    if len(verified.credential_id) > LONGEST_CREDENTIAL_ID:
        raise ServiceError(Problem.WRONG_PROOF, "the passkey's id is too long")
    return verified


async def _keep(
    directory: Directory, connection: Connection, player_id: UUID, verified: VerifiedRegistration, label: str
) -> Record:
    if await connection.fetchval(COUNT, player_id) >= MOST_PASSKEYS:
        raise ServiceError(Problem.UNFIT, f"a player has at most {MOST_PASSKEYS} passkeys: remove one")
    try:
        row = await connection.fetchrow(
            INSERT,
            directory.new_id(),
            player_id,
            verified.credential_id,
            verified.credential_public_key,
            verified.sign_count,
            clean_label(label),
            directory.clock(),
        )
    except UniqueViolationError as error:
        raise ServiceError(Problem.WRONG_PROOF, "this passkey is already in use") from error
    assert row is not None
    return row


async def _keep_name_of_guest(
    directory: Directory, connection: Connection, asked: Challenge
) -> tuple[str, ...]:
    assert asked.player_id is not None
    assert asked.name is not None
    row = await connection.fetchrow(FIND, asked.player_id)
    if row is None or not row["is_guest"]:
        return ()
    await keep_name(connection, asked.player_id, asked.name)
    return await write_recovery_codes(directory, connection, asked.player_id)
