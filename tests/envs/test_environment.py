"""The environment as PettingZoo wants it: its own tests pass, and every promise of the page is kept."""

import copy
import pickle
import warnings
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from cartagena import Game
from cartagena.envs import cartagena_v0
from cartagena.envs.common import draw
from cartagena.rules.codes import END_TURN, codes_of
from cartagena.rules.hidden.view import view
from cartagena.rules.laws import same
from cartagena.rules.legality import legal
from cartagena.rules.refusals import IllegalAction
from cartagena.rules.ruleset import PRESETS, OptionError
from tests.envs.reference import encoded

with warnings.catch_warnings():
    # Where pygame is installed, PettingZoo's tests import one of its games by a name it has given up.
    warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
    conformance = import_module("pettingzoo.test")

TABLES = [(ruleset, seats) for ruleset in PRESETS for seats in range(2, 6)]
every_table = pytest.mark.parametrize(("ruleset", "seats"), TABLES)

# PettingZoo's test knows by name which environments give a dict with a mask; ours is not in its list.
unknown_to_pettingzoo = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


def made(**choices: Any) -> Any:
    """The environment in its wrapper."""
    return cartagena_v0.env(**choices)


def any_legal(env: Any, chance: Random) -> int | None:
    """A random action of the selected seat; None for one whose game is over."""
    seen, _, terminated, truncated, _ = env.last()
    return None if terminated or truncated else chance.choice(np.flatnonzero(seen["action_mask"]).tolist())


def played(env: Any, seed: int) -> Iterator[Any]:
    """A whole game of random legal actions; the environment before every step."""
    chance = Random(seed)
    env.reset(seed=seed)
    for _ in env.agent_iter():
        yield env
        env.step(any_legal(env, chance))


def played_to_its_end(env: Any, seed: int) -> Any:
    """The environment when the game is over and no seat has left it yet."""
    return next(
        at for at in played(env, seed) if any(at.terminations.values()) or any(at.truncations.values())
    )


# What PettingZoo tests.


@unknown_to_pettingzoo
@every_table
def test_pettingzoo_accepts_it(ruleset: str, seats: int) -> None:
    conformance.api_test(made(ruleset=ruleset, seats=seats))
    conformance.seed_test(lambda: made(ruleset=ruleset, seats=seats))


@unknown_to_pettingzoo
def test_pettingzoo_accepts_it_without_its_wrapper_and_truncated() -> None:
    conformance.api_test(cartagena_v0.raw_env())
    conformance.api_test(made(ruleset="nest", max_actions=100, options={"reshuffle": "turn_over"}))


# What a seat is given.


@every_table
def test_observations_lie_in_their_space_and_masks_are_what_is_legal(ruleset: str, seats: int) -> None:
    env = made(ruleset=ruleset, seats=seats, max_actions=150)
    for at in played(env, seats):
        position = at.unwrapped.position
        for seat, agent in enumerate(at.possible_agents):
            seen = at.observe(agent)
            assert at.observation_space(agent).contains(seen)
            assert seen["action_mask"].shape == (codes_of(position.ruleset),)
            assert np.flatnonzero(seen["action_mask"]).tolist() == (
                legal(position) if position.to_act == seat else []
            )


def test_an_observation_is_the_encoding_of_the_position_and_stays_as_it_was() -> None:
    env = cartagena_v0.raw_env(ruleset="nest", seats=3, max_actions=60)
    kept = [(at.observe("seat_1"), encoded(at.position, 1)) for at in played(env, 5)]
    for seen, then in kept:
        assert seen["observation"].tobytes() + seen["action_mask"].tobytes() == then


def test_an_observation_can_be_decoded() -> None:
    env = made(seats=3)
    env.reset(seed=1)
    fields = env.decode(env.last()[0]["observation"])
    assert fields["pirates"].shape == (3, 38)
    assert fields["pirates"][:, 0].tolist() == [6, 6, 6]
    assert fields["to_act"].tolist() == [1, 0, 0]
    assert fields["row"].sum() == 12


# Chance.


@pytest.mark.parametrize("ruleset", PRESETS)
def test_a_seed_deals_the_same_game_as_the_command_line(ruleset: str) -> None:
    env = made(ruleset=ruleset, seats=3)
    env.reset(seed=1672)
    assert same(env.unwrapped.position, Game.start(ruleset, seats=3, seed="1672").position)


def a_long_game(seed: int | None) -> tuple[list[bytes], int]:
    """What was seen in a game that goes on until the stock was renewed, and how often it was."""
    env = cartagena_v0.raw_env()
    env.reset(seed=seed)
    chance = Random(1)
    seen = []
    while not env.position.over:
        seen.append(env.observe("seat_0")["observation"].tobytes())
        env.step(any_legal(env, chance))
    return seen, env.position.renewals


def test_a_seed_decides_the_later_shuffles_too() -> None:
    once, renewals = a_long_game(3)
    assert renewals > 0
    assert a_long_game(3) == (once, renewals)
    assert a_long_game(4) != (once, renewals)


