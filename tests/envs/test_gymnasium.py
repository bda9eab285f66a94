"""Games against opponents: Gymnasium's own checks pass, and the learner hears what its seat hears."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from cartagena.bots import BotError
from cartagena.envs.batch import BatchTable, any_legal
from cartagena.envs.common import draw
from cartagena.envs.single import ENVIRONMENT_ID, CartagenaEnv
from cartagena.envs.vector import CartagenaVectorEnv
from cartagena.rules.hidden.view import view


def first_legal(observations: Any, masks: Any) -> Any:
    """A frozen policy: the lowest code."""
    assert len(observations) == len(masks)
    return masks.argmax(axis=1)


def last_legal(_observations: Any, masks: Any) -> Any:
    """A frozen policy: the highest code."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def legal(seen: dict[str, Any], chance: np.random.Generator) -> int:
    """Any legal code of one learner."""
    return int(any_legal(seen["action_mask"][None], chance)[0])


# What Gymnasium checks.


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes.*")
@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"ruleset": "nest", "seats": 3, "opponents": ["sailor", first_legal], "seat": 1},
        {"ruleset": "jamaica", "seats": 5, "max_actions": 200, "render_mode": "ansi"},
    ],
)
def test_gymnasium_accepts_it(choices: dict[str, Any]) -> None:
    check_env(CartagenaEnv(**choices))


def test_it_is_registered_and_gymnasium_accepts_what_it_makes() -> None:
    env = gymnasium.make(f"cartagena.envs.single:{ENVIRONMENT_ID}", seats=3, opponents="random")
    check_env(env.unwrapped)
    assert env.spec is not None
    assert env.spec.id == ENVIRONMENT_ID


