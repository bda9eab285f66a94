"""Chance by a seed: the secrets of the fair shuffles, one for each game."""

import hashlib
import secrets


class Seeds:
    """One secret after the other, all decided by the first seed; without a seed they are unpredictable.

    The first game of a seed is the one that `cartagena new --seed` deals.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = secrets.token_hex() if seed is None else str(seed)
        self._games = 0

    def next_secret(self) -> bytes:
        """The secret of the next game."""
        self._games += 1
        text = self._seed if self._games == 1 else f"{self._seed} game {self._games}"
        return hashlib.sha256(text.encode()).digest()
