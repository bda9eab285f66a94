"""R10 Playing a card in the Nest.

On the drawn board each piece shows cannon, chest, compass, ducats, map, parrot and telescope in this
order, so that the maps are 5, 12, 19, 26 and 33.
"""

import pytest

from cartagena.rules.codes import CODES, END_TURN, FIRST_PLAY, FIRST_PUSH, SAIL
from cartagena.rules.explain import explain
from cartagena.rules.happenings import Moved, Played, Won
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import HOME, SLOOP
from cartagena.rules.position import NOBODY, WON, Position
from cartagena.rules.refusals import IllegalAction, Refusal
from cartagena.rules.ruleset import NEST
from tests.tables import BLUE, RED, YELLOW, nest_place, nest_table, places, play, push

MAP, GOLD_MAP = 4, 11


def target(position: Position, card: str, place: str) -> int | None:
    """Where a play takes the pirate."""
    return explain(position, play(card, place)).target


# What a play needs.


@pytest.mark.rule("R10.1")
@pytest.mark.parametrize("place", ["start", "1", "14", "15", "35"])
def test_a_pirate_at_the_start_or_on_a_space_can_be_played(place: str) -> None:
    position = nest_table(red=place, hands=("map", ""))
    assert play("map", place) in legal(position)


@pytest.mark.rule("R10.1")
def test_a_pirate_in_the_sloop_can_be_played_at_dock_two() -> None:
    position = nest_table(red="sloop", hands=("map", ""), dock=2)
    assert play("map", "sloop") in legal(position)


@pytest.mark.rule("R10.1")
def test_a_play_needs_the_card() -> None:
    position = nest_table(hands=("map", "chest"))
    assert refusal(position, play("chest", "start")) is Refusal.NEST_CARD_NOT_HELD
    assert refusal(position, play("MAP", "start")) is Refusal.NEST_CARD_NOT_HELD


@pytest.mark.rule("R10.1")
@pytest.mark.parametrize("place", ["start", "7", "8", "sloop", "15", "16"])
def test_a_play_needs_a_pirate_of_ones_own_on_the_place(place: str) -> None:
    position = nest_table(
        red="1 1 2 2 nest nest", blue="7 8 sloop 15 16", hands=("map", ""), dock=2, crossing_open=False
    )
    assert refusal(position, play("map", place)) is Refusal.NEST_NO_PIRATE_THERE


@pytest.mark.rule("R10.1")
def test_what_is_not_held_is_said_before_who_is_not_there() -> None:
    position = nest_table(hands=("map", ""))
    assert refusal(position, play("chest", "9")) is Refusal.NEST_CARD_NOT_HELD


@pytest.mark.rule("R10.2")
def test_plain_and_gold_of_one_sign_are_different_choices() -> None:
    position = nest_table(hands=("map MAP", ""))
    plays = [code for code in legal(position) if FIRST_PLAY <= code < FIRST_PUSH]
    assert plays == [play("map", "start"), play("MAP", "start")]


@pytest.mark.rule("R10.2")
@pytest.mark.parametrize(("card", "left"), [("map", [GOLD_MAP]), ("MAP", [MAP])])
def test_the_card_that_is_named_leaves_the_hand(card: str, left: list[int]) -> None:
    position = nest_table(hands=("map MAP", ""))
    apply(position, play(card, "start"))
    assert position.crews[RED].cards() == left
    assert position.discard == [MAP + GOLD_MAP - left[0]]


@pytest.mark.rule("R10.2")
def test_every_card_of_the_hand_is_listed_once_for_each_place() -> None:
    position = nest_table(red="1 1 2", hands=("cannon cannon telescope TELESCOPE CANNON", ""))
    plays = [code for code in legal(position) if FIRST_PLAY <= code < FIRST_PUSH]
    words = ("cannon", "telescope", "CANNON", "TELESCOPE")
    assert plays == [play(card, place) for card in words for place in ("start", "1", "2")]


@pytest.mark.rule("R10.3")
def test_the_card_lies_on_top_of_the_discard_before_the_pirate_moves() -> None:
    position = nest_table(red="3", hands=("map", ""), discard="chest parrot")
    assert apply(position, play("map", "3")) == [Played(RED, MAP), Moved(RED, RED, 3, 5)]
    assert position.discard == [1, 5, MAP]
    assert position.actions_used == 1


# Island one.


@pytest.mark.rule("R10.4")
@pytest.mark.parametrize(("start", "goal"), [("start", 5), ("4", 5), ("5", 12), ("6", 12), ("11", 12)])
def test_a_pirate_goes_to_the_nearest_empty_space_of_the_sign(start: str, goal: int) -> None:
    position = nest_table(red=start, hands=("map", ""))
    assert target(position, "map", start) == goal


