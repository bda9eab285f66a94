"""The shuffle of one game: fair numbers and orders, from a key that the server and the players made."""

import hashlib
import hmac
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from cartagena.fairness.commitment import SIZE, FairnessError, full_size, in_range, one_line

_WORD: Final = 4
_WORDS: Final = 256**_WORD


class KeyStream:
    """An endless row of fair numbers for one purpose, the same for everybody who has the key.

    >>> stream = KeyStream(bytes(32), "deal")
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


ALGORITHM: Final = "cartagena shuffle 1"
BOARD: Final = "board"
FIRST_SEAT: Final = "first seat"
DEAL: Final = "deal"

_MOST_PIECES: Final = 256


def renewal(number: int) -> str:
    """The purpose of the first, second, ... time that the discards are shuffled into a new stock."""
    return f"renewal {in_range('the number of a renewal', number, 2**32)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle:
    """All that chance decides in one game, fixed by its rules, the server's secret and the seats' nonces."""

    game_id: str
    ruleset: str
    """The rules with all options, on one line."""
    nonces: tuple[bytes | None, ...]
    """What each seat brought, in the order of the seats; None for one that brought none."""
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        one_line("a game id", self.game_id)
        one_line("a ruleset", self.ruleset)
        full_size("a secret", self.secret)
        if not self.nonces:
            raise FairnessError("a game has at least one seat")
        for seat, nonce in enumerate(self.nonces):
            if nonce is not None:
                full_size(f"the nonce of seat {seat}", nonce)

    @property
    def canonical_text(self) -> str:
        """The one way to write this shuffle down; two shuffles that differ never share it."""
        lines = [
            ALGORITHM,
            f"game {self.game_id}",
            f"ruleset {self.ruleset}",
            f"seats {len(self.nonces)}",
            *(f"seat {'-' if nonce is None else nonce.hex()}" for nonce in self.nonces),
            f"secret {self.secret.hex()}",
        ]
        return "".join(f"{line}\n" for line in lines)

    @property
    def key(self) -> bytes:
        """The hash of the canonical text, from which every number comes; as secret as the secret."""
        return hashlib.sha256(self.canonical_text.encode("ascii")).digest()

    def stream(self, purpose: str) -> KeyStream:
        """The numbers for one purpose, from the first one on."""
        return KeyStream(self.key, purpose)

    def number(self, purpose: str, below: int) -> int:
        """The number for one purpose, from 0 up to, but not including, `below`."""
        return self.stream(purpose).number(below)

    def order(self, purpose: str, cards: Iterable[int]) -> tuple[int, ...]:
        """The order of these cards for one purpose, the card to be drawn first in front."""
        return self.stream(purpose).order(cards)

    def first_seat(self) -> int:
        """The seat that begins."""
        return self.number(FIRST_SEAT, len(self.nonces))

    def segments(self, purpose: str = BOARD, count: int = 6) -> tuple[tuple[int, ...], tuple[bool, ...]]:
        """The segments of the tunnel from start to sloop, and for each in turn whether it is turned round."""
        stream = self.stream(purpose)
        order = stream.order(range(in_range("the number of segments", count, _MOST_PIECES)))
        return order, tuple(stream.number(2) == 1 for _ in order)

    def pieces(self, count: int = 5, signs: int = 7) -> tuple[tuple[int, ...], ...]:
        """The signs on each piece of the islands, from the start to the nest."""
        in_range("the number of pieces", count, _MOST_PIECES)
        in_range("the number of signs", signs, _MOST_PIECES)
        stream = self.stream(BOARD)
        return tuple(stream.order(range(signs)) for _ in range(count))
