"""Patience: how often to ask again, and how long to wait before."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import httpx

from cartagena.client.errors import Unreachable
from cartagena.client.request import Answer, Request

TOO_MANY: Final = 429
AWAY: Final = frozenset({502, 503, 504})
"""What a service, or a proxy before it, answers while it cannot do its work."""

NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Errors after which the service has certainly seen nothing."""

Chance = Callable[[], float]
"""A number from 0 to 1, below 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait, in seconds.

    `tries` bounds how often a request is sent; a stream comes back for ever. Pauses grow from `first` to
    `longest`, and chance spreads them, so that not all come back at once. A request
    to wait longer than `obedience` is not followed. A stream silent for `heartbeat` is taken for dead.
    """

    tries: int = 10
    first: float = 0.1
    longest: float = 10.0
    obedience: float = 60.0
    answer: float = 30.0
    heartbeat: float = 40.0

    def pause(self, failures: int, chance: Chance = random.random) -> float:
        """How long to wait after `failures` failures in a row: twice as long each time, half of it by chance.

        >>> [Patience().pause(failures, lambda: 1.0) for failures in (1, 2, 3, 20)]
        [0.1, 0.2, 0.4, 10.0]
        """
        doublings = min(failures - 1, 30)
        whole = min(self.first * (1 << doublings), self.longest)
        return whole * (1 + chance()) / 2

    @property
    def timeout(self) -> httpx.Timeout:
        """For an ordinary request."""
        return httpx.Timeout(self.answer)

    @property
    def timeout_of_stream(self) -> httpx.Timeout:
        """For a stream, on which nothing may come for a while."""
        return httpx.Timeout(self.answer, read=self.heartbeat)


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


def seconds_of(retry_after: str | None) -> float:
    """The seconds of a Retry-After header, 0 if it has none; our service never sends a date."""
    return float(retry_after) if retry_after is not None and retry_after.isdecimal() else 0.0
