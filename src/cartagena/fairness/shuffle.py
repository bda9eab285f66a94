"""The shuffle of one game: fair numbers and orders, from a key that the server and the players made."""

import hashlib
import hmac
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from cartagena.notation.position_text import format_ruleset
from cartagena.rules.board import Board
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, Ruleset
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import Shuffler

# Commitments: what may take part in a fair shuffle, its hash now, and what the hash hides afterwards.


SIZE: Final = 32
"""The bytes in a secret, a nonce and a key: too many to guess, as many as SHA-256 keeps apart."""

_LINE: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class FairnessError(ValueError):
    """Something that cannot take part in a fair shuffle."""


def one_line(name: str, text: str) -> str:
    """Let one plain line pass; a line break or an exotic letter could make two settings look alike."""
    if not _LINE.fullmatch(text):
        raise FairnessError(f"{name} must be one line of printable ASCII, unspaced at its ends, not {text!r}")
    return text


def full_size(name: str, value: object) -> bytes:
    """Let 32 bytes pass, and keep the value itself out of the message, because it may be secret."""
    if not isinstance(value, bytes):
        raise FairnessError(f"{name} must be bytes, not {type(value).__name__}")
    if len(value) != SIZE:
        raise FairnessError(f"{name} must be exactly {SIZE} bytes, not {len(value)}")
    return value


def hash_text(name: str, text: str) -> str:
    """Let a SHA-256 hash pass, written as 64 small hexadecimal digits."""
    if not _HASH.fullmatch(text):
        raise FairnessError(f"{name} must be 64 small hexadecimal digits, not {text!r}")
    return text


def in_range(name: str, value: int, most: int) -> int:
    """Let a whole number from 1 to `most` pass."""
    if not 1 <= value <= most:
        raise FairnessError(f"{name} must be from 1 to {most}, not {value}")
    return value


def commit(secret: bytes) -> str:
    """The hash to show now for a secret, or a nonce, that is shown later."""
    return hashlib.sha256(full_size("a secret or nonce", secret)).hexdigest()


def check(commitment: str, secret: bytes) -> bool:
    """Whether this is the secret, or nonce, that was promised."""
    return hmac.compare_digest(hash_text("a commitment", commitment), commit(secret))


def missing(nonce_hashes: Sequence[str | None], nonces: Sequence[bytes | None]) -> tuple[int, ...]:
    """The seats that still owe the nonce they promised; a start that ends with any of them is called off.

    A nonce that does not fit its hash is still owed. Seats count from 0; None for one that brings none.
    """
    if len(nonce_hashes) != len(nonces):
        raise FairnessError(
            f"{len(nonce_hashes)} nonce hashes but {len(nonces)} nonces: one each for every seat"
        )
    pairs = zip(nonce_hashes, nonces, strict=True)
    return tuple(seat for seat, pair in enumerate(pairs) if _owes(seat, *pair))


def _owes(seat: int, promised: str | None, nonce: bytes | None) -> bool:
    if promised is not None:
        return nonce is None or not check(promised, nonce)
    if nonce is not None:
        raise FairnessError(f"seat {seat} promised no nonce but has one")
    return False


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


# Everything chance decides in a game, drawn from its fair shuffle: board, first seat, deal, renewals.


def lone_shuffle(where: str, secret: bytes, ruleset: Ruleset, seats: int) -> Shuffle:
    """The shuffle of a game to which no seat brings a nonce; its id begins with `where`."""
    return Shuffle(
        game_id=f"{where}-{commit(secret)[:16]}",
        ruleset=format_ruleset(ruleset),
        nonces=(None,) * seats,
        secret=secret,
    )


def opening(shuffle: Shuffle, ruleset: Ruleset, seats: int) -> Position:
    """The table after the deal; raises FairnessError if the shuffle was promised for another game."""
    if shuffle.ruleset != format_ruleset(ruleset):
        raise FairnessError("the shuffle was promised for other rules")
    if seats != len(shuffle.nonces):
        raise FairnessError(f"the shuffle was promised for {len(shuffle.nonces)} seats, not {seats}")
    board, deal = draw_board(shuffle, ruleset), draw_deal(shuffle, ruleset)
    return new(ruleset, board, seats=seats, order=deal, first_seat=shuffle.first_seat())


def draw_board(shuffle: Shuffle, ruleset: Ruleset) -> Board:
    """The tunnel of printed segments, or the islands of the Nest."""
    if ruleset.family == ESCAPE:
        return Board.of_segments(*shuffle.segments())
    return Board.of_pieces(shuffle.pieces())


def draw_deal(shuffle: Shuffle, ruleset: Ruleset) -> tuple[int, ...]:
    """The order of the deck from which the hands are dealt."""
    return shuffle.order(DEAL, ruleset.deck())


def shuffler(shuffle: Shuffle, done: int = 0) -> Shuffler:
    """Return what gives the order of each renewed stock, after the first `done` renewals."""
    numbers = count(done + 1)

    def order(due: Sequence[int]) -> Sequence[int]:
        return shuffle.order(renewal(next(numbers)), due)

    return order
