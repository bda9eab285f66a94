"""What both clients have in common on the wire."""

import ssl
from functools import cache
from typing import Final

import httpx

from cartagena import __version__
from cartagena.client.errors import Misunderstood
from cartagena.messages.accounts import SignedInMessage

USER_AGENT: Final = {"user-agent": f"cartagena/{__version__}"}


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that clients trust, read once: that takes longer than opening a connection."""
    return httpx.create_ssl_context()


def bearer(token: str | None) -> dict[str, str]:
    """The header that says who is asking."""
    return {} if token is None else {"authorization": f"Bearer {token}"}


def token_of(signed_in: SignedInMessage) -> str:
    """The token of a new session."""
    if signed_in.token is None:
        raise Misunderstood("a session was opened without its token")
    return signed_in.token
