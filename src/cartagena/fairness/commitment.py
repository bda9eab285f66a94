"""Commitments: what may take part in a fair shuffle, its hash now, and what the hash hides afterwards."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final

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
