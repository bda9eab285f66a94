"""R12 Sailing and the captain: the captain and the free crossing."""

import pytest

from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, SAIL
from cartagena.rules.explain import explain
from cartagena.rules.happenings import Passed, Sailed, TurnEnded
from cartagena.rules.laws import same
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import SLOOP
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import PIRATES_NEST
from cartagena.rules.undoable_game import UndoableGame
from tests.tables import BLUE, RED, YELLOW, nest_place, nest_table, places, play, push

FAR = "35 nest nest nest nest nest"
NEST_CROSSING = [SAIL, CAPTAIN_SAIL]
NO_PRECONDITION = PIRATES_NEST.with_options(captain_needs_precondition=False)
NEEDS_NOBODY = PIRATES_NEST.with_options(captain_needs_aboard=False)


def crossings(position: Position) -> list[int]:
    """The crossings that are legal now."""
    return [code for code in legal(position) if code in NEST_CROSSING]


# The captain.


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(
    ("red", "blue", "yellow", "captain"),
    [(1, 0, 0, True), (1, 1, 1, True), (2, 1, 1, True), (1, 2, 0, False), (1, 0, 2, False), (3, 3, 3, True)],
)
def test_a_captain_has_at_least_as_many_aboard_as_each_other_seat(
    red: int, blue: int, yellow: int, *, captain: bool
) -> None:
    crews = ["sloop " * aboard for aboard in (red, blue, yellow)]
    position = nest_table(red=crews[0], blue=crews[1], yellow=crews[2])
    assert (CAPTAIN_SAIL in legal(position)) == captain
    assert refusal(position, CAPTAIN_SAIL) is (None if captain else Refusal.NOT_CAPTAIN)


@pytest.mark.rule("R12.7")
def test_a_captain_is_compared_with_each_other_seat_not_with_all_together() -> None:
    position = nest_table(red="sloop sloop", blue="sloop sloop", yellow="sloop")
    assert refusal(position, CAPTAIN_SAIL) is None


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("dock", [1, 2])
def test_the_dock_does_not_matter_for_the_captain(dock: int) -> None:
    position = nest_table(red="sloop", dock=dock)
    assert CAPTAIN_SAIL in legal(position)
    assert explain(position, CAPTAIN_SAIL).dock == 3 - dock


@pytest.mark.rule("R12.7")
def test_the_beginning_of_the_turn_decides_who_is_captain() -> None:
    position = nest_table(red="3 sloop", blue="sloop sloop", seat=RED)
    apply(position, push(BLUE, "start"))
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE)]
    assert CAPTAIN_SAIL in legal(position)
    apply(position, SAIL)
    apply(position, END_TURN)
    assert not position.crossing_open
    assert refusal(position, CAPTAIN_SAIL) is Refusal.NOT_CAPTAIN


@pytest.mark.rule("R12.8")
def test_a_seat_with_nobody_aboard_is_not_captain_unless_the_option_is_false() -> None:
    assert refusal(nest_table(dock=2), CAPTAIN_SAIL) is Refusal.NOT_CAPTAIN
    for seat in (RED, BLUE):
        assert refusal(nest_table(NEEDS_NOBODY, dock=2, seat=seat), CAPTAIN_SAIL) is None


@pytest.mark.rule("R12.8")
def test_without_the_need_to_be_aboard_nobody_may_have_more() -> None:
    position = nest_table(NEEDS_NOBODY, blue="sloop", dock=2)
    assert refusal(position, CAPTAIN_SAIL) is Refusal.NOT_CAPTAIN
    assert not position.crossing_open


@pytest.mark.rule("R12.8")
def test_the_next_seat_too_is_captain_beside_an_empty_sloop() -> None:
    position = nest_table(NEEDS_NOBODY, red="3", hands=("map", ""), dock=2)
    apply(position, play("map", "start"))
    apply(position, END_TURN)
    assert CAPTAIN_SAIL in legal(position)
    assert apply(position, CAPTAIN_SAIL) == [Sailed(BLUE, 1, free=True)]


