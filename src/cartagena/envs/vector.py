"""Games against opponents for Gymnasium: one seat of each game learns, and the others are played for it."""

from typing import Any, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from cartagena.envs.batch import Batch, BatchEnding, BatchTable
from cartagena.envs.cartagena_v0 import Codes
from cartagena.envs.dealing import FAST
from cartagena.envs.observation import ENCODING_VERSION, highest
from cartagena.envs.opponents import opponents_of
from cartagena.rules.codes import codes_of

HIGHEST_SEED = 2**31
"""Seeds of opponents are drawn below it."""


def spaces_of(table: BatchTable) -> tuple[spaces.Dict, Codes]:
    """What a seat sees at a table, and what it may choose."""
    codes = codes_of(table.rules)
    seen: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low=np.uint8(0), high=highest(table.fields), dtype=np.uint8),
        "action_mask": spaces.Box(low=0, high=1, shape=(codes,), dtype=np.int8),
    }
    return spaces.Dict(seen), Codes(codes)


class CartagenaVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games, each with one seat that learns.

    `opponents` plays the other seats: the name of a bot, a frozen policy, or a list with one of them for each
    other seat, clockwise from the learner. `seat` is the learner's seat; None draws one for each game.
    `shuffle` is that of `Batch`, `copy=False` returns the batch's own arrays, and `table` are the arguments
    of `BatchTable`.

    A game that ends is followed by the next in the same step; `infos["final_obs"]` has what the learner saw
    last.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "encoding_version": ENCODING_VERSION,
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Any = "random",
        seat: int | None = None,
        shuffle: str = FAST,
        copy: bool = True,
        **table: Any,
    ) -> None:
        self.table = BatchTable(**table)
        if seat is not None and not 0 <= seat < self.table.seats:
            raise ValueError(f"the learner's seat is from 0 to {self.table.seats - 1}, or None, not {seat}")
        self.num_envs = num_envs
        self.batch = Batch([self.table] * num_envs, shuffle=shuffle)
        self.opponents = opponents_of(opponents, self.table.seats)
        self.seat = seat
        self.copy = copy
        self.single_observation_space, self.single_action_space = spaces_of(self.table)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        """The learner's seat in each game."""
        self._forget_step()

    def reset(
        self,
        *,
        seed: Any = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - a table keeps its rules
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begin all games anew; a seed decides chance and what random opponents and bots choose."""
        super().reset(seed=seed)
        if seed is not None:
            for opponent in self.opponents:
                opponent.reseed(int(self.np_random.integers(HIGHEST_SEED)))
        self.batch.reset(seed)
        for row in range(self.num_envs):
            self._sit_down(row)
        self._forget_step()
        # A game that ends before the learner's first turn is no game of the learner.
        self._over.fill(True)  # noqa: FBT003 - NumPy wants it so
        self._let_opponents_play()
        return self._seen(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """The learner chooses in each game; then the opponents do, until the learner is to act again."""
        self._forget_step()
        self._play(actions, None)
        self._let_opponents_play()
        return self._seen(), self._rewards, self._terminated, self._truncated, self._infos

    def _forget_step(self) -> None:
        self._rewards = np.zeros(self.num_envs)
        self._terminated = np.zeros(self.num_envs, np.bool_)
        self._truncated = np.zeros(self.num_envs, np.bool_)
        self._over = np.zeros(self.num_envs, np.bool_)
        self._infos: dict[str, Any] = {}
        self.endings: dict[int, BatchEnding] = {}
        """How the games ended that ended for the learner in the last step, by their row."""

    def _let_opponents_play(self) -> None:
        while (waiting := np.flatnonzero(self.batch.shown.to_act != self.seats)).size:
            behind = (self.batch.shown.to_act[waiting] - self.seats[waiting]) % self.table.seats
            codes = np.zeros(len(waiting), np.int64)
            for number, opponent in enumerate(self.opponents, 1):
                theirs = np.flatnonzero(behind == number)
                if theirs.size:
                    codes[theirs] = opponent.choose(self.batch, waiting[theirs])
            self._play(codes, waiting)

    def _play(self, codes: ArrayLike, rows: NDArray[np.int64] | None) -> None:
        self.batch.step(codes, rows)
        for row, ending in self.batch.endings.items():
            if not self._over[row]:
                self._end(row, ending)
            for opponent in self.opponents:
                opponent.forget(row)
            self._sit_down(row)

    def _end(self, row: int, ending: BatchEnding) -> None:
        """Keep what the learner gets for a game, and what it saw last."""
        shown, seat = self.batch.shown, int(self.seats[row])
        self._over[row] = True
        self.endings[row] = ending
        self._rewards[row] = shown.rewards[row, seat]
        self._terminated[row] = shown.terminated[row]
        self._truncated[row] = shown.truncated[row]
        observation, mask = ending.observe(seat)
        final = {
            "final_obs": {"observation": observation, "action_mask": mask},
            "final_info": {"seat": seat, "winner": -1 if ending.winner is None else ending.winner},
        }
        self._infos = self._add_info(self._infos, final, row)

    def _sit_down(self, row: int) -> None:
        """The learner takes its seat in the next game."""
        self.seats[row] = self.np_random.integers(self.table.seats) if self.seat is None else self.seat

    def _seen(self) -> dict[str, NDArray[Any]]:
        shown = self.batch.shown
        observation, mask = shown.observations, shown.masks
        if self.copy:
            observation, mask = observation.copy(), mask.copy()
        return {"observation": observation, "action_mask": mask}


def seen_in_row(seen: dict[str, NDArray[Any]], row: int) -> dict[str, NDArray[Any]]:
    """What is seen in one of the games."""
    return {name: cast("NDArray[Any]", array[row]) for name, array in seen.items()}
