"""Rate limits: how often a player, a household or a table may ask, and how many connections they may hold."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final
from uuid import UUID

from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from cartagena.endpoints.limits import Limit, Rate
from cartagena.server.http.client_address import Addresses, Network, household_of, read_address
from cartagena.tables.errors import Problem, ServiceError

Key = tuple[str, str | UUID]
"""A group, and the household, player or table that is counted in it."""

MOST_REMEMBERED: Final = 100_000


class Buckets:
    """Leaky buckets by key, each kept as one number: the moment at which it will be empty again.

    Two generations bound the memory: when the young one is full it becomes the old one, and keys not used
    since the last change are forgotten. Forgetting only ever allows more.

    >>> buckets = Buckets(most=10)
    >>> rate = Rate(burst=2, per_second=0.5)
    >>> [buckets.wait(("moves", "a"), rate, now=100.0) for _ in range(3)]
    [0.0, 0.0, 2.0]
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._young: dict[Key, float] = {}
        self._old: dict[Key, float] = {}

    def wait(self, key: Key, rate: Rate, now: float, count: int = 1) -> float:
        """Take `count` from a bucket; returns 0.0, or the seconds until that is possible."""
        empty_at = self._young.get(key) or self._old.get(key, now)
        ahead = max(empty_at - now, 0.0)
        each = 1.0 / rate.per_second
        count = min(count, rate.burst)
        too_early = ahead - (rate.burst - count) * each
        if too_early > 0.0:
            return too_early
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[key] = now + ahead + count * each
        return 0.0

    def __len__(self) -> int:
        return len(self._young) + len(self._old)


class Paced:
    """Multiplies rates by the operator's pace; each is worked out once."""

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._known: dict[Rate, Rate] = {}

    def rate(self, rate: Rate) -> Rate:
        """Return a rate multiplied by the pace."""
        if self._pace == 1.0:
            return rate
        paced = self._known.get(rate)
        if paced is None:
            paced = Rate(max(1, round(rate.burst * self._pace)), rate.per_second * self._pace)
            self._known[rate] = paced
        return paced


class Limits:
    """The buckets of all groups; refuses with `too_many` and tells how long to wait."""

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        pace: float = 1.0,
        spared: tuple[Network, ...] = (),
        most: int = MOST_REMEMBERED,
    ) -> None:
        self._clock = clock
        self._paced = Paced(pace)
        self._spared = spared
        self._players = Buckets(most)
        self._addresses = Buckets(most)

    def count_address(self, limit: Limit, address: str) -> None:
        """Count one request of an address; raises when it asks too often."""
        if not self._spared or not self._spares(address):
            key = (limit.group, household_of(address))
            refuse_if(self._addresses.wait(key, self._paced.rate(limit.address), self._clock()))

    def count_player(self, limit: Limit, player: UUID) -> None:
        """Count one request of a player; raises when they ask too often."""
        key = (limit.group, player)
        refuse_if(self._players.wait(key, self._paced.rate(limit.player), self._clock()))

    def _spares(self, text: str) -> bool:
        address = read_address(text)
        return address is not None and any(address in network for network in self._spared)


def refuse_if(seconds: float) -> None:
    """Refuse with `too_many` if there is anything to wait for."""
    if seconds:
        raise ServiceError(
            Problem.TOO_MANY, "too many requests; wait a little", retry_after=math.ceil(seconds)
        )


STRANGERS: Final = Rate(40, 10)
"""Changes requested by people who are not seated: to sit down, or what they may not do at all."""
WATCHERS: Final = Rate(12, 2)
"""Lines of chat from people who only watch."""
AS_GUEST: Final = 20
WITH_A_NAME: Final = 200
"""How many unfinished tables a player may sit at; a guest is made in a moment, a name is not."""
_TRY_AGAIN: Final = 60


class TableLimits:
    """Limits what is done at each table, and at how many tables a player sits."""

    def __init__(self, *, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._paced = Paced(pace)
        self._clock = clock
        self._buckets = Buckets()

    def count_stranger(self, table_id: UUID) -> None:
        """Count a request of a player who is not seated at this table; raises `too_many`."""
        self._count("strangers", table_id, STRANGERS)

    def count_watcher(self, table_id: UUID) -> None:
        """Count a line of chat of a watcher; raises `too_many`."""
        self._count("watchers", table_id, WATCHERS)

    def check_tables(self, tables: int, *, is_guest: bool) -> None:
        """Raise `too_many` for a player who sits at too many unfinished tables."""
        most = round((AS_GUEST if is_guest else WITH_A_NAME) * self._pace)
        if tables >= most:
            sentence = f"you sit at {tables} tables: finish or leave some of them first"
            raise ServiceError(Problem.TOO_MANY, sentence, retry_after=_TRY_AGAIN)

    def _count(self, group: str, table_id: UUID, rate: Rate) -> None:
        refuse_if(self._buckets.wait((group, table_id), self._paced.rate(rate), self._clock()))


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

    def collect(self) -> Iterator[Metric]:
        """Yield the refused connections for Prometheus; without a route, they are not in the request log."""
        refused = CounterMetricFamily(
            "cartagena_http_refused", "Connections ended before they brought a request", labels=("status",)
        )
        for status, number in self.refused.items():
            refused.add_metric((str(status),), number)
        yield refused