@pytest.mark.rule("R10.4")
@pytest.mark.rule("R10.9")
def test_an_occupied_space_of_the_sign_is_passed_whoever_stands_there() -> None:
    for red, blue in (("5", ""), ("", "5"), ("", "5 5 5"), ("5", "5")):
        position = nest_table(red=red, blue=blue, hands=("map", ""))
        assert target(position, "map", "start") == 12
        assert explain(position, play("map", "start")).jumped == (5,)


@pytest.mark.rule("R10.9")
def test_spaces_with_other_signs_are_passed_occupied_or_not() -> None:
    position = nest_table(blue="1 2 2 3 3 3", hands=("map", ""))
    assert target(position, "map", "start") == 5


@pytest.mark.rule("R10.5")
@pytest.mark.parametrize("aboard", [0, 1, 2])
def test_a_pirate_without_a_space_boards_the_sloop(aboard: int) -> None:
    position = nest_table(red="12 " + "sloop " * aboard, blue="sloop sloop sloop", hands=("map", ""))
    told = apply(position, play("map", "12"))
    assert told == [Played(RED, MAP), Moved(RED, RED, 12, SLOOP)]
    assert position.crews[RED].aboard == aboard + 1
    assert position.crowd.first == 0


@pytest.mark.rule("R10.5")
def test_a_pirate_boards_when_every_space_ahead_is_taken() -> None:
    position = nest_table(red="", blue="5 12", hands=("map", ""))
    assert target(position, "map", "start") == SLOOP


@pytest.mark.rule("R10.6")
def test_nobody_boards_a_sloop_that_is_away() -> None:
    position = nest_table(red="12 1", hands=("map", ""), dock=2)
    assert refusal(position, play("map", "12")) is Refusal.SLOOP_AWAY
    # A pirate behind a free map is not stopped by that.
    others = [SAIL, play("map", "start"), play("map", "1")]
    assert [code for code in legal(position) if code < FIRST_PUSH] == others


@pytest.mark.rule("R10.6")
def test_nobody_boards_a_sloop_with_three_of_its_crew() -> None:
    position = nest_table(red="12 1 sloop sloop sloop", hands=("map", ""), crossing_open=False)
    assert refusal(position, play("map", "12")) is Refusal.SLOOP_FULL
    others = [SAIL, play("map", "start"), play("map", "1")]
    assert [code for code in legal(position) if code < FIRST_PUSH] == others


@pytest.mark.rule("R10.6")
def test_a_play_that_is_not_legal_keeps_card_and_pirate() -> None:
    position = nest_table(red="12", hands=("map", ""), dock=2)
    before = (places(position, RED), position.crews[RED].cards(), position.actions_used)
    assert play("map", "12") not in legal(position)
    with pytest.raises(IllegalAction, match=r"R10\.6"):
        apply(position, play("map", "12"))
    assert (places(position, RED), position.crews[RED].cards(), position.actions_used) == before


@pytest.mark.rule("R10.6")
def test_the_pirate_on_the_last_space_of_island_one_depends_on_the_sloop_alone() -> None:
    every = "cannon chest compass ducats map parrot telescope"
    away = nest_table(red="14", hands=(every, ""), dock=2)
    assert [refusal(away, play(card, "14")) for card in every.split()] == [Refusal.SLOOP_AWAY] * 7
    here = nest_table(red="14", hands=(every, ""), dock=1)
    assert {target(here, card, "14") for card in every.split()} == {SLOOP}


# Island two.


GOALS_ON_TWO = [("sloop", "19"), ("15", "19"), ("19", "26"), ("25", "26"), ("26", "33")]


@pytest.mark.rule("R10.7")
@pytest.mark.parametrize(("start", "goal"), GOALS_ON_TWO)
def test_on_island_two_a_pirate_goes_to_the_nearest_empty_space(start: str, goal: str) -> None:
    position = nest_table(red=start, hands=("map", ""), dock=2)
    assert target(position, "map", start) == nest_place(goal)


@pytest.mark.rule("R10.7")
def test_from_the_sloop_the_first_space_of_island_two_is_the_nearest() -> None:
    position = nest_table(red="sloop", hands=("cannon", ""), dock=2)
    assert target(position, "cannon", "sloop") == nest_place("15")


@pytest.mark.rule("R10.7")
@pytest.mark.rule("R10.9")
def test_occupied_spaces_of_island_two_are_passed_too() -> None:
    position = nest_table(red="sloop 26", blue="19 19 19", hands=("map", ""), dock=2)
    assert target(position, "map", "sloop") == nest_place("33")
    assert explain(position, play("map", "sloop")).jumped == (nest_place("19"), nest_place("26"))


@pytest.mark.rule("R10.7")
@pytest.mark.parametrize("dock", [1, 2])
def test_on_island_two_the_dock_does_not_matter(dock: int) -> None:
    position = nest_table(red="20 33 sloop sloop sloop", hands=("map", ""), dock=dock)
    assert target(position, "map", "20") == nest_place("26")
    assert target(position, "map", "33") == HOME


