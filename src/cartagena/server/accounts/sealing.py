"""Sealing a push: encrypted for one browser (RFC 8291), signed for its push service (RFC 8292)."""

from datetime import datetime, timedelta
from typing import Final

import httpx
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02  # type: ignore[import-untyped]  # it has no types

from cartagena.server.accounts.subscriptions import Subscription, to_base64url
from cartagena.server.shared.settings import Vapid

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
