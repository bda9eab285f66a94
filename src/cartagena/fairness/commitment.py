"""Promises that can be checked later: a hash now, what it hides afterwards."""

import hashlib
import hmac
from collections.abc import Sequence

from cartagena.fairness.checks import FairnessError, full_size, hash_text


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