@pytest.mark.rule("R10.8")
@pytest.mark.parametrize("start", ["sloop", "20", "35"])
def test_a_pirate_without_a_space_ahead_enters_the_nest(start: str) -> None:
    position = nest_table(red=start, blue="19 26", yellow="33", hands=("map", "", ""), dock=2)
    told = apply(position, play("map", start))
    assert told == [Played(RED, MAP), Moved(RED, RED, nest_place(start), HOME)]
    assert position.crews[RED].home == 1


@pytest.mark.rule("R10.8")
def test_the_sixth_pirate_in_the_nest_wins() -> None:
    position = nest_table(red="35 nest nest nest nest nest", hands=("map", ""), dock=2)
    told = apply(position, play("map", "35"))
    assert told == [Played(RED, MAP), Moved(RED, RED, nest_place("35"), HOME), Won(RED)]
    assert (position.ending, position.winner, position.to_act) == (WON, RED, NOBODY)
    assert legal(position) == []
    assert {refusal(position, code) for code in range(CODES[NEST])} == {Refusal.GAME_OVER}


# The sea.


@pytest.mark.rule("R10.10")
@pytest.mark.parametrize("dock", [1, 2])
def test_no_play_carries_a_pirate_over_the_sea(dock: int) -> None:
    # The maps of island one are taken and those of island two are free.
    position = nest_table(red="1 14", blue="5 12", hands=("map", ""), dock=dock)
    for start in ("start", "1", "14"):
        reason = refusal(position, play("map", start))
        assert reason is Refusal.SLOOP_AWAY if dock == 2 else reason is None
        assert dock == 2 or target(position, "map", start) == SLOOP


@pytest.mark.rule("R10.10")
def test_no_push_carries_a_pirate_over_the_sea() -> None:
    position = nest_table(blue="14 16 17", yellow="20", dock=2)
    assert refusal(position, push(BLUE, "14")) is Refusal.NO_PUSH_ABOARD
    assert refusal(position, push(YELLOW, "start")) is None
    assert explain(position, push(YELLOW, "start")).target == 14


@pytest.mark.rule("R10.10")
def test_the_sailing_sloop_brings_pirates_over() -> None:
    position = nest_table(red="sloop", hands=("map", ""), dock=1)
    apply(position, SAIL)
    apply(position, play("map", "sloop"))
    assert places(position, RED)[-1] == nest_place("19")


@pytest.mark.rule("R10.11")
def test_a_pirate_in_the_sloop_at_dock_one_can_be_neither_played_nor_pushed() -> None:
    position = nest_table(red="sloop 20", blue="sloop 20", hands=("map", ""), dock=1)
    assert refusal(position, play("map", "sloop")) is Refusal.SLOOP_NOT_ACROSS
    assert refusal(position, push(BLUE, "sloop")) is Refusal.SLOOP_NOT_ACROSS
    assert Refusal.SLOOP_NOT_ACROSS.rule == "R10.11"
    assert play("map", "sloop") not in legal(position)
    assert push(BLUE, "sloop") not in legal(position)


@pytest.mark.rule("R10.11")
@pytest.mark.parametrize("dock", [1, 2])
def test_an_empty_sloop_has_no_pirate_to_play_or_push(dock: int) -> None:
    position = nest_table(red="20", blue="20", hands=("map", ""), dock=dock)
    assert refusal(position, play("map", "sloop")) is Refusal.NEST_NO_PIRATE_THERE
    assert refusal(position, push(BLUE, "sloop")) is Refusal.NEST_NO_PIRATE_THERE


@pytest.mark.rule("R10.12")
@pytest.mark.parametrize("dock", [1, 2])
def test_a_pirate_in_the_nest_never_moves_again(dock: int) -> None:
    position = nest_table(red="nest 20", blue="nest 20", hands=("map", ""), dock=dock)
    assert refusal(position, play("map", "nest")) is Refusal.NEST_PIRATE_IS_HOME
    assert refusal(position, push(BLUE, "nest")) is Refusal.NEST_PIRATE_IS_HOME
    assert play("map", "nest") not in legal(position)
    assert push(BLUE, "nest") not in legal(position)


@pytest.mark.parametrize(
    ("red", "dock"),
    [("", 1), ("sloop sloop sloop 1 1 1", 1), ("14 14 14 13 13 13", 2), ("sloop 35", 2), ("35", 1)],
)
def test_a_seat_with_a_card_has_an_action(red: str, dock: int) -> None:
    position = nest_table(red=red, blue="nest nest nest nest nest 35", hands=("map", ""), dock=dock)
    actions = [code for code in legal(position) if code == SAIL or code >= FIRST_PLAY]
    assert actions
    assert END_TURN not in legal(position)


@pytest.mark.parametrize("code", [17, 37, CODES[NEST], CODES[NEST] + 100, -1])
def test_numbers_between_and_beyond_the_codes_name_nothing(code: int) -> None:
    assert refusal(nest_table(), code) is Refusal.NO_SUCH_ACTION
