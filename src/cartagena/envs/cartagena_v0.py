"""Cartagena and The Pirate's Nest as a PettingZoo environment; docs/environment.md is its manual."""

from collections.abc import Mapping
from typing import Any, TypedDict

from cartagena.words.libraries import no_library

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise no_library("error.no_envs", "envs", error) from None

from cartagena.envs.common import Seeds, checked_limit, checked_mode, checked_seats, draw, points
from cartagena.envs.observation import ENCODING_VERSION, decode, encoder_of, fields_of, highest, size_of
from cartagena.envs.wrappers import Wrapped
from cartagena.fairness.shuffle import lone_shuffle, opening, renewal
from cartagena.rules.codes import codes_of
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance
from cartagena.rules.position import OVER
from cartagena.rules.ruleset import Ruleset, ruleset_of


class Observation(TypedDict):
    """What a seat is given: its share of the position, and which codes it may choose."""

    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


class Codes(spaces.Discrete):
    """The codes of a game, legal or not; quicker than its parent to say that a number is one of them."""

    def contains(self, x: object) -> bool:
        """Whether `x` is a code; a plain int is compared here, anything else is left to the parent class."""
        return 0 <= x < int(self.n) if type(x) is int else super().contains(x)


def env(**choices: Any) -> AECEnv[str, Any, Any]:
    """The environment as a learner wants it: an illegal action ends the game and costs a point.

    The choices are those of `raw_env`.
    """
    return Wrapped(raw_env(**choices))


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801 - PettingZoo's name for it
    """One table, game after game; an illegal action raises the engine's IllegalAction.

    `ruleset` is a preset's key or a ruleset itself, `options` what to change in it, as in
    `{"pass_allowed": True}`. After `max_actions` choices a game is truncated; None lets it go on until
    the rules end it.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo declares it so
        "name": "cartagena_v0",
        "encoding_version": ENCODING_VERSION,
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str | Ruleset = "tortuga",
        seats: int = 2,
        options: Mapping[str, object] | None = None,
        max_actions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.ruleset = ruleset_of(ruleset).with_options(**(options or {}))
        self.possible_agents = [f"seat_{seat}" for seat in range(checked_seats(seats))]
        self.max_actions = checked_limit(max_actions)
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.fields = fields_of(self.ruleset, seats)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._size = size_of(self.fields)
        self._codes = codes_of(self.ruleset)
        self._encoder = encoder_of(self.fields, self.ruleset.family)
        self._seeds = Seeds()
        self._action_space = Codes(self._codes)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low=np.uint8(0), high=highest(self.fields), dtype=np.uint8),
                "action_mask": spaces.Box(low=0, high=1, shape=(self._codes,), dtype=np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002 - all seats have the same
        """The space of what a seat is given."""
        return self._observation_space

    def action_space(self, agent: str) -> Codes:  # noqa: ARG002 - all seats have the same
        """The codes of the engine, legal or not."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game: a seed decides its board, deal, first seat and shuffles, and all games after it.

        `options` is ignored; a table keeps its rules.
        """
        if seed is not None:
            self._seeds = Seeds(seed)
        seats = len(self.possible_agents)
        self._shuffle = lone_shuffle("local", self._seeds.next_secret(), self.ruleset, seats)
        self.position = opening(self._shuffle, self.ruleset, seats)
        self.actions = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.position.to_act]

    def observe(self, agent: str) -> Observation:
        """What a seat sees now; only the seat to act has any choice."""
        written = self._encoder.encode(self.position, self._seats[agent])
        return {
            "observation": np.frombuffer(written, np.uint8, self._size),
            "action_mask": np.frombuffer(written, np.int8, self._codes, self._size),
        }

    def decode(self, observation: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
        """The fields of an observation by their names."""
        return decode(observation, self.fields)

    def step(self, action: Any) -> None:
        """The selected seat chooses a code; chance answers at once where an order of cards is due."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position = self.position
        advance(position, int(action))
        while position.order_due:
            take_order(position, self._shuffle.order(renewal(position.renewals + 1), cards_due(position)))
        self.actions += 1
        if position.phase == OVER:
            self._end()
        else:
            self.agent_selection = self.possible_agents[position.to_act]
            if self.actions == self.max_actions:
                self.truncations = dict.fromkeys(self.agents, True)

    def _end(self) -> None:
        """The game is over: one point for the winner, which the others pay for in equal shares."""
        self.terminations = dict.fromkeys(self.agents, True)
        winner = self.position.winner
        if winner >= 0:
            self.rewards = dict(zip(self.agents, points(winner, len(self.agents)), strict=True))
            self._accumulate_rewards()

    def render(self) -> str | None:
        """The table as the seat to act sees it; all of it when the game is over."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "choose render_mode='ansi' when you make the environment, then render draws"
            )
            return None
        return draw(view(self.position, self._seats[self.agent_selection]))

    def close(self) -> None:
        """Nothing is open."""
