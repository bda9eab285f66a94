"""Continuing on another device: a code that is read off one screen and typed into another."""

from datetime import timedelta
from io import BytesIO
from typing import Final
from uuid import UUID

import segno
from asyncpg import Record

from cartagena.endpoints.callers import Scope, Session
from cartagena.messages.accounts import (
    DeviceCodeMessage,
    MakeToken,
    OpenCodeMessage,
    TokenMadeMessage,
    TokenMessage,
)
from cartagena.server.accounts.codes import CodeForm, new_code, proof_hash, proved, read, written, wrong_code
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.sessions.tokens import (
    LONGEST_LABEL,
    Admission,
    Arrival,
    SessionKind,
    admit,
    require_in_person,
)
from cartagena.server.shared.moments import milliseconds
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import short_text

LIFETIME: Final = timedelta(minutes=10)
ATTEMPTS: Final = 5
"""A guess is right once in five million; after five wrong ones the code is worthless."""

FORM: Final = CodeForm(locator=3, proof=5, group=4)

REPLACE: Final = """
INSERT INTO directory.device_codes (code_id, player_id, locator, proof_hash, expires_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (player_id) DO UPDATE
SET code_id = $1, locator = $3, proof_hash = $4, expires_at = $5, attempts = 0
"""

LOCATE: Final = """
SELECT code_id, player_id, proof_hash FROM directory.device_codes
WHERE locator = $1 AND attempts < $2 AND expires_at > $3
FOR UPDATE
"""

GUESSED: Final = "UPDATE directory.device_codes SET attempts = attempts + 1 WHERE code_id = ANY($1)"
DELETE: Final = "DELETE FROM directory.device_codes WHERE code_id = $1"

OPEN: Final = """
SELECT code_id, expires_at FROM directory.device_codes
WHERE player_id = $1 AND attempts < $2 AND expires_at > $3
"""

END: Final = "DELETE FROM directory.device_codes WHERE player_id = $1 AND code_id = $2 RETURNING code_id"


async def make_device_code(directory: Directory, session: Session, address: str) -> DeviceCodeMessage:
    """A code for another device; it replaces the previous one.

    `address` is the page that takes a code; the QR picture leads there with the code after a `#`, so that
    it does not appear in any server's log.
    """
    code, code_id = new_code(FORM, directory.chance), directory.new_id()
    expires_at = directory.clock() + LIFETIME
    kept = await proof_hash(code_id, code.proof)
    async with player_locked(directory, session.player_id) as connection:
        # Inside the transaction: a session that is being ended makes nothing that outlives it.
        await require_in_person(connection, session)
        await connection.execute(REPLACE, code_id, session.player_id, code.locator, kept, expires_at)
    shown = written(code, FORM)
    return DeviceCodeMessage(code=shown, expires=milliseconds(expires_at), qr=qr_svg(f"{address}#{shown}"))


async def redeem_device_code(directory: Directory, text: str, arrival: Arrival) -> Admission:
    """Open a session for the player whose code this is; the code is used up. Raises WRONG_PROOF."""
    code = read(text, FORM)
    async with directory.pool.acquire() as connection, connection.transaction():
        rows = await connection.fetch(LOCATE, code.locator, ATTEMPTS, directory.clock())
        row = await proved(rows, code.proof)
        if row is not None:
            await connection.execute(DELETE, row["code_id"])
            return await admit(directory, connection, row["player_id"], arrival)
        await connection.execute(GUESSED, [row["code_id"] for row in rows])
    # Only now: raising inside the transaction would roll back the count of guesses.
    raise wrong_code()


async def device_codes_of(directory: Directory, player_id: UUID) -> tuple[OpenCodeMessage, ...]:
    """The codes that another device could still use to sign in as a player."""
    rows = await directory.pool.fetch(OPEN, player_id, ATTEMPTS, directory.clock())
    return tuple(OpenCodeMessage(id=row["code_id"], expires=milliseconds(row["expires_at"])) for row in rows)


async def end_device_code(directory: Directory, player_id: UUID, code_id: UUID) -> None:
    """Make a code worthless; raises NO_SUCH_THING if the player has none with that id."""
    if await directory.pool.fetchval(END, player_id, code_id) is None:
        raise ServiceError(Problem.NO_SUCH_THING, "you have no such code")


def qr_svg(address: str) -> str:
    """A QR picture of an address."""
    picture = BytesIO()
    segno.make(address, micro=False).save(picture, kind="svg", scale=8, xmldecl=False)
    return picture.getvalue().decode()


# Personal tokens: a program plays or reads for its owner, with only the rights the owner gave it.

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
