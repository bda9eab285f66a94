"""Hints: the best decision of a seat and its alternatives, from nothing but its view."""

from random import Random

import pytest

from cartagena.bots.analysis.comparison import Hint, hint
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame
from tests.bots.test_no_truth import STORIES, twins
from tests.tables import BLUE, RED, play, table

ALL_HOME_BUT_ONE = [36, 37, 37, 37, 37, 37]


def hinted(position: Position, seed: int = 1) -> Hint:
    """A quick hint for the seat to act."""
    return hint(view(position, position.to_act), chance=Random(seed), simulations=16)


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seats", [2, 5])
def test_a_hint_tells_the_chances_of_all_seats_with_its_plans_best_first(
    ruleset: Ruleset, seats: int
) -> None:
    position = midgame(ruleset, seats, 3)
    seat = position.to_act
    given = hinted(position)
    plans = [given.best, *given.alternatives]
    assert 2 <= len(plans) <= 4
    assert all(sum(plan.chances) == pytest.approx(1) for plan in plans)
    assert all(len(plan.chances) == seats for plan in plans)
    chances = [plan.chances[seat] for plan in plans]
    assert chances == sorted(chances, reverse=True)
    for plan in plans:
        after = position.copy()
        for code in plan.codes:
            advance(after, code)


def test_a_win_at_hand_is_seen() -> None:
    position = table(TORTUGA, row="K" * 12, red=ALL_HOME_BUT_ONE, blue=ALL_HOME_BUT_ONE, hands=("B", "B"))
    given = hinted(position)
    assert given.best.codes == (play("B", 36),)
    assert given.best.chances == (1.0, 0.0)


def test_a_plan_stops_where_its_seat_learns_something() -> None:
    position = table(JAMAICA, red=[7, 6, 6], blue=[7], hands=("", "B"))
    codes = hinted(position).best.codes
    after = position.copy()
    for code in codes[:-1]:
        assert after.barriers == position.barriers
        advance(after, code)
    assert after.to_act == RED
    advance(after, codes[-1])
    assert after.barriers > position.barriers


def test_a_hint_can_be_had_in_the_middle_of_a_turn_and_where_nothing_can_be_chosen() -> None:
    position = table(TORTUGA, row="K" * 12, red=[0] * 6, hands=("", "B"))
    given = hinted(position)
    assert given.alternatives == ()
    assert sum(given.best.chances) == pytest.approx(1)


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(len(STORIES)))
def test_the_same_view_and_chance_give_the_same_hint_whatever_is_hidden(number: int) -> None:
    truth, others = twins(STORIES[number])
    given = hinted(truth)
    assert all(hinted(twin) == given for twin in others)


def test_nothing_is_hinted_at_when_another_seat_is_to_act() -> None:
    with pytest.raises(ValueError, match="not to act"):
        hint(view(midgame(TORTUGA, 2, 1), None), chance=Random(1))
    position = table(JAMAICA, hands=("B", "B"))
    with pytest.raises(ValueError, match="not to act"):
        hint(view(position, BLUE), chance=Random(1))
