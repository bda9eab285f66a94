"""Who plays the other seats while one seat learns: chance, bots by their names, or frozen policies."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cartagena.bots import UNHURRIED, Bot, make
from cartagena.envs.batch import Batch, any_legal
from cartagena.rules.hidden.view import view

Policy = Callable[[NDArray[np.uint8], NDArray[np.int8]], ArrayLike]
"""A frozen policy: given observations and masks, a row for each game, it returns a code for each row."""


class Opponent(Protocol):
    """Plays one seat in each game of a batch."""

    def choose(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        """A code for each of these rows, where its seat is to act."""

    def forget(self, row: int) -> None:
        """The game of this row is over."""

    def reseed(self, seed: int) -> None:
        """Begin anew, with chance from this seed."""


class RandomOpponent:
    """Chooses any legal code."""

    def __init__(self) -> None:
        self._chance = np.random.default_rng()

    def choose(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        """Any legal code for each row."""
        return any_legal(batch.shown.masks[rows], self._chance)

    def forget(self, row: int) -> None:
        """There is nothing to forget."""

    def reseed(self, seed: int) -> None:
        """Choose by this seed."""
        self._chance = np.random.default_rng(seed)


class BotOpponent:
    """A bot by its name, as `cartagena.bots.make` knows it: one for each game, since a bot plans ahead."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._bots: dict[int, Bot] = {0: make(name)}
        self._chance = Random()

    def __getstate__(self) -> dict[str, object]:
        """Leave out the bots: what one kept is a plan for the rest of its turn, and it can plan again."""
        return {"name": self.name, "_bots": {}, "_chance": self._chance}

    def choose(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        """What the bot of each row chooses, which is shown the view of its seat."""
        return [self._choice(batch, row) for row in rows.tolist()]

    def _choice(self, batch: Batch, row: int) -> int:
        if row not in self._bots:
            self._bots[row] = make(self.name)
        position = batch.position(row)
        return self._bots[row].choose(view(position, position.to_act), self._chance, UNHURRIED)

    def forget(self, row: int) -> None:
        """The next game gets another bot."""
        self._bots.pop(row, None)

    def reseed(self, seed: int) -> None:
        """Choose by this seed, with fresh bots."""
        self._bots.clear()
        self._chance = Random(seed)


class PolicyOpponent:
    """A frozen policy; what it leaves to chance is its own affair."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        """What the policy chooses for these rows."""
        return self._policy(batch.shown.observations[rows], batch.shown.masks[rows])

    def forget(self, row: int) -> None:
        """There is nothing to forget."""

    def reseed(self, seed: int) -> None:
        """There is nothing to seed."""


def opponents_of(chosen: "str | Policy | Sequence[str | Policy]", seats: int) -> list[Opponent]:
    """One opponent for each other seat, clockwise from the learner; a single choice plays all of them."""
    listed = [chosen] * (seats - 1) if isinstance(chosen, str) or callable(chosen) else list(chosen)
    if len(listed) != seats - 1:
        raise ValueError(f"{seats} seats have {seats - 1} opponents, not {len(listed)}")
    return [_opponent(each) for each in listed]


def _opponent(chosen: "str | Policy") -> Opponent:
    if not isinstance(chosen, str):
        return PolicyOpponent(chosen)
    return RandomOpponent() if chosen == "random" else BotOpponent(chosen)
