"""R11 Pushing."""

import pytest

from cartagena.rules.board import Board
from cartagena.rules.codes import END_TURN, FIRST_PUSH
from cartagena.rules.explain import explain
from cartagena.rules.happenings import Drew, Moved
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import SLOOP, START
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import PIRATES_NEST
from cartagena.rules.setup import new
from tests.tables import BLUE, GREEN, RED, VIOLET, YELLOW, nest_place, nest_table, places, push

CANNON, CHEST = 0, 1


def pushes(position: Position) -> list[int]:
    """The codes of every legal push."""
    return [code for code in legal(position) if code >= FIRST_PUSH]


# Who may be pushed.


@pytest.mark.rule("R11.1")
def test_a_push_moves_another_crew_and_draws_for_ones_own_without_a_card() -> None:
    position = nest_table(red="4", blue="1", stock="cannon chest")
    assert apply(position, push(BLUE, "1")) == [Moved(RED, BLUE, 1, 4), Drew(RED, CANNON, from_row=False)]
    assert position.crews[RED].cards() == [CANNON]
    assert position.crews[BLUE].cards() == []
    assert position.actions_used == 1


@pytest.mark.rule("R11.1")
def test_ones_own_crew_cannot_be_pushed() -> None:
    position = nest_table(red="1 4", blue="7", seat=BLUE)
    assert refusal(position, push(BLUE, "start")) is Refusal.OWN_PIRATE
    assert refusal(position, push(BLUE, "nest")) is Refusal.OWN_PIRATE
    assert refusal(position, push(RED, "1")) is None
    assert pushes(position) == [push(RED, "start"), push(RED, "1"), push(RED, "4")]


@pytest.mark.rule("R11.1")
def test_a_seat_that_could_only_push_its_own_crew_has_no_action() -> None:
    crews = ("20 21 nest nest nest nest", "35 nest nest nest nest nest")
    assert legal(nest_table(red=crews[0], blue=crews[1], seat=RED)) == [END_TURN]
    assert legal(nest_table(red=crews[0], blue=crews[1], seat=BLUE)) == [push(RED, "20"), push(RED, "21")]


@pytest.mark.rule("R11.1")
@pytest.mark.parametrize("seat", range(5))
def test_every_other_crew_can_be_pushed(seat: int) -> None:
    position = nest_table(violet="", seat=seat)
    assert pushes(position) == [push(crew, "start") for crew in range(5) if crew != seat]


@pytest.mark.rule("R11.1")
def test_a_crew_that_does_not_play_cannot_be_pushed() -> None:
    position = nest_table(yellow="")
    assert refusal(position, push(YELLOW, "start")) is None
    assert refusal(position, push(GREEN, "start")) is Refusal.NO_SUCH_CREW
    assert refusal(position, push(VIOLET, "start")) is Refusal.NO_SUCH_CREW


@pytest.mark.rule("R11.2")
@pytest.mark.parametrize("place", ["start", "1", "13", "sloop", "15", "33"])
def test_a_pirate_at_the_start_on_a_space_or_in_the_sloop_at_dock_two_can_be_pushed(place: str) -> None:
    position = nest_table(red="14 34", blue=place, dock=2)
    assert push(BLUE, place) in legal(position)


@pytest.mark.rule("R11.2")
def test_a_pirate_in_the_sloop_at_dock_one_cannot_be_pushed() -> None:
    position = nest_table(red="14 34", blue="sloop", dock=1)
    assert refusal(position, push(BLUE, "sloop")) is Refusal.SLOOP_NOT_ACROSS
    assert push(BLUE, "sloop") not in legal(position)


@pytest.mark.rule("R11.2")
def test_a_push_needs_a_pirate_of_that_crew_on_the_place() -> None:
    position = nest_table(red="2 14", blue="1 1 1 3 nest nest", yellow="2")
    assert refusal(position, push(BLUE, "2")) is Refusal.NEST_NO_PIRATE_THERE
    assert refusal(position, push(BLUE, "start")) is Refusal.NEST_NO_PIRATE_THERE
    assert refusal(position, push(BLUE, "nest")) is Refusal.NEST_PIRATE_IS_HOME
    assert refusal(position, push(YELLOW, "nest")) is Refusal.NEST_PIRATE_IS_HOME


# Where it goes.


