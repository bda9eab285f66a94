"""Choosing: which requests are traced, so that no outsider can have more of them traced."""

import re
from collections.abc import Callable
from typing import Final

MOST_A_SECOND: Final = 20
"""How many outside traces a process takes up per second: a proxy may pass on anything its callers send."""

# Version 00 of W3C Trace Context; a later version begins in the same way.
_TRACEPARENT: Final = re.compile(rb"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_SAMPLED: Final = 1


def read_traceparent(text: bytes) -> tuple[bytes, bool] | None:
    """Return the trace that a `traceparent` names, and whether it is followed; None if it is not valid.

    >>> trace, followed = read_traceparent(b"00-" + b"1f" * 16 + b"-" + b"2e" * 8 + b"-01")
    >>> trace == bytes([0x1f]) * 16 + bytes([0x2e]) * 8, followed
    (True, True)
    """
    found = _TRACEPARENT.fullmatch(text)
    if found is None or found[1] == b"ff" or (found[1] == b"00" and found[5]):
        return None
    trace, step = bytes.fromhex(found[2].decode()), bytes.fromhex(found[3].decode())
    if not any(trace) or not any(step):
        return None
    return trace + step, bool(int(found[4], 16) & _SAMPLED)


class Sampler:
    """Chooses a random share of all requests, and those that a trusted proxy traces, up to a ceiling."""

    def __init__(self, share: float, *, chance: Callable[[], float], clock: Callable[[], float]) -> None:
        self._share = share
        self._chance = chance
        self._clock = clock
        self._second = -1
        self._taken = 0

    def by_chance(self) -> bool:
        """Whether something that begins here is traced."""
        return self._chance() < self._share

    def takes_up(self) -> bool:
        """Whether one more trace from outside is taken up."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._taken = second, 0
        self._taken += 1
        return self._taken <= MOST_A_SECOND
