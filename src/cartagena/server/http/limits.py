"""Limits: how often one player, one household or all at a table may ask, counted in this process."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cartagena.server.http.address import Network, household_of, read_address
from cartagena.server.shared.errors import Problem, ServiceError

Key = tuple[str, str | UUID]
"""A group, and the household, player or table that is counted in it."""

MOST_REMEMBERED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: `burst` at once, then `per_second` a second."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What routes of one group share: a rate for each player and a rate for each address.

    A player, not a session: personal tokens and other devices would each bring a rate of their own.
    """

    group: str
    player: Rate
    address: Rate


READING: Final = Limit(group="reading", player=Rate(60, 20), address=Rate(600, 200))
PLAYING: Final = Limit(group="playing", player=Rate(40, 10), address=Rate(400, 100))
CHATTING: Final = Limit(group="chatting", player=Rate(6, 0.5), address=Rate(60, 5))
CREATING: Final = Limit(group="creating", player=Rate(10, 0.2), address=Rate(60, 1))
AT_THE_DOOR: Final = Limit(group="door", player=Rate(10, 0.2), address=Rate(30, 0.5))
REPLAYING: Final = Limit(group="replaying", player=Rate(10, 1), address=Rate(40, 4))
"""Replaying a whole game takes ten times as long as any other request."""
OPERATING: Final = Limit(group="operating", player=Rate(60, 20), address=Rate(60, 20))


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