# The free crossing.


@pytest.mark.rule("R12.9")
def test_a_free_crossing_counts_as_no_action() -> None:
    position = nest_table(red="sloop")
    assert apply(position, CAPTAIN_SAIL) == [Sailed(RED, 2, free=True)]
    assert (position.actions_used, position.dock, position.to_act) == (0, 2, RED)
    for dock in (1, 2, 1):
        apply(position, SAIL)
        assert position.dock == dock


@pytest.mark.rule("R12.9")
def test_a_captain_need_not_cross() -> None:
    position = nest_table(red="sloop", hands=("map", ""))
    apply(position, play("map", "start"))
    assert position.dock == 1
    assert legal(position)[0] == END_TURN


@pytest.mark.rule("R12.10")
@pytest.mark.parametrize("code", [SAIL, play("map", "start"), push(BLUE, "start")])
def test_after_the_first_action_there_is_no_free_crossing(code: int) -> None:
    position = nest_table(red="sloop", hands=("map", ""))
    apply(position, code)
    assert refusal(position, CAPTAIN_SAIL) is Refusal.CROSSING_CLOSED
    assert CAPTAIN_SAIL not in legal(position)
    assert not position.crossing_open


@pytest.mark.rule("R12.10")
def test_after_one_free_crossing_there_is_no_other() -> None:
    position = nest_table(red="sloop")
    apply(position, CAPTAIN_SAIL)
    assert refusal(position, CAPTAIN_SAIL) is Refusal.CROSSING_CLOSED
    assert CAPTAIN_SAIL not in legal(position)
    assert Refusal.CROSSING_CLOSED.rule == "R12.10"


@pytest.mark.rule("R12.10")
def test_to_become_captain_in_mid_turn_gives_nothing() -> None:
    position = nest_table(red="14", hands=("map", ""))
    assert refusal(position, CAPTAIN_SAIL) is Refusal.NOT_CAPTAIN
    apply(position, play("map", "14"))
    assert position.crews[RED].aboard == 1
    assert refusal(position, CAPTAIN_SAIL) is Refusal.CROSSING_CLOSED


@pytest.mark.rule("R12.10")
def test_who_is_not_captain_after_an_action_hears_that_it_is_too_late() -> None:
    position = nest_table(hands=("map", ""))
    apply(position, play("map", "start"))
    assert refusal(position, CAPTAIN_SAIL) is Refusal.CROSSING_CLOSED


@pytest.mark.rule("R12.10")
def test_the_next_turn_opens_the_crossing_again() -> None:
    position = nest_table(red="sloop", blue="sloop")
    apply(position, CAPTAIN_SAIL)
    apply(position, SAIL)
    apply(position, END_TURN)
    assert CAPTAIN_SAIL in legal(position)


@pytest.mark.rule("R12.11")
def test_a_free_crossing_needs_what_a_sail_needs() -> None:
    back = nest_table(red="sloop 20 20 20 nest nest", dock=2)
    assert back.crossing_open
    assert refusal(back, CAPTAIN_SAIL) is Refusal.NOBODY_ON_ISLAND_ONE
    assert CAPTAIN_SAIL not in legal(back)
    over = nest_table(NEEDS_NOBODY, red="14", dock=1)
    assert over.crossing_open
    assert refusal(over, CAPTAIN_SAIL) is Refusal.NOBODY_ABOARD


@pytest.mark.rule("R12.11")
def test_without_precondition_a_captain_crosses_freely_but_pays_as_before() -> None:
    position = nest_table(NO_PRECONDITION, red="sloop 20 20 20 nest nest", dock=2)
    assert crossings(position) == [CAPTAIN_SAIL]
    assert refusal(position, SAIL) is Refusal.NOBODY_ON_ISLAND_ONE
    assert apply(position, CAPTAIN_SAIL) == [Sailed(RED, 1, free=True)]


