"""The one wrapper does what PettingZoo's three do when they are stacked."""

import logging
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from cartagena.envs import cartagena_v0
from cartagena.rules.codes import END_TURN

STATE = (
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "_cumulative_rewards",
)


def stacked(**choices: Any) -> Any:
    """The environment in the usual wrappers."""
    bare = cartagena_v0.raw_env(**choices)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(bare, illegal_reward=-1)))


def pair(**choices: Any) -> list[Any]:
    """Two equal environments: one in our wrapper, one in theirs."""
    return [cartagena_v0.env(**choices), stacked(**choices)]


def state(env: Any) -> dict[str, object]:
    """Everything that a wrapper shows of a game."""
    return {name: getattr(env, name) for name in STATE} | {"num_agents": env.num_agents, "name": str(env)}


def outcome(env: Any, action: object) -> tuple[object, ...]:
    """What a step does: an error, or another state."""
    try:
        env.step(action)
    except (AssertionError, AttributeError, ValueError) as error:
        return type(error), str(error)
    return tuple(state(env).items())


def random_action(seen: dict[str, Any], chance: Random) -> object:
    """Mostly a legal code, sometimes another one or something else."""
    if chance.random() < 0.02:
        return chance.choice([266, -1, None, 1.5])
    return (
        chance.randrange(266)
        if chance.random() < 0.01
        else chance.choice(np.flatnonzero(seen["action_mask"]))
    )


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_chosen_both_do_the_same(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    ours, theirs = pair(seats=3, max_actions=200)
    chance = Random(seed)
    ours.reset(seed=seed)
    theirs.reset(seed=seed)
    for agent in ours.agent_iter():
        assert agent == theirs.agent_selection
        seen, *rest = ours.last()
        assert rest == list(theirs.last()[1:])
        over = rest[1] or rest[2]
        action = None if over else random_action(seen, chance)
        answer = outcome(ours, action)
        assert answer == outcome(theirs, action)
        if answer[0] is AssertionError:
            action = int(np.flatnonzero(seen["action_mask"])[0])
            assert outcome(ours, action) == outcome(theirs, action)
    assert ours.agents == theirs.agents == []


@pytest.mark.parametrize("env", pair())
@pytest.mark.parametrize("name", ["agents", "agent_selection", "rewards", "infos", "num_agents"])
def test_nothing_can_be_asked_before_the_reset(env: Any, name: str) -> None:
    with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
        getattr(env, name)


@pytest.mark.parametrize("env", pair())
def test_nothing_can_be_done_before_the_reset(env: Any) -> None:
    for deed in (env.render, env.agent_iter, lambda: env.step(1), lambda: env.observe("seat_0")):
        with pytest.raises(AssertionError, match="reset"):
            deed()


@pytest.mark.parametrize("env", pair(seats=4))
def test_who_chooses_what_is_illegal_loses_a_point_and_the_game_ends(env: Any) -> None:
    env.reset(seed=1)
    loser = env.agent_selection
    env.last()
    env.step(END_TURN)
    assert {agent: reward for agent, reward in env.rewards.items() if reward} == {loser: -1}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.last()
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("env", pair())
def test_a_loop_without_a_step_is_noticed(env: Any) -> None:
    env.reset(seed=1)
    loop = iter(env.agent_iter())
    next(loop)
    with pytest.raises(AssertionError, match="need to call step"):
        next(loop)
