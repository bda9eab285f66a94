"""Fair numbers and fair orders, made from a key."""

import hmac
import itertools
from collections.abc import Iterable, Iterator
from typing import Final

from cartagena.fairness.checks import SIZE, full_size, in_range, one_line

_WORD: Final = 4
_WORDS: Final = 256**_WORD


class Stream:
    """An endless row of fair numbers for one purpose, the same for everybody who has the key.

    >>> stream = Stream(bytes(32), "deal")
    >>> [stream.number(6) for _ in range(8)]
    [3, 1, 0, 1, 5, 2, 3, 0]
    """

    __slots__ = ("_words",)

    def __init__(self, key: bytes, purpose: str) -> None:
        self._words = _words(full_size("a key", key), one_line("a purpose", purpose))

    def number(self, below: int) -> int:
        """The next number from 0 up to, but not including, `below`, each as likely as the others."""
        in_range("the size of a range", below, _WORDS)
        # The words above the last whole multiple would make the small numbers likelier.
        fair = _WORDS - _WORDS % below
        return next(word for word in self._words if word < fair) % below

    def order(self, cards: Iterable[int]) -> tuple[int, ...]:
        """These cards in a fair order, whatever order they came in."""
        order = sorted(cards)
        for last in range(len(order) - 1, 0, -1):
            other = self.number(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def _words(key: bytes, purpose: str) -> Iterator[int]:
    for counter in itertools.count():
        block = hmac.digest(key, f"{purpose}\n{counter}".encode("ascii"), "sha256")
        for place in range(0, SIZE, _WORD):
            yield int.from_bytes(block[place : place + _WORD], "big")