@pytest.mark.rule("R11.3")
@pytest.mark.parametrize(
    ("others", "goal", "cards"),
    [("4", "4", 1), ("4 4", "4", 2), ("4 4 4 6", "6", 1), ("4 4 4 6 6", "6", 2)],
)
def test_it_goes_to_the_nearest_space_with_one_or_two(others: str, goal: str, cards: int) -> None:
    position = nest_table(blue="1", red=others)
    told = apply(position, push(BLUE, "1"))
    assert told[0] == Moved(RED, BLUE, 1, nest_place(goal))
    assert len(told) == 1 + cards


@pytest.mark.rule("R11.3")
def test_company_on_ones_own_space_or_behind_does_not_count() -> None:
    position = nest_table(blue="5 5", red="3 8")
    assert explain(position, push(BLUE, "5")).target == 8
    assert explain(position, push(BLUE, "5")).gains == 1


@pytest.mark.rule("R11.3")
def test_full_spaces_that_are_passed_are_named() -> None:
    position = nest_table(red="3 3 5 8", yellow="3 5", green="5")
    assert explain(position, push(BLUE, "start")).jumped == (3, 5)
    assert explain(position, push(BLUE, "start")).target == 8


@pytest.mark.rule("R11.4")
def test_the_island_of_the_start_is_island_one_and_that_of_the_sloop_island_two() -> None:
    position = nest_table(red="14 15", blue="sloop", dock=2)
    assert explain(position, push(BLUE, "start")).target == nest_place("14")
    assert explain(position, push(BLUE, "sloop")).target == nest_place("15")


@pytest.mark.rule("R11.4")
def test_company_on_the_other_island_is_out_of_reach() -> None:
    from_start = nest_table(red="15 20 35", dock=2)
    assert refusal(from_start, push(BLUE, "start")) is Refusal.NO_PUSH_ABOARD
    from_sloop = nest_table(red="1 9 14", blue="sloop", dock=2)
    assert refusal(from_sloop, push(BLUE, "sloop")) is Refusal.NO_COMPANY_AHEAD
    assert pushes(from_sloop) == [push(BLUE, "start")]


@pytest.mark.rule("R11.5")
@pytest.mark.parametrize("space", ["2", "3", "4", "5", "6", "7", "8"])
def test_the_sign_of_the_space_does_not_matter(space: str) -> None:
    position = nest_table(red=space, blue="1")
    assert explain(position, push(BLUE, "1")).target == int(space)


@pytest.mark.rule("R11.5")
def test_whose_pirates_stand_there_does_not_matter() -> None:
    for red, blue, yellow in (("4", "1", ""), ("", "1 4", ""), ("", "1", "4")):
        position = nest_table(red=red, blue=blue, yellow=yellow)
        assert explain(position, push(BLUE, "1")).target == 4


@pytest.mark.rule("R11.6")
def test_one_pirate_is_never_passed_to_reach_two() -> None:
    position = nest_table(red="4 6 6", blue="1")
    assert apply(position, push(BLUE, "1"))[0] == Moved(RED, BLUE, 1, 4)
    on_two = nest_table(red="17 18 18", blue="15")
    assert apply(on_two, push(BLUE, "15"))[0] == Moved(RED, BLUE, nest_place("15"), nest_place("17"))


# Into the sloop.


@pytest.mark.rule("R11.7")
@pytest.mark.parametrize("aboard", [0, 1, 2])
def test_without_company_ahead_it_is_pushed_into_the_sloop(aboard: int) -> None:
    position = nest_table(red="sloop sloop sloop 2 15", blue="9 " + "sloop " * aboard)
    assert apply(position, push(BLUE, "9"))[0] == Moved(RED, BLUE, 9, SLOOP)
    assert position.crews[BLUE].aboard == aboard + 1
    assert position.crews[RED].aboard == 3


@pytest.mark.rule("R11.7")
def test_full_spaces_ahead_are_passed_on_the_way_to_the_sloop() -> None:
    position = nest_table(red="9 9 9", blue="4")
    assert explain(position, push(BLUE, "4")).target == SLOOP


@pytest.mark.rule("R11.8")
def test_if_the_sloop_is_away_it_cannot_be_pushed() -> None:
    position = nest_table(red="3", blue="9", dock=2)
    assert refusal(position, push(BLUE, "9")) is Refusal.NO_PUSH_ABOARD
    assert pushes(position) == [push(BLUE, "start")]