def test_the_games_after_a_seed_are_decided_by_it_and_all_different() -> None:
    def deals(seed: int) -> list[bytes]:
        env = cartagena_v0.raw_env()
        found = []
        for number in range(4):
            env.reset(seed=seed if number == 0 else None)
            found.append(bytes(env.position.order))
        return found

    assert deals(1) == deals(1)
    assert len({*deals(1), *deals(2)}) == 8


def test_without_a_seed_nobody_knows_the_game() -> None:
    one, other = cartagena_v0.raw_env(), cartagena_v0.raw_env()
    one.reset()
    other.reset()
    assert one.position.order != other.position.order


# The end.


@every_table
def test_the_winner_gets_what_the_others_pay(ruleset: str, seats: int) -> None:
    env = played_to_its_end(made(ruleset=ruleset, seats=seats), 20 + seats)
    winner = env.unwrapped.position.winner
    rewards = [env.rewards[agent] for agent in env.possible_agents]
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert sum(rewards) == pytest.approx(0)
    if winner < 0:
        assert rewards == [0.0] * seats
    else:
        assert rewards == [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]


def test_some_games_are_won_and_a_quiet_one_is_not() -> None:
    assert max(played_to_its_end(made(), 1).rewards.values()) == 1
    quiet = made(ruleset="jamaica", seats=5, options={"quiet_rounds": 1})
    assert set(played_to_its_end(quiet, 1).rewards.values()) == {0}


def test_every_seat_hears_its_reward_before_it_leaves() -> None:
    env = made(seats=3)
    heard = {at.agent_selection: at.last()[1] for at in played(env, 2) if at.terminations[at.agent_selection]}
    assert sorted(heard.values()) == [-0.5, -0.5, 1.0]
    assert env.agents == []


def test_a_game_is_truncated_after_so_many_choices() -> None:
    env = made(max_actions=25)
    steps = sum(1 for at in played(env, 1) if not at.truncations[at.agent_selection])
    assert steps == 25
    env = played_to_its_end(env, 1)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0}


def test_a_game_that_ends_with_the_last_choice_is_not_truncated() -> None:
    whole = played_to_its_end(cartagena_v0.raw_env(), 1)
    env = played_to_its_end(cartagena_v0.raw_env(max_actions=whole.actions), 1)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


# What is refused.


def test_the_bare_environment_raises_what_the_engine_raises_and_nothing_has_happened() -> None:
    env = cartagena_v0.raw_env()
    env.reset(seed=1)
    before = env.position.copy()
    with pytest.raises(IllegalAction, match=r"R2\.8"):
        env.step(END_TURN)
    assert same(env.position, before)
    assert env.actions == 0


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"ruleset": "catan"}, "choose one of tortuga, jamaica, nest"),
        ({"seats": 6}, "2 to 5 seats play, not 6"),
        ({"max_actions": 0}, "max_actions is at least 1"),
        ({"render_mode": "human"}, "render_mode is ansi or None, not 'human'"),
        ({"options": {"row_lenght": 12}}, "no option is called 'row_lenght'"),
    ],
)
def test_a_wrong_choice_is_told_how_to_be_right(choices: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, OptionError), match=words):
        made(**choices)


def test_a_ruleset_can_be_given_as_a_value_and_options_change_it() -> None:
    env = cartagena_v0.raw_env(ruleset=PRESETS["jamaica"], options={"pass_allowed": True})
    env.reset(seed=1)
    assert env.observe(env.agent_selection)["action_mask"][END_TURN] == 1


def test_a_code_is_what_the_parent_space_calls_one() -> None:
    codes = made().action_space("seat_0")
    parent = spaces.Discrete(266)
    for value in (0, 265, 266, -1, True, np.int64(3), np.int64(266), 1.0, "1", None, np.array(5)):
        assert codes.contains(value) == parent.contains(value)


# Copies and drawings.


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_goes_on_with_the_same_game_on_its_own(twin_of: Any) -> None:
    env = made(ruleset="nest", seats=3)
    env.reset(seed=9)
    chance = Random(9)
    for _ in range(50):
        env.step(any_legal(env, chance))
    twin = twin_of(env)
    while not env.unwrapped.position.over:
        action = any_legal(env, chance)
        env.step(action)
        assert not same(env.unwrapped.position, twin.unwrapped.position)
        twin.step(action)
        assert same(env.unwrapped.position, twin.unwrapped.position)
    assert env.unwrapped.position.renewals > 0


def test_a_drawing_shows_what_the_seat_to_act_sees() -> None:
    env = made(ruleset="jamaica", render_mode="ansi")
    env.reset(seed=7)
    position = env.unwrapped.position
    assert env.render() == draw(view(position, position.to_act))


def test_without_a_mode_nothing_is_drawn() -> None:
    env = made()
    env.reset(seed=7)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None
    env.close()
