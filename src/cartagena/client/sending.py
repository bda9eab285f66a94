"""How requests are sent over HTTP: certificates, time limits, and how often a request is tried."""

import ssl
from functools import cache
from typing import Final

import httpx

from cartagena import __version__
from cartagena.client.request import (
    AWAY,
    TOO_MANY,
    Answer,
    Chance,
    Misunderstood,
    Patience,
    Request,
    Unreachable,
    seconds_of,
)

USER_AGENT: Final = {"user-agent": f"cartagena/{__version__}"}

NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Errors after which the service has certainly seen nothing."""


LONGEST_ANSWER: Final = 64 * 1024 * 1024
"""Bytes, unpacked; the longest answer of a service is a fraction of it."""


class Content:
    """What an answer holds, as it comes; a service that never ends one does not fill the memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, part: bytes) -> None:
        """Take the next bytes; raises Misunderstood if they are too many."""
        self._size += len(part)
        if self._size > LONGEST_ANSWER:
            raise Misunderstood(f"an answer of more than {LONGEST_ANSWER} bytes")
        self._parts.append(part)

    def __bytes__(self) -> bytes:
        return b"".join(self._parts)


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that clients trust, read once: that takes longer than opening a connection."""
    return httpx.create_ssl_context()


def timeout(patience: Patience) -> httpx.Timeout:
    """The limits of an ordinary request."""
    return httpx.Timeout(patience.answer)


def timeout_of_stream(patience: Patience) -> httpx.Timeout:
    """The limits of a stream, on which nothing may come for a while."""
    return httpx.Timeout(patience.answer, read=patience.heartbeat)


class Tries:
    """The tries of one request: says after each whether that was the answer, or how long to wait."""

    def __init__(self, patience: Patience, request: Request[Answer], chance: Chance) -> None:
        self._patience = patience
        self._request = request
        self._chance = chance
        self._failures = 0

    def pause_after_error(self, error: httpx.TransportError) -> float:
        """How long to wait after the connection failed; raises Unreachable if that was enough."""
        trouble = type(error).__name__
        if not self._request.repeatable and not isinstance(error, NEVER_SENT):
            raise Unreachable(f"the connection broke, and it may have been done: {trouble}") from error
        if self._is_enough():
            raise Unreachable(f"asked {self._failures} times, no answer: {trouble}") from error
        return self._patience.pause(self._failures, self._chance)

    def pause_after(self, status: int, retry_after: str | None) -> float | None:
        """How long to wait after this status; None if it is the final answer."""
        wish = seconds_of(retry_after)
        may_wait = status == TOO_MANY or (status in AWAY and self._request.repeatable)
        if not may_wait or wish > self._patience.obedience or self._is_enough():
            return None
        return max(wish, self._patience.pause(self._failures, self._chance))

    def _is_enough(self) -> bool:
        self._failures += 1
        return self._failures >= self._patience.tries
