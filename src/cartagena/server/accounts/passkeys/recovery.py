"""Recovery codes: the way back for a player who lost their passkeys."""

from typing import Final
from uuid import UUID

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
from cartagena.server.accounts.sessions.tokens import (
    Admission,
    Arrival,
    admit,
    require_in_person,
    require_proof,
)
from cartagena.server.shared.callers import Session
from cartagena.server.shared.errors import Problem, ServiceError

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
