"""Connections: how many one household may hold, counted before any request arrives."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from cartagena.server.http.address import Addresses, household_of

MOST: Final = 1_000
"""Twice the limit for streams: a page holds a stream or two, and sends requests on another connection."""


class Connections(Collector):
    """Counts the open connections of each household; a trusted proxy speaks for many and is not counted.

    >>> connections = Connections(most=1)
    >>> connections.admit("192.0.2.1"), connections.admit("192.0.2.1")
    (True, False)
    """

    def __init__(self, addresses: Addresses | None = None, *, most: int = MOST) -> None:
        self._addresses = addresses or Addresses(())
        self._most = most
        self._open: Counter[str] = Counter()
        self.refused: Counter[int] = Counter()
        """How many connections were ended with each status before they sent a request."""

    def admit(self, peer: str) -> bool:
        """Count one more connection, unless there are too many."""
        if self._addresses.trusts(peer):
            return True
        household = household_of(peer)
        if self._open[household] >= self._most:
            return False
        self._open[household] += 1
        return True

    def leave(self, peer: str) -> None:
        """Note that an admitted connection has ended."""
        household = household_of(peer)
        if household in self._open:
            self._open[household] -= 1
            if not self._open[household]:
                del self._open[household]

    def held_by(self, peer: str) -> int:
        """How many connections the household of an address holds."""
        return self._open.get(household_of(peer), 0)

    def collect(self) -> Iterator[Metric]:
        """Yield the refused connections for Prometheus; without a route, they are not in the request log."""
        refused = CounterMetricFamily(
            "cartagena_http_refused", "Connections ended before they brought a request", labels=("status",)
        )
        for status, number in self.refused.items():
            refused.add_metric((str(status),), number)
        yield refused
