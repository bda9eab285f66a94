"""R12 Sailing and the captain: who may sail."""

import pytest

from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, SAIL
from cartagena.rules.explain import explain
from cartagena.rules.happenings import Sailed
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import PIRATES_NEST
from tests.tables import BLUE, RED, nest_table, places, push

NEST_CROSSING = [SAIL, CAPTAIN_SAIL]
START_APART = PIRATES_NEST.with_options(start_is_island1=False)


def crossings(position: Position) -> list[int]:
    """The crossings that are legal now."""
    return [code for code in legal(position) if code in NEST_CROSSING]


# Who may sail.


@pytest.mark.rule("R12.1")
@pytest.mark.parametrize("dock", [1, 2])
def test_a_sail_moves_the_sloop_to_the_other_dock_for_one_action_and_no_card(dock: int) -> None:
    position = nest_table(red="sloop", hands=("map", ""), dock=dock)
    assert explain(position, SAIL).dock == 3 - dock
    assert apply(position, SAIL) == [Sailed(RED, 3 - dock, free=False)]
    assert (position.dock, position.actions_used) == (3 - dock, 1)
    assert position.crews[RED].cards() == [4]
    assert position.discard == []


@pytest.mark.rule("R12.2")
def test_from_dock_one_a_seat_needs_one_of_its_pirates_aboard() -> None:
    assert refusal(nest_table(red="sloop"), SAIL) is None
    alone = nest_table(red="14", blue="sloop sloop sloop")
    assert refusal(alone, SAIL) is Refusal.NOBODY_ABOARD
    assert crossings(alone) == []


@pytest.mark.rule("R12.3")
@pytest.mark.parametrize("place", ["1", "7", "8", "14"])
def test_from_dock_two_a_seat_needs_one_of_its_pirates_on_island_one(place: str) -> None:
    crew = f"{place} nest nest nest nest nest"
    position = nest_table(START_APART, red=crew, dock=2)
    assert crossings(position) == [SAIL]


@pytest.mark.rule("R12.3")
def test_from_dock_two_pirates_elsewhere_do_not_help() -> None:
    position = nest_table(red="sloop sloop 15 35 nest nest", blue="1 14", dock=2)
    assert refusal(position, SAIL) is Refusal.NOBODY_ON_ISLAND_ONE
    assert crossings(position) == []


@pytest.mark.rule("R12.3")
def test_from_dock_two_nobody_need_be_aboard() -> None:
    position = nest_table(red="3", dock=2)
    assert apply(position, SAIL) == [Sailed(RED, 1, free=False)]


@pytest.mark.rule("R12.4")
def test_the_start_counts_as_island_one_unless_the_option_is_false() -> None:
    assert refusal(nest_table(red="20", dock=2), SAIL) is None
    assert refusal(nest_table(START_APART, red="20", dock=2), SAIL) is Refusal.NOBODY_ON_ISLAND_ONE
    assert refusal(nest_table(START_APART, red="1", dock=2), SAIL) is None


@pytest.mark.rule("R12.4")
def test_an_empty_start_is_no_island_one() -> None:
    position = nest_table(red="20 20 20 nest nest nest", dock=2)
    assert refusal(position, SAIL) is Refusal.NOBODY_ON_ISLAND_ONE


@pytest.mark.rule("R12.5")
@pytest.mark.parametrize("dock", [1, 2])
def test_everybody_aboard_travels_with_the_sloop(dock: int) -> None:
    position = nest_table(red="sloop", blue="sloop sloop", yellow="sloop", dock=dock)
    before = [places(position, seat) for seat in range(3)]
    apply(position, SAIL)
    assert [places(position, seat) for seat in range(3)] == before
    assert [crew.aboard for crew in position.crews] == [1, 2, 1]
    # At dock two they can walk on, at dock one they cannot.
    can_walk = refusal(position, push(BLUE, "sloop")) is not Refusal.SLOOP_NOT_ACROSS
    assert can_walk == (dock == 1)


@pytest.mark.rule("R12.5")
def test_from_dock_two_the_sloop_may_sail_empty() -> None:
    position = nest_table(dock=2)
    assert all(crew.aboard == 0 for crew in position.crews)
    assert crossings(position) == [SAIL]


@pytest.mark.rule("R12.6")
def test_a_seat_may_sail_as_often_as_it_has_actions_both_ways() -> None:
    position = nest_table(red="sloop")
    docks = []
    while SAIL in legal(position):
        apply(position, SAIL)
        docks.append(position.dock)
    assert docks == [2, 1, 2]
    assert refusal(position, SAIL) is Refusal.NO_ACTIONS_LEFT
    assert legal(position) == [END_TURN]


@pytest.mark.rule("R12.6")
def test_a_seat_may_sail_after_a_free_crossing() -> None:
    position = nest_table(red="sloop")
    apply(position, CAPTAIN_SAIL)
    assert position.actions_used == 0
    for dock in (1, 2, 1):
        assert apply(position, SAIL) == [Sailed(RED, dock, free=False)]
