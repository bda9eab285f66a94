"""How fast is the environment? Steps a second beside PettingZoo's own connect_four, in one run.

    python benchmarks/env_steps.py --seconds 10 --compiled .venv-compiled/bin/python

Prints a JSON line for each engine: steps in a second of processor time with random legal actions,
through the loop that every learner writes (agent_iter, last, step), and the ratio to connect_four. All
take turns, and the median counts, so that a noisy machine disturbs all of them alike. Besides `env` of
both it measures what explains the figures: both without wrappers, Cartagena in PettingZoo's wrappers as
they are, and an environment in them that does nothing at all, for nothing in them can be faster.

Then the batch: the same choices by chance, made for all rows at once from their masks, and counted too. Every
step writes observation, mask, rewards, ends and the seat to act, and begins the next game where one ends.
`step alone` leaves out the time of choosing.

Both Pythons need the extra `envs` and pygame, which connect_four draws with.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.classic import connect_four_v3
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from rich.console import Console
from rich.progress import track

from cartagena.envs import cartagena_v0, encoding
from cartagena.envs.batch import Batch, BatchTable, any_legal

ROUNDS = 15
ROWS = 256
ENGINE = "interpreted" if encoding.__file__.endswith(".py") else "compiled"
Env = AECEnv[str, Any, Any]


class Idle(Env):
    """Two seats that take turns with the same observation for ever: the least an environment can do."""

    def __init__(self) -> None:
        self.possible_agents = ["seat_0", "seat_1"]
        self._actions = spaces.Discrete(266)
        mask = np.zeros(266, np.int8)
        mask[:20] = 1
        self._seen = {"observation": np.zeros(400, np.uint8), "action_mask": mask}

    def action_space(self, agent: str) -> spaces.Space[Any]:  # noqa: ARG002 - both have the same
        """As many actions as Cartagena has."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Begin again."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = "seat_0"
        self._left = 500

    def observe(self, agent: str) -> dict[str, Any]:  # noqa: ARG002 - both see the same
        """Always the same."""
        return self._seen

    def step(self, action: Any) -> None:
        """The other seat is next."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._left -= 1
        self.agent_selection = self.possible_agents[self._left % 2]
        if self._left == 0:
            self.terminations = dict.fromkeys(self.agents, True)


def in_stock_wrappers(env: Env) -> Env:
    """An environment in PettingZoo's own wrappers, as they are."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


MAKERS: dict[str, Callable[[], Env]] = {
    "connect_four.env": connect_four_v3.env,
    "cartagena.env": cartagena_v0.env,
    "connect_four.raw_env": connect_four_v3.raw_env,
    "cartagena.raw_env": cartagena_v0.raw_env,
    "jamaica, 5 seats": lambda: cartagena_v0.env(ruleset="jamaica", seats=5),
    "nest, 3 seats": lambda: cartagena_v0.env(ruleset="nest", seats=3),
    "cartagena in stock wrappers": lambda: in_stock_wrappers(cartagena_v0.raw_env()),
    "idle in stock wrappers": lambda: in_stock_wrappers(Idle()),
}


def a_legal_code(seen: Any) -> int:
    """A random action of the mask, found as PettingZoo's own benchmark finds it."""
    codes: list[int] = np.flatnonzero(seen["action_mask"]).tolist()
    return random.choice(codes)


def steps_per_second(env: Env, seconds: float) -> float:
    """Play random legal games one after the other until `seconds` of processor time are used."""
    steps = 0
    began = now = time.process_time()
    while now - began < seconds:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else a_legal_code(seen))
            steps += 1
        now = time.process_time()
    return steps / (now - began)


BATCHES = {
    "batch, tortuga, 2 seats": BatchTable("tortuga", 2),
    "batch, jamaica, 5 seats": BatchTable("jamaica", 5),
    "batch, nest, 3 seats": BatchTable("nest", 3),
}


def batched_steps_per_second(batch: Batch, seconds: float) -> tuple[float, float]:
    """Play random legal games in all rows; steps a second with the time of choosing and without it."""
    chance = np.random.default_rng(1)
    steps = 0
    choosing = 0.0
    began = now = time.process_time()
    while now - began < seconds:
        codes = any_legal(batch.shown.masks, chance)
        choosing += time.process_time() - now
        batch.step(codes)
        steps += len(batch)
        now = time.process_time()
    return steps / (now - began), steps / (now - began - choosing)


def measure(seconds: float, rows: int) -> dict[str, float]:
    """Median rates on this engine, measured in turns, and the median ratios to connect_four."""
    batches = {name: Batch([table] * rows, seed=1) for name, table in BATCHES.items()}
    rates: dict[str, list[float]] = {name: [] for name in MAKERS}
    for name in batches:
        rates |= {name: [], f"{name}, step alone": []}
    for _ in track(range(ROUNDS), ENGINE, console=Console(stderr=True)):
        for name, make in MAKERS.items():
            rates[name].append(steps_per_second(make(), seconds / ROUNDS))
        for name, batch in batches.items():
            whole, alone = batched_steps_per_second(batch, seconds / ROUNDS)
            rates[name].append(whole)
            rates[f"{name}, step alone"].append(alone)
    figures = {name: float(round(statistics.median(values))) for name, values in rates.items()}
    return {
        **figures,
        "rows": rows,
        "ratio": ratio(rates, "cartagena.env", "connect_four.env"),
        "ratio_raw": ratio(rates, "cartagena.raw_env", "connect_four.raw_env"),
        "ratio_batch": ratio(rates, "batch, tortuga, 2 seats", "connect_four.env"),
    }


def ratio(rates: dict[str, list[float]], ours: str, yardstick: str) -> float:
    """How many times as fast one is as the other, round by round and then the median."""
    pairs = zip(rates[ours], rates[yardstick], strict=True)
    return round(statistics.median(one / other for one, other in pairs), 2)


def main() -> None:
    """Measure on both engines, or on that of this Python alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="time for each environment")
    parser.add_argument("--compiled", help="a Python with the compiled engine, measured after this one")
    parser.add_argument("--rows", type=int, default=ROWS, help="games in a batch")
    wish = parser.parse_args()
    pythons = [sys.executable, wish.compiled] if wish.compiled else []
    if not pythons:
        print(json.dumps({ENGINE: measure(wish.seconds, wish.rows)}))
    for python in pythons:
        asked = ["--seconds", str(wish.seconds), "--rows", str(wish.rows)]
        subprocess.run([python, __file__, *asked], check=True)


if __name__ == "__main__":
    main()
