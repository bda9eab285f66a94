"""Webhooks: a player's own program is told by a POST that it can prove to be ours."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from cartagena.messages.accounts import WebhookMessage
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.notices.safe_http import url_of
from cartagena.server.shared.moments import milliseconds

SECRET_BYTES: Final = 32

SET: Final = """
INSERT INTO directory.webhooks (player_id, url, secret, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (player_id) DO UPDATE SET url = $2, secret = $3, created_at = $4, failures = 0
"""

FIND: Final = "SELECT url, secret, created_at FROM directory.webhooks WHERE player_id = $1"
DELETE: Final = "DELETE FROM directory.webhooks WHERE player_id = $1"
GONE: Final = "DELETE FROM directory.webhooks WHERE player_id = $1 AND url = $2"
WORKED: Final = "UPDATE directory.webhooks SET failures = 0 WHERE player_id = $1 AND failures > 0"

FAILED: Final = """
WITH counted AS (
    UPDATE directory.webhooks SET failures = failures + 1 WHERE player_id = $1 AND failures < $2
    RETURNING player_id
)
DELETE FROM directory.webhooks WHERE player_id = $1 AND NOT EXISTS (SELECT FROM counted)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where a player's program listens, and the secret that signs its notices."""

    url: str = field(repr=False)
    secret: str = field(repr=False)


async def set_webhook(directory: Directory, player_id: UUID, url: str, *, private: bool) -> WebhookMessage:
    """Notify a player's program from now on; the answer contains a new secret. Raises UNFIT."""
    url_of(url, private=private)
    secret = "cs_" + urlsafe_b64encode(directory.chance(SECRET_BYTES)).rstrip(b"=").decode()
    now = directory.clock()
    async with player_locked(directory, player_id) as connection:
        await connection.execute(SET, player_id, url, secret, now)
    return WebhookMessage(url=url, created=milliseconds(now), secret=secret)


async def webhook_message(directory: Directory, player_id: UUID) -> WebhookMessage | None:
    """Where a player's program is notified, without the secret; None if nowhere."""
    row = await directory.pool.fetchrow(FIND, player_id)
    return None if row is None else WebhookMessage(url=row["url"], created=milliseconds(row["created_at"]))


async def webhook_of(directory: Directory, player_id: UUID) -> Webhook | None:
    """A player's webhook with all that is needed to call it."""
    row = await directory.pool.fetchrow(FIND, player_id)
    return None if row is None else Webhook(url=row["url"], secret=row["secret"])


async def remove_webhook(directory: Directory, player_id: UUID) -> None:
    """Stop notifying a player's program; does nothing if there is none."""
    await directory.pool.execute(DELETE, player_id)


def signature(secret: str, seconds: int, body: bytes) -> str:
    """The signature of a notice: HMAC-SHA-256 over the moment, a full stop and the body.

    >>> signature("cs_secret", 1, b"{}")[:19]
    't=1,sha256=17f67d17'
    """
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256)
    return f"t={seconds},sha256={signed.hexdigest()}"
