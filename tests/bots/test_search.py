"""The search: it sees what wins, what the next seat would do, and when there is nothing left to decide."""

from collections.abc import Sequence
from random import Random

import pytest

from cartagena.bots.evaluation.incremental import VICTORY
from cartagena.bots.evaluation.linear import Worth
from cartagena.bots.players.simple import sailors_habits, sailors_worth
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import Survey
from cartagena.bots.search.uct import Search, odds_to_chance
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.legality import advance
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame
from tests.tables import play, table

ALL_HOME_BUT_ONE = [36, 37, 37, 37, 37, 37]


def softened() -> Worth:
    """The yardstick's weights, as logarithms of odds."""
    return Worth([0.04 * weight for weight in sailors_worth(ESCAPE).weights])


def begun(worlds: Sequence[Position], explore: float = 0.2, *, habits: bool = False) -> Search:
    """A search that has its plans but has tried none."""
    search = Search(
        Survey(softened(), width=6, margin=1e9, beam=4),
        explore=explore,
        dice=Dice(1),
        habits=sailors_habits(ESCAPE, 4) if habits else None,
    )
    search.begin(list(worlds), Survey(softened(), width=6, margin=1e9, beam=0))
    return search


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_simulation_is_counted_and_every_chance_is_one(ruleset: Ruleset, seats: int) -> None:
    truth = midgame(ruleset, seats, 3)
    worlds = Worlds(view(truth, truth.to_act))
    search = begun([worlds.draw(Random(seed)) for seed in range(3)])
    search.simulate(30)
    assert search.visits == 30 == sum(branch.visits for branch in search.branches)
    for number, branch in enumerate(search.branches):
        if branch.visits:
            assert sum(search.chances(number)) == pytest.approx(1)
    advance(truth, search.branches[search.favourite()].plan.codes()[0])


def test_a_win_at_hand_is_taken() -> None:
    position = table(TORTUGA, row="K" * 12, red=ALL_HOME_BUT_ONE, blue=ALL_HOME_BUT_ONE, hands=("B", "B"))
    search = begun([position])
    search.simulate(10)
    favourite = search.favourite()
    assert search.branches[favourite].plan.codes() == [play("B", 36)]
    assert search.chances(favourite) == [1.0, 0.0]


def test_what_the_next_seat_will_do_is_seen() -> None:
    position = table(TORTUGA, row="K" * 12, red=[35, 35, 35], blue=ALL_HOME_BUT_ONE, hands=("BBB", "B"))
    search = begun([position])
    assert search.branches[0].chance() > 0
    search.simulate(12)
    assert search.chances(search.favourite()) == [0.0, 1.0]


def test_nothing_is_left_to_decide_when_there_is_one_plan_or_one_is_far_ahead() -> None:
    only = table(TORTUGA, row="K" * 12, red=[0] * 6, hands=("", "B"))
    assert begun([only]).decided(1000)
    search = begun([midgame(TORTUGA, 2, 1)])
    assert not search.decided(10)
    for _ in range(6):
        search.try_plan(2)
    assert search.favourite() == 2
    assert search.decided(10)
    assert not search.decided(13)


def test_curiosity_spreads_the_tries() -> None:
    spread = []
    for explore in (0.0, 5.0):
        search = begun([midgame(TORTUGA, 2, 1)], explore)
        search.simulate(40)
        spread.append(max(branch.visits for branch in search.branches))
    assert spread[1] < spread[0]
    assert spread[1] <= 40 // 6 + 3


@pytest.mark.sampled
def test_the_others_follow_their_habits_half_of_the_time() -> None:
    position = midgame(TORTUGA, 3, 1)
    search = begun([position], habits=True)
    for _ in range(200):
        search.try_plan(0)
    answer = search.roots[0].branches[0].node
    assert answer is not None
    assert answer.habit is not None
    assert answer.habit.plan.codes() == sailors_habits(ESCAPE, 4).look(answer.position)[0].codes()
    assert 70 < answer.habit.visits < 130
    assert answer.habit.visits + sum(branch.visits for branch in answer.branches) == 199


def test_whoever_searches_has_no_habit() -> None:
    position = table(TORTUGA, row="K" * 12, red=[9], blue=[3], hands=("BDH", "B"))
    search = begun([position], habits=True)
    search.simulate(60)
    answers = [branch.node for branch in search.roots[0].branches if branch.node is not None]
    assert all((node.habit is None) == (node.seat == 0) for node in answers)
    own = [
        branch.node
        for node in answers
        for branch in node.branches
        if branch.node is not None and branch.node.seat == 0
    ]
    assert own
    assert all(node.habit is None for node in own)


def test_odds_are_chances() -> None:
    assert odds_to_chance(0.0) == 0.5
    assert odds_to_chance(VICTORY) == 1.0
    assert odds_to_chance(-20.0) == pytest.approx(0, abs=1e-6)
