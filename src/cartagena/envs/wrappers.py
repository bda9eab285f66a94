"""PettingZoo's own wrappers, all in one and with a short way to the environment.

Stacked as usual, a wrapper asks the next one for every attribute it lacks, through `__getattr__`, dozens
of times a step: three of them cost several times as much as the step itself. They call each other by
`super`, so one class can be all three, and it reads the environment's attributes without a detour.
"""

from operator import attrgetter
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from cartagena.envs.common import ILLEGAL_REWARD


class TerminateIllegal(TerminateIllegalWrapper[str, Any, Any]):
    """A choice against the mask ends the game."""

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        super().__init__(env, ILLEGAL_REWARD)


class Wrapped(
    OrderEnforcingWrapper[str, Any, Any], AssertOutOfBoundsWrapper[str, Any, Any], TerminateIllegal
):
    """An environment as PettingZoo's own board games come: in order, within bounds, ended by illegal choices.

    Before the first reset the attributes below find nothing, and `__getattr__` says why.
    """

    agents: Any = property(attrgetter("env.agents"))
    agent_selection: Any = property(attrgetter("env.agent_selection"))
    rewards: Any = property(attrgetter("env.rewards"))
    terminations: Any = property(attrgetter("env.terminations"))
    truncations: Any = property(attrgetter("env.truncations"))
    infos: Any = property(attrgetter("env.infos"))
    _cumulative_rewards: Any = property(attrgetter("env._cumulative_rewards"))

    def __str__(self) -> str:
        return str(self.env)
