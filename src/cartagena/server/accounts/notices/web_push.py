"""Web push: the browsers that want notices, encrypted for each (RFC 8291) and signed (RFC 8292)."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import httpx
from asyncpg import Record
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02  # type: ignore[import-untyped]  # it has no types

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import PushKeys, PushMessage, SubscribePush
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.notices.safe_http import url_of
from cartagena.server.shared.moments import milliseconds
from cartagena.server.shared.settings import Vapid
from cartagena.tables.errors import Problem, ServiceError

MOST_BROWSERS: Final = 5
AUTH_BYTES: Final = 16
MOST_FAILURES: Final = 20
"""How often in a row an address may fail before we stop trying."""

SUBSCRIBE: Final = """
INSERT INTO directory.push (push_id, player_id, session_id, endpoint, p256dh, auth, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (endpoint) DO UPDATE
SET push_id = $1, player_id = $2, session_id = $3, p256dh = $5, auth = $6, created_at = $7, failures = 0
RETURNING push_id, endpoint, created_at
"""

TRIM: Final = """
DELETE FROM directory.push WHERE push_id IN (
    SELECT push_id FROM directory.push WHERE player_id = $1 ORDER BY push_id DESC OFFSET $2
)
"""

LIST: Final = """
SELECT push_id, endpoint, p256dh, auth, created_at FROM directory.push WHERE player_id = $1 ORDER BY push_id
"""

DELETE: Final = "DELETE FROM directory.push WHERE player_id = $1 AND push_id = $2 RETURNING push_id"
GONE: Final = "DELETE FROM directory.push WHERE push_id = $1"
WORKED: Final = "UPDATE directory.push SET failures = 0 WHERE push_id = $1 AND failures > 0"

FAILED: Final = """
WITH counted AS (
    UPDATE directory.push SET failures = failures + 1 WHERE push_id = $1 AND failures < $2
    RETURNING push_id
)
DELETE FROM directory.push WHERE push_id = $1 AND NOT EXISTS (SELECT FROM counted)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A browser that wants notices; its endpoint is as secret as its keys."""

    id: UUID
    endpoint: str = field(repr=False)
    p256dh: bytes = field(repr=False)
    auth: bytes = field(repr=False)


async def subscribe(
    directory: Directory, session: Session, wanted: SubscribePush, *, private: bool
) -> PushMessage:
    """Notify a player through this browser until they sign out of it; raises UNFIT.

    If there are more than five browsers, the oldest is dropped.
    """
    url_of(wanted.endpoint, private=private)
    p256dh, auth = _keys(wanted.keys)
    async with player_locked(directory, session.player_id) as connection:
        row = await connection.fetchrow(
            SUBSCRIBE,
            directory.new_id(),
            session.player_id,
            session.id,
            wanted.endpoint,
            p256dh,
            auth,
            directory.clock(),
        )
        await connection.execute(TRIM, session.player_id, MOST_BROWSERS)
    assert row is not None
    return _message(row)


async def unsubscribe(directory: Directory, player_id: UUID, push_id: UUID) -> None:
    """Send a browser no more notices; raises NO_SUCH_THING."""
    if await directory.pool.fetchval(DELETE, player_id, push_id) is None:
        raise ServiceError(Problem.NO_SUCH_THING, "no such browser is told")


async def browsers_of(directory: Directory, player_id: UUID) -> tuple[PushMessage, ...]:
    """The browsers through which a player is notified, the oldest first."""
    return tuple(map(_message, await directory.pool.fetch(LIST, player_id)))


async def subscriptions_of(directory: Directory, player_id: UUID) -> tuple[Subscription, ...]:
    """A player's browsers with all that is needed to notify them."""
    return tuple(
        Subscription(id=row["push_id"], endpoint=row["endpoint"], p256dh=row["p256dh"], auth=row["auth"])
        for row in await directory.pool.fetch(LIST, player_id)
    )


async def exported_browsers(directory: Directory, player_id: UUID) -> tuple[SubscribePush, ...]:
    """A player's browsers as the player handed them in."""
    return tuple(
        SubscribePush(
            endpoint=browser.endpoint,
            keys=PushKeys(p256dh=to_base64url(browser.p256dh), auth=to_base64url(browser.auth)),
        )
        for browser in await subscriptions_of(directory, player_id)
    )


def to_base64url(data: bytes) -> str:
    """Bytes as browsers write them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _keys(keys: PushKeys) -> tuple[bytes, bytes]:
    try:
        p256dh = urlsafe_b64decode(keys.p256dh.encode() + b"==")
        auth = urlsafe_b64decode(keys.auth.encode() + b"==")
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), p256dh)
    except ValueError as error:
        raise ServiceError(Problem.UNFIT, "these are no keys of a browser") from error
    if len(auth) != AUTH_BYTES:
        raise ServiceError(Problem.UNFIT, f"the key `auth` has {AUTH_BYTES} bytes")
    return p256dh, auth


def _message(row: Record) -> PushMessage:
    return PushMessage(
        id=row["push_id"],
        host=httpx.URL(row["endpoint"]).host,
        created=milliseconds(row["created_at"]),
    )


SIGNATURE_LASTS: Final = timedelta(hours=12)


def sealed(browser: Subscription, words: bytes) -> bytes:
    """Words encrypted so that only this browser can read them."""
    # It imports a second web client, which loads slowly, and few nodes ever push.
    from pywebpush import WebPusher  # type: ignore[import-untyped]  # noqa: PLC0415  # it has no types

    keys = {"p256dh": to_base64url(browser.p256dh), "auth": to_base64url(browser.auth)}
    body: bytes = WebPusher({"endpoint": browser.endpoint, "keys": keys}).encode(words)["body"]
    return body


def signed(vapid: Vapid, endpoint: str, now: datetime) -> dict[str, str]:
    """The headers that tell a push service who is sending."""
    url = httpx.URL(endpoint)
    claims = {
        "sub": vapid.subject,
        "aud": f"{url.scheme}://{url.netloc.decode('ascii')}",
        "exp": int((now + SIGNATURE_LASTS).timestamp()),
    }
    headers: dict[str, str] = Vapid02.from_string(vapid.private_key).sign(claims)
    return headers


def application_server_key(vapid: Vapid) -> str:
    """The public half of our key, which a browser needs to subscribe."""
    key = Vapid02.from_string(vapid.private_key).public_key
    return to_base64url(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