def test_the_registered_vector_is_the_batch() -> None:
    envs = gymnasium.make_vec(ENVIRONMENT_ID, num_envs=7, ruleset="nest", seats=3)
    assert isinstance(envs, CartagenaVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    assert envs.action_space.shape == (7,)
    envs.close()


# A learner in many games.


@pytest.mark.parametrize("opponents", ["random", ["sailor", last_legal]])
@pytest.mark.parametrize("seat", [None, 2])
def test_the_learner_is_always_to_act_and_hears_every_end(opponents: Any, seat: int | None) -> None:
    envs = CartagenaVectorEnv(
        5, opponents=opponents, seat=seat, ruleset="jamaica", seats=3, options={"quiet_rounds": 8}
    )
    seen, _ = envs.reset(seed=4)
    chance = np.random.default_rng(4)
    ends, sat = 0, set()
    for _ in range(250):
        for row in range(5):
            fields = envs.batch.decode(row)
            assert fields["to_act"].tolist() == [1, 0, 0]
            sat.add(int(fields["seat"].argmax()))
        seen, rewards, terminated, truncated, infos = envs.step(any_legal(seen["action_mask"], chance))
        assert envs.observation_space.contains(seen)
        assert not truncated.any()
        assert np.flatnonzero(rewards).tolist() == [
            row for row in np.flatnonzero(terminated) if infos["final_info"]["winner"][row] >= 0
        ]
        for row in np.flatnonzero(terminated).tolist():
            ends += 1
            assert infos["_final_obs"][row]
            assert envs.single_observation_space.contains(infos["final_obs"][row])
            assert not infos["final_obs"][row]["action_mask"].any()
            won = infos["final_info"]["winner"][row] == infos["final_info"]["seat"][row]
            assert (rewards[row] == 1) == won
    assert ends > 5
    assert sat == ({0, 1, 2} if seat is None else {2})


def test_an_illegal_choice_of_the_learner_costs_a_point() -> None:
    envs = CartagenaVectorEnv(3)
    seen, _ = envs.reset(seed=1)
    codes = any_legal(seen["action_mask"], np.random.default_rng(1))
    codes[1] = 265 - seen["action_mask"][1, ::-1].argmin()
    _, rewards, terminated, _, _ = envs.step(codes)
    assert rewards.tolist() == [0, -1, 0]
    assert terminated.tolist() == [False, True, False]


def test_games_that_are_cut_off_are_truncated() -> None:
    envs = CartagenaVectorEnv(4, max_actions=30)
    seen, _ = envs.reset(seed=1)
    chance, cut = np.random.default_rng(1), 0
    for _ in range(60):
        seen, rewards, terminated, truncated, _ = envs.step(any_legal(seen["action_mask"], chance))
        assert not terminated.any()
        assert not rewards.any()
        cut += truncated.sum()
    assert cut >= 4


def test_a_seed_decides_what_opponents_do_too() -> None:
    def course(seed: int) -> list[bytes]:
        envs = CartagenaVectorEnv(3, opponents=["random", "deckhand"], seats=3)
        seen, _ = envs.reset(seed=seed)
        chance = np.random.default_rng(1)
        found = []
        for _ in range(12):
            seen, *_ = envs.step(any_legal(seen["action_mask"], chance))
            found.append(seen["observation"].tobytes())
        return found

    assert course(1) == course(1)
    assert course(1) != course(2)


def test_observations_are_copies_unless_they_need_not_be() -> None:
    copied, own = CartagenaVectorEnv(2), CartagenaVectorEnv(2, copy=False)
    assert not np.shares_memory(copied.reset(seed=1)[0]["observation"], copied.batch.shown.observations)
    assert np.shares_memory(own.reset(seed=1)[0]["observation"], own.batch.shown.observations)


def test_wrong_choices_are_refused() -> None:
    with pytest.raises(ValueError, match="3 seats have 2 opponents, not 1"):
        CartagenaVectorEnv(1, opponents=["random"], seats=3)
    with pytest.raises(ValueError, match="from 0 to 1, or None, not 2"):
        CartagenaVectorEnv(1, seat=2)
    with pytest.raises(BotError, match="no bot 'pilot'"):
        CartagenaVectorEnv(1, opponents="pilot")
    with pytest.raises(TypeError, match="rulest"):
        CartagenaVectorEnv(1, rulest="nest")


# A learner in one game.


def test_one_game_is_a_row_of_many() -> None:
    env, envs = CartagenaEnv(seats=3), CartagenaVectorEnv(1, seats=3)
    seen, _ = env.reset(seed=3)
    many, _ = envs.reset(seed=3)
    chance = np.random.default_rng(3)
    info: dict[str, Any] = {}
    infos: dict[str, Any] = {}
    while not info:
        assert seen["observation"].tobytes() == many["observation"][0].tobytes()
        code = legal(seen, chance)
        seen, reward, terminated, _, info = env.step(code)
        many, rewards, *_, infos = envs.step([code])
        assert reward == rewards[0]
        assert terminated == bool(info)
    assert seen["observation"].tobytes() == infos["final_obs"][0]["observation"].tobytes()
    assert info == {"seat": infos["final_info"]["seat"][0], "winner": infos["final_info"]["winner"][0]}
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    assert env.reset()[0]["observation"].tobytes() == many["observation"][0].tobytes()


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_goes_on_alone(twin_of: Any) -> None:
    env = CartagenaEnv(ruleset="nest", seats=3, opponents=["sailor", "random"])
    seen, _ = env.reset(seed=9)
    chance = np.random.default_rng(9)
    for _ in range(10):
        seen, *_ = env.step(legal(seen, chance))
    twin = twin_of(env)
    for _ in range(30):
        code = legal(seen, chance)
        seen, reward, terminated, _, _ = env.step(code)
        other, same_reward, *_ = twin.step(code)
        assert seen["observation"].tobytes() == other["observation"].tobytes()
        assert reward == same_reward
        if terminated:
            break


def test_a_drawing_shows_what_the_learner_sees() -> None:
    env = CartagenaEnv(ruleset="jamaica", render_mode="ansi", seat=1)
    env.reset(seed=7)
    assert env.render() == draw(view(env.games.batch.position(0), 1))
    env.step(-1)
    assert env.render() == draw(view(env.games.endings[0].position, 1))


def test_without_a_mode_nothing_is_drawn() -> None:
    env = CartagenaEnv()
    env.reset(seed=7)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None


def test_tables_are_those_of_a_batch() -> None:
    assert CartagenaVectorEnv(1, ruleset="nest", seats=4).table == BatchTable("nest", 4)
