"""A game against opponents for Gymnasium: to import this is to register it as `cartagena/Cartagena-v0`.

::

    name = "cartagena.envs.single:cartagena/Cartagena-v0"
    env = gymnasium.make(name, ruleset="jamaica", opponents="sailor")
    envs = gymnasium.make_vec(name, num_envs=64, seats=3)
"""

from typing import Any, Final

from cartagena.words.libraries import no_library

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise no_library("error.no_envs", "envs", error) from None

from cartagena.envs.common import checked_mode, draw
from cartagena.envs.observation import ENCODING_VERSION
from cartagena.envs.vector import CartagenaVectorEnv, seen_in_row, spaces_of
from cartagena.rules.hidden.view import view

ENVIRONMENT_ID: Final = "cartagena/Cartagena-v0"


class CartagenaEnv(gymnasium.Env[Any, Any]):
    """One game after the other for one learner; the arguments are those of `CartagenaVectorEnv`."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "encoding_version": ENCODING_VERSION,
        "render_modes": ["ansi"],
        "render_fps": 1,  # a text has none, but Gymnasium wants a number
    }

    def __init__(self, render_mode: str | None = None, **choices: Any) -> None:
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.games = CartagenaVectorEnv(1, **choices)
        self.observation_space, self.action_space = spaces_of(self.games.table)
        self._next: dict[str, NDArray[Any]] | None = None
        self._sat_on = 0
        """The learner's seat in the game before, which is what `render` shows until `reset`."""

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - a table keeps its rules
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begin a game: a seed decides it and all games after it."""
        super().reset(seed=seed)
        seen, self._next = self._next, None
        if seed is not None or seen is None:
            seen = seen_in_row(self.games.reset(seed=seed)[0], 0)
        return seen, {}

    def step(self, action: int) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """The learner chooses; then the opponents do, until it is to act again or the game is over."""
        if self._next is not None:
            raise ResetNeeded("the game is over: call reset to begin the next")
        batch, rewards, terminated, truncated, infos = self.games.step([int(action)])
        seen, info = seen_in_row(batch, 0), {}
        if terminated[0] or truncated[0]:
            self._next, seen = seen, infos["final_obs"][0]
            info = {name: int(infos["final_info"][name][0]) for name in ("seat", "winner")}
            self._sat_on = info["seat"]
        return seen, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> str | None:
        """The table as the learner sees it, if the environment was made with a mode."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "choose render_mode='ansi' when you make the environment, then render draws"
            )
            return None
        if self._next is not None:
            return draw(view(self.games.endings[0].position, self._sat_on))
        return draw(view(self.games.batch.position(0), int(self.games.seats[0])))


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(
        ENVIRONMENT_ID,
        entry_point="cartagena.envs.single:CartagenaEnv",
        vector_entry_point="cartagena.envs.vector:CartagenaVectorEnv",
    )
