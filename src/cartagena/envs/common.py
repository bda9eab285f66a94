"""What every environment has in common: tables by name, chance by a seed, and points."""

import hashlib
import secrets

from cartagena.rules.ruleset import PRESETS, Ruleset


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


def preset(ruleset: str | Ruleset) -> Ruleset:
    """The ruleset of a key, or the ruleset itself; raises ValueError that lists the known keys."""
    if isinstance(ruleset, Ruleset):
        return ruleset
    if ruleset not in PRESETS:
        raise ValueError(f"no ruleset is called {ruleset!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[ruleset]


def points(winner: int, seats: int) -> list[float]:
    """One point for the winner, which the others pay for in equal shares.

    >>> points(1, seats=3)
    [-0.5, 1.0, -0.5]
    """
    return [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]