@pytest.mark.rule("R11.8")
def test_if_three_of_its_crew_are_aboard_it_cannot_be_pushed() -> None:
    position = nest_table(red="3", blue="9 sloop sloop sloop")
    assert refusal(position, push(BLUE, "9")) is Refusal.NO_PUSH_ABOARD
    assert pushes(position) == [push(BLUE, "start")]


@pytest.mark.rule("R11.8")
def test_a_full_sloop_does_not_matter_while_there_is_company_ahead() -> None:
    position = nest_table(blue="9 sloop sloop sloop", yellow="10")
    assert explain(position, push(BLUE, "9")).target == 10


@pytest.mark.rule("R11.8")
def test_the_room_that_counts_is_that_of_the_pushed_crew() -> None:
    position = nest_table(red="sloop sloop sloop", blue="14")
    assert explain(position, push(BLUE, "14")).target == SLOOP


# Never into the nest.


@pytest.mark.rule("R11.9")
@pytest.mark.parametrize("place", ["sloop", "15", "20", "35"])
def test_nobody_is_ever_pushed_into_the_nest(place: str) -> None:
    position = nest_table(red="3", blue=place, dock=2)
    assert refusal(position, push(BLUE, place)) is Refusal.NO_COMPANY_AHEAD
    assert Refusal.NO_COMPANY_AHEAD.rule == "R11.9"
    assert push(BLUE, place) not in legal(position)


@pytest.mark.rule("R11.9")
def test_on_island_two_a_full_space_is_no_company() -> None:
    position = nest_table(red="30 30 30 19", blue="20")
    assert refusal(position, push(BLUE, "20")) is Refusal.NO_COMPANY_AHEAD
    nearer = nest_table(red="30 30 30 19", blue="18")
    assert explain(nearer, push(BLUE, "18")).target == nest_place("19")


@pytest.mark.rule("R11.9")
def test_the_last_space_of_island_two_can_be_reached_by_a_push() -> None:
    position = nest_table(red="35", blue="34")
    assert apply(position, push(BLUE, "34"))[0] == Moved(RED, BLUE, nest_place("34"), nest_place("35"))


# What it brings.


@pytest.mark.rule("R11.10")
@pytest.mark.parametrize(("crowd", "drawn"), [("20", [CANNON]), ("20 20", [CANNON, CHEST])])
def test_it_brings_a_card_for_each_pirate_that_stood_there_before(crowd: str, drawn: list[int]) -> None:
    position = nest_table(blue="sloop", yellow=crowd, dock=2, stock="cannon chest")
    told = apply(position, push(BLUE, "sloop"))
    assert told[1:] == [Drew(RED, card, from_row=False) for card in drawn]
    assert position.crews[RED].cards() == drawn


@pytest.mark.rule("R11.10")
def test_two_pushes_to_one_space_bring_one_card_and_then_two() -> None:
    position = nest_table(red="9", blue="1 2")
    assert explain(position, push(BLUE, "2")).gains == 1
    apply(position, push(BLUE, "2"))
    assert len(apply(position, push(BLUE, "1"))) == 1 + 2
    assert refusal(position, push(BLUE, "start")) is None
    assert explain(position, push(BLUE, "start")).target == SLOOP


@pytest.mark.rule("R11.11")
@pytest.mark.parametrize("aboard", ["", "sloop", "sloop sloop"])
def test_a_push_into_the_sloop_always_brings_two_cards(aboard: str) -> None:
    position = nest_table(red=aboard, blue=aboard, stock="cannon chest")
    assert apply(position, push(BLUE, "start")) == [
        Moved(RED, BLUE, START, SLOOP),
        Drew(RED, CANNON, from_row=False),
        Drew(RED, CHEST, from_row=False),
    ]


def test_in_the_first_turn_a_pirate_is_pushed_from_the_start_into_the_sloop() -> None:
    position = new(PIRATES_NEST, Board.of_pieces([range(7)] * 5), seats=2, order=PIRATES_NEST.deck())
    told = apply(position, push(BLUE, "start"))
    assert told[0] == Moved(RED, BLUE, START, SLOOP)
    assert places(position, BLUE) == [START] * 5 + [SLOOP]
    assert position.crews[RED].hand_size() == 9