@pytest.mark.rule("R12.11")
def test_without_precondition_only_a_captain_crosses() -> None:
    position = nest_table(NO_PRECONDITION, red="20 20 20 nest nest nest", blue="sloop", dock=2)
    assert refusal(position, CAPTAIN_SAIL) is Refusal.NOT_CAPTAIN


@pytest.mark.rule("R12.11")
def test_with_neither_need_the_sloop_leaves_dock_one_empty() -> None:
    ruleset = NO_PRECONDITION.with_options(captain_needs_aboard=False)
    position = nest_table(ruleset, dock=1)
    assert crossings(position) == [CAPTAIN_SAIL]


@pytest.mark.rule("R12.12")
def test_a_free_crossing_does_not_replace_the_action_of_the_turn() -> None:
    position = nest_table(red="sloop")
    apply(position, CAPTAIN_SAIL)
    assert refusal(position, END_TURN) is Refusal.MUST_ACT
    assert END_TURN not in legal(position)


@pytest.mark.rule("R12.12")
def test_a_seat_without_an_action_after_its_free_crossing_passes() -> None:
    position = nest_table(red="sloop 20 20 nest nest nest", blue=FAR, dock=1)
    assert legal(position) == [SAIL, CAPTAIN_SAIL]
    apply(position, CAPTAIN_SAIL)
    assert legal(position) == [END_TURN]
    assert apply(position, END_TURN)[0] == Passed(RED, forced=True)


@pytest.mark.rule("R12.12")
def test_a_seat_that_may_still_cross_is_not_forced_to_pass() -> None:
    for ruleset, next_choices in (
        (NO_PRECONDITION, (BLUE, [END_TURN, CAPTAIN_SAIL])),
        (PIRATES_NEST, (RED, [play("map", "33"), push(BLUE, "sloop"), push(BLUE, "20")])),
    ):
        position = nest_table(
            ruleset,
            red="28 nest nest nest nest nest",
            blue="20 20 sloop nest nest nest",
            hands=("map map", ""),
            dock=2,
        )
        apply(position, play("map", "28"))
        apply(position, END_TURN)
        assert (position.to_act, legal(position)) == next_choices


@pytest.mark.rule("R2.13")
@pytest.mark.rule("R12.12")
def test_nobody_who_could_cross_for_free_is_told_to_be_forced_to_pass() -> None:
    position = nest_table(NO_PRECONDITION, red=FAR, blue="sloop 35 nest nest nest nest", dock=2, seat=BLUE)
    assert legal(position) == [END_TURN, CAPTAIN_SAIL]
    assert apply(position, END_TURN)[0] == Passed(BLUE, forced=False)


@pytest.mark.rule("R12.12")
def test_after_a_free_crossing_the_turn_does_not_end_by_itself() -> None:
    position = nest_table(red="sloop 20 20 nest nest nest", blue=FAR, dock=1)
    assert apply(position, CAPTAIN_SAIL) == [Sailed(RED, 2, free=True)]
    assert (position.to_act, legal(position)) == (RED, [END_TURN])


# Undo.


def test_a_crossing_can_be_taken_back_and_opens_the_free_one_again() -> None:
    position = nest_table(red="sloop")
    game = UndoableGame(position)
    game.act(CAPTAIN_SAIL, list)
    game.act(SAIL, list)
    game.undo()
    assert (game.position.dock, game.position.actions_used) == (2, 0)
    game.undo()
    assert same(game.position, position)
    assert game.position.crossing_open


def test_five_crews_travel_and_only_the_largest_have_a_captain() -> None:
    position = nest_table(
        red="sloop sloop", blue="sloop", yellow="sloop sloop", green="", violet="sloop", seat=YELLOW
    )
    assert CAPTAIN_SAIL in legal(position)
    apply(position, CAPTAIN_SAIL)
    assert [places(position, seat).count(SLOOP) for seat in range(5)] == [2, 1, 2, 0, 1]
    assert nest_place("sloop") == SLOOP
