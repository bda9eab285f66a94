"""Errands: who was sent to the club's provider, so that only the same browser comes back, once and soon.

The browser takes two values along: the *state* travels through the provider, the cookie stays. Only their
hashes are stored here. The nonce that the provider must repeat, and the PKCE verifier that finally proves
that it was we who asked, are derived from both and stored nowhere.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from uuid import UUID

from cartagena.server.accounts.directory import Directory
from cartagena.server.shared.errors import Problem, ServiceError

SECRET_BYTES: Final = 32
LIFETIME: Final = timedelta(minutes=10)

PUT: Final = """
INSERT INTO directory.club_errands (state_hash, browser_hash, player_id, joins, back, expires_at)
VALUES ($1, $2, $3, $4, $5, $6)
"""

TAKE: Final = """
DELETE FROM directory.club_errands WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
RETURNING player_id, joins, back
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Who was sent, if known; whether the account gains this way in; where the browser returns to."""

    player_id: UUID | None
    joins: bool
    back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """The values that a browser takes along."""

    state: str = field(repr=False)
    browser: str = field(repr=False)

    @property
    def nonce(self) -> str:
        """What the provider repeats in the token that it signs."""
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        """What proves that it was we who asked for the code (PKCE)."""
        return self._derived("verifier")

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier beforehand (S256)."""
        return _text(hashlib.sha256(self.verifier.encode()).digest())

    def _derived(self, purpose: str) -> str:
        told = f"{purpose}:{self.state}".encode()
        return _text(hmac.digest(self.browser.encode(), told, "sha256"))


async def send(directory: Directory, errand: Errand) -> Slip:
    """Remember who was sent; the browser needs the slip to come back."""
    slip = Slip(state=_text(directory.chance(SECRET_BYTES)), browser=_text(directory.chance(SECRET_BYTES)))
    await directory.pool.execute(
        PUT,
        _hash_of(slip.state),
        _hash_of(slip.browser),
        errand.player_id,
        errand.joins,
        errand.back,
        directory.clock() + LIFETIME,
    )
    return slip


async def receive(directory: Directory, slip: Slip) -> Errand:
    """The errand of a browser that comes back, which works only once. Raises WRONG_PROOF."""
    row = await directory.pool.fetchrow(TAKE, _hash_of(slip.state), _hash_of(slip.browser), directory.clock())
    if row is None:
        raise ServiceError(Problem.WRONG_PROOF, "this browser was not sent, or too long ago: begin again")
    return Errand(player_id=row["player_id"], joins=row["joins"], back=row["back"])


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _hash_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
