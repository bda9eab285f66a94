"""Games in a batch are those of the PettingZoo environment, step by step, and can be kept at any time."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cartagena.envs import cartagena_v0
from cartagena.envs.batch import Batch, BatchStep, BatchTable, any_legal
from cartagena.envs.observation import decode
from cartagena.rules.codes import END_TURN
from cartagena.rules.laws import same
from cartagena.rules.position import DEAD, QUIET, WON
from cartagena.rules.ruleset import OptionError

EVERY_KIND = [
    BatchTable("tortuga"),
    BatchTable("jamaica", 3),
    BatchTable("nest", 4),
    BatchTable("tortuga", 5, {"may_decline": True}, 60),
    BatchTable("jamaica", 2, {"reshuffle": "turn_over", "quiet_rounds": 3}),
    BatchTable("nest", 2, {"reshuffle": "turn_over", "pass_allowed": True}, 90),
]


def mixed(rows: int) -> list[BatchTable]:
    """Tables of every kind, over and over."""
    return [EVERY_KIND[row % len(EVERY_KIND)] for row in range(rows)]


def steps(batch: Batch, number: int, seed: int = 1) -> Iterator[BatchStep]:
    """What a batch shows after each of a number of steps with random legal choices."""
    chance = np.random.default_rng(seed)
    for _ in range(number):
        yield batch.step(any_legal(batch.shown.masks, chance))


def looks(batch: Batch) -> tuple[bytes, ...]:
    """What a batch shows of its games now."""
    shown = batch.shown
    return shown.observations.tobytes(), shown.masks.tobytes(), shown.to_act.tobytes()


# It agrees with the environment for one game.


class Twin:
    """One row of a batch beside the PettingZoo environment that plays the same games."""

    def __init__(self, table: BatchTable, seed: int) -> None:
        self.env = cartagena_v0.raw_env(table.rules, table.seats, max_actions=table.max_actions)
        self.env.reset(seed=seed)

    def step(self, code: int) -> tuple[list[float], bool, bool]:
        """Step; then begin the next game if this one is over. Return rewards and both kinds of end."""
        env = self.env
        env.step(code)
        ends = env.terminations[env.agent_selection], env.truncations[env.agent_selection]
        rewards = [env.rewards[agent] for agent in env.possible_agents]
        if any(ends):
            env.reset()
        return rewards, *ends

    def assert_shown(self, shown: BatchStep, row: int) -> None:
        """The row shows what the seat to act sees, and zeros behind it."""
        env = self.env
        seen = env.observe(env.agent_selection)
        size, codes = len(seen["observation"]), len(seen["action_mask"])
        assert shown.to_act[row] == env.position.to_act
        assert shown.observations[row, :size].tobytes() == seen["observation"].tobytes()
        assert shown.masks[row, :codes].tobytes() == seen["action_mask"].tobytes()
        assert not shown.observations[row, size:].any()
        assert not shown.masks[row, codes:].any()


def assert_agrees(rows: int, number: int, seed: int) -> int:
    """Play a batch and environments for single games side by side; count the games that ended."""
    tables = mixed(rows)
    batch = Batch(tables, seed=seed, shuffle="published")
    twins = [Twin(table, seed + row) for row, table in enumerate(tables)]
    chance = np.random.default_rng(seed)
    ended = 0
    for _ in range(number):
        for row, twin in enumerate(twins):
            twin.assert_shown(batch.shown, row)
        codes = any_legal(batch.shown.masks, chance)
        shown = batch.step(codes)
        for row, twin in enumerate(twins):
            rewards, terminated, truncated = twin.step(int(codes[row]))
            assert shown.rewards[row, : len(rewards)].tolist() == rewards
            assert (shown.terminated[row], shown.truncated[row]) == (terminated, truncated)
            assert (row in batch.endings) == (terminated or truncated)
            ended += terminated or truncated
    return ended


def test_a_batch_agrees_with_the_environment_for_one_game() -> None:
    assert assert_agrees(rows=6, number=450, seed=1672) > 20


@pytest.mark.long
def test_it_agrees_for_a_hundred_thousand_steps() -> None:
    assert assert_agrees(rows=50, number=2000, seed=1697) > 500


def test_the_last_moment_of_a_game_is_what_its_seats_saw() -> None:
    table = BatchTable("nest", 3)
    batch = Batch([table], seed=5, shuffle="published")
    env = cartagena_v0.raw_env("nest", 3)
    env.reset(seed=5)
    for _ in steps(batch, 2000):
        if batch.endings:
            break
        env.step(batch._games.games[0].codes()[-1])
    ending = batch.endings[0]
    assert ending.winner is not None
    assert batch.shown.rewards[0, ending.winner] == 1
    observation, mask = ending.observe(1)
    assert not mask.any()
    fields = decode(observation, table.fields)
    assert fields["ending"].tolist() == [1, 0, 0]
    assert fields["winner"].tolist() == [int((1 + number) % 3 == ending.winner) for number in range(3)]


# Chance.


def test_a_seed_decides_all_games_and_rows_differ() -> None:
    tables = [BatchTable("jamaica")] * 4
    once, again, other = Batch(tables, seed=1), Batch(tables, seed=1), Batch(tables, seed=9)
    for one, two, three in zip(steps(once, 900), steps(again, 900), steps(other, 900), strict=True):
        assert one.observations.tobytes() == two.observations.tobytes()
        assert one.observations.tobytes() != three.observations.tobytes()
    assert len({row.tobytes() for row in once.reset(seed=1).observations}) == 4


def test_without_a_seed_nobody_knows_the_games() -> None:
    tables = [BatchTable()] * 2
    assert looks(Batch(tables)) != looks(Batch(tables))


def test_a_reset_without_a_seed_begins_the_next_games() -> None:
    batch = Batch([BatchTable()] * 3, seed=1)
    first = looks(batch)
    batch.reset()
    assert looks(batch) != first
    batch.reset(seed=1)
    assert looks(batch) == first


def test_fast_deals_are_as_likely_as_each_other() -> None:
    batch = Batch([BatchTable("tortuga", 4)] * 100, seed=0)
    begins, first_cards = np.zeros(4), np.zeros(6)
    for _ in range(30):
        batch.reset()
        for row in range(100):
            position = batch.position(row)
            begins[position.seat] += 1
            first_cards[position.order[0]] += 1
    # Five standard deviations of 3,000 draws.
    assert np.abs(begins - 750).max() < 5 * np.sqrt(3000 * 3 / 16)
    assert np.abs(first_cards - 500).max() < 5 * np.sqrt(3000 * 5 / 36)


# Ends.


def test_an_illegal_choice_ends_the_game_and_costs_a_point() -> None:
    batch = Batch([BatchTable("jamaica", 3), BatchTable("jamaica", 3)], seed=3)
    seat = int(batch.shown.to_act[0])
    codes = any_legal(batch.shown.masks, np.random.default_rng(1))
    shown = batch.step([END_TURN, codes[1]])
    assert shown.terminated.tolist() == [True, False]
    assert shown.rewards[0].tolist() == [-1.0 if each == seat else 0.0 for each in range(3)]
    assert batch.endings[0].illegal
    assert batch.endings[0].winner is None
    assert shown.masks[0].any()


@pytest.mark.parametrize("code", [-1, 266, 10**6])
def test_a_number_that_is_no_code_is_illegal_too(code: int) -> None:
    batch = Batch([BatchTable()], seed=3)
    assert batch.step([code]).terminated.all()


def test_games_end_in_every_way() -> None:
    quiet = BatchTable("jamaica", 5, {"quiet_rounds": 1})
    batch = Batch([BatchTable(), quiet, BatchTable(max_actions=10)], seed=1)
    found = set()
    for shown in steps(batch, 700):
        for row, ending in batch.endings.items():
            found.add((row, ending.position.ending))
            assert shown.rewards[row].sum() == pytest.approx(0)
    assert {(0, WON), (1, QUIET), (2, 0)} == {each for each in found if each[1] != DEAD}


# Some rows only.


def test_a_step_of_some_rows_leaves_the_others_as_they_were() -> None:
    batch, whole = Batch(mixed(6), seed=2), Batch(mixed(6), seed=2)
    chance = np.random.default_rng(2)
    for _ in range(300):
        codes = any_legal(batch.shown.masks, chance)
        odd = np.flatnonzero(chance.integers(2, size=6))
        rest = np.setdiff1d(np.arange(6), odd)
        before = batch.shown.observations[rest].copy()
        batch.step(codes[odd], odd)
        assert batch.shown.observations[rest].tobytes() == before.tobytes()
        batch.step(codes[rest], rest)
        whole.step(codes)
        assert looks(batch) == looks(whole)


@pytest.mark.parametrize("rows", [[6], [-7]])
def test_a_row_that_is_none_is_refused_before_anything_is_played(rows: list[int]) -> None:
    batch = Batch(mixed(6), seed=2)
    before = looks(batch)
    with pytest.raises(IndexError):
        batch.step([0], rows)
    assert looks(batch) == before


@pytest.mark.parametrize("rows", [[1, 1], [5, -1], [True, False, True]])
def test_a_row_that_is_named_twice_is_refused_before_anything_is_played(rows: list[int]) -> None:
    batch = Batch(mixed(6), seed=2)
    before = looks(batch)
    with pytest.raises(ValueError, match=r"name each row once, not twice: \[[15]\]"):
        batch.step([0] * len(rows), rows)
    assert looks(batch) == before


# Keeping it.


def by_text(batch: Batch) -> Batch:
    """Through its text."""
    return Batch.of_text(batch.text())


def by_pickle(batch: Any) -> Any:
    """Through pickle."""
    return pickle.loads(pickle.dumps(batch))  # noqa: S301 - our own


@pytest.mark.parametrize("twin_of", [copy.deepcopy, by_pickle, by_text])
@pytest.mark.parametrize("shuffle", ["fast", "published"])
def test_a_copy_goes_on_with_the_same_games_and_the_same_chance(twin_of: Any, shuffle: str) -> None:
    batch = Batch(mixed(6), shuffle=shuffle)
    renewals = 0
    for moment in (1, 60, 333):
        list(steps(batch, moment, seed=moment))
        twin = twin_of(batch)
        assert looks(twin) == looks(batch)
        for row in range(6):
            assert same(twin.position(row), batch.position(row))
        for one, other in zip(steps(batch, 400), steps(twin, 400), strict=True):
            assert one.observations.tobytes() == other.observations.tobytes()
            assert one.rewards.tobytes() == other.rewards.tobytes()
            renewals += batch.position(0).renewals
    assert renewals > 0


def changed(**changes: object) -> str:
    """The text of a batch with other parts."""
    return json.dumps({**json.loads(Batch([BatchTable()], seed=1).text()), **changes})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no text", "Expecting value"),
        ("[1]", "no text of a batch"),
        (changed(version=2), "version 2; 1 can be read"),
        (changed(games=[[1, "1", 1]]), "no text of a batch"),
        (changed(games=[[0, "1", 1, 0]]), "go on beyond its end"),
        (changed(shuffle="slow"), "shuffle is fast or published"),
    ],
)
def test_a_wrong_text_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Batch.of_text(text)


# What is refused, and what can be asked.


def test_wrong_choices_are_told_how_to_be_right() -> None:
    with pytest.raises(ValueError, match="2 to 5 seats play, not 6"):
        BatchTable(seats=6)
    with pytest.raises(ValueError, match="max_actions is at least 1"):
        BatchTable(max_actions=0)
    with pytest.raises(OptionError, match="no option is called 'row_lenght'"):
        BatchTable(options={"row_lenght": 12})
    with pytest.raises(ValueError, match="at least one game"):
        Batch([])
    with pytest.raises(ValueError, match="shuffle is fast or published, not 'slow'"):
        Batch([BatchTable()], shuffle="slow")
    with pytest.raises(TypeError, match="actions are whole numbers, not float64"):
        Batch([BatchTable()]).step([1.0])


def test_a_row_can_be_decoded() -> None:
    batch = Batch([BatchTable("nest", 3), BatchTable(seats=5)], seed=1)
    assert len(batch) == 2
    assert batch.decode(0)["pirates"][:, 0].tolist() == [6, 6, 6]
    assert batch.decode(1)["row"].sum() == 12


def test_random_choices_are_legal_and_all_of_them_are_made() -> None:
    batch = Batch([BatchTable("jamaica")] * 400, seed=1)
    shown = batch.shown
    shown.masks[:] = shown.masks[0]
    chosen = any_legal(shown.masks, np.random.default_rng(1))
    assert set(chosen.tolist()) == set(np.flatnonzero(shown.masks[0]).tolist())


def test_a_batch_needs_numpy_and_no_other_library() -> None:
    program = "import sys, cartagena.envs.batch; print('numpy' in sys.modules, 'pettingzoo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.split() == ["True", "False"]
