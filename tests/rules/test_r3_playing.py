"""R3 Playing a card."""

import pytest

from cartagena.rules.happenings import Moved, Played
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import HOME
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import JAMAICA, TORTUGA, Ruleset
from tests.tables import BLUE, RED, hand, letters, places, play, table


@pytest.mark.rule("R3.1")
@pytest.mark.parametrize("start", [0, 1, 2, 35, 36])
def test_a_pirate_at_the_start_or_on_any_space_can_be_played(start: int) -> None:
    position = table(red=[start, 37, 37], hands=("H",))
    assert play("H", start) in legal(position)
    apply(position, play("H", start))
    assert hand(position, RED) == ""


@pytest.mark.rule("R3.1")
@pytest.mark.parametrize("card", "BDHKPS")
def test_a_card_must_be_in_the_hand(card: str) -> None:
    others = "BDHKPS".replace(card, "")
    position = table(hands=(others, card))
    assert refusal(position, play(card, 0)) is Refusal.CARD_NOT_HELD
    assert legal(position) == [play(other, 0) for other in others]


@pytest.mark.rule("R3.1")
@pytest.mark.parametrize("start", [1, 36])
def test_a_pirate_must_stand_there_and_be_of_ones_own_crew(start: int) -> None:
    position = table(blue=[start], hands=("B",))
    assert refusal(position, play("B", start)) is Refusal.NO_PIRATE_THERE
    assert legal(position) == [play("B", 0)]


@pytest.mark.rule("R3.1")
def test_nobody_can_be_played_from_an_empty_start() -> None:
    position = table(red="123", hands=("B",))
    assert refusal(position, play("B", 0)) is Refusal.NO_PIRATE_THERE
    assert play("B", 0) not in legal(position)


@pytest.mark.rule("R3.1")
def test_a_pirate_in_the_sloop_cannot_be_played() -> None:
    position = table(red="> 3", hands=("B",))
    assert refusal(position, play("B", HOME)) is Refusal.PIRATE_IS_HOME
    assert legal(position) == [play("B", 0)]


@pytest.mark.rule("R3.2")
@pytest.mark.parametrize("ruleset", [JAMAICA, TORTUGA], ids=str)
def test_the_card_leaves_the_hand_for_the_top_of_the_discard(ruleset: Ruleset) -> None:
    position = table(ruleset, hands=("BKKS", "K"), discard="DD")
    apply(position, play("K", 0))
    assert (hand(position, RED), hand(position, BLUE)) == ("BKS", "K")
    assert letters(position.discard) == "DDK"


@pytest.mark.rule("R3.2")
def test_the_card_lies_there_before_the_pirate_moves() -> None:
    position = table(blue="..1", hands=("", "P"), seat=BLUE)
    assert apply(position, play("P", 3)) == [Played(BLUE, 4), Moved(BLUE, BLUE, 3, 5)]


@pytest.mark.rule("R3.3")
@pytest.mark.parametrize(
    ("card", "start", "target"),
    [
        ("B", 0, 1),
        ("S", 0, 6),
        ("B", 1, 7),
        ("B", 6, 7),
        ("D", 1, 2),
        ("K", 15, 16),
        ("S", 35, 36),
        ("B", 30, 31),
    ],
)
def test_the_pirate_goes_to_the_nearest_space_ahead_that_shows_the_sign(
    card: str, start: int, target: int
) -> None:
    position = table(red=[start], hands=(card,))
    apply(position, play(card, start))
    assert places(position, RED)[-1] == target
    assert places(position, RED)[:-1] == [0] * 5


@pytest.mark.rule("R3.3")
def test_the_board_says_which_space_that_is() -> None:
    position = table(JAMAICA, "SPKHDB|DSBPKH", red="1", hands=("BDD",))
    apply(position, play("B", 0))
    apply(position, play("D", 1))
    apply(position, play("D", 5))
    assert places(position, RED) == [0, 0, 0, 0, 6, 7]


@pytest.mark.rule("R3.3")
def test_ones_own_space_is_never_ahead() -> None:
    position = table(red="......1", hands=("B",))
    apply(position, play("B", 7))
    assert places(position, RED)[-1] == 13


@pytest.mark.rule("R3.3")
def test_an_empty_space_behind_is_of_no_use() -> None:
    position = table(red=[32], hands=("B",))
    apply(position, play("B", 32))
    assert places(position, RED)[-1] == HOME


@pytest.mark.rule("R3.4")
@pytest.mark.parametrize(
    ("red", "blue"),
    [("1", ""), ("2", ""), ("3", ""), ("", "1"), ("", "2"), ("", "3"), ("1", "1"), ("1", "2")],
)
def test_an_occupied_space_is_passed_whoever_stands_there(red: str, blue: str) -> None:
    position = table(red=red, blue=blue, hands=("B",))
    apply(position, play("B", 0))
    assert places(position, RED)[-1] == 7


@pytest.mark.rule("R3.4")
def test_many_occupied_spaces_are_passed_and_other_signs_do_not_matter() -> None:
    position = table(red="1.1.1.1", blue="11.1..1.1...1", hands=("B",))
    apply(position, play("B", 0))
    assert places(position, RED) == [0, 1, 3, 5, 7, 19]


@pytest.mark.rule("R3.4")
def test_a_space_that_was_left_is_empty_again() -> None:
    position = table(red="1.....2", hands=("BBB",))
    apply(position, play("B", 7))
    apply(position, play("B", 7))
    apply(position, play("B", 1))
    assert places(position, RED) == [0, 0, 0, 7, 13, 19]


@pytest.mark.rule("R3.5")
def test_without_a_space_of_the_sign_ahead_the_pirate_boards_the_sloop() -> None:
    position = table(red=[31], hands=("B",))
    assert apply(position, play("B", 31)) == [Played(RED, 0), Moved(RED, RED, 31, HOME)]
    assert position.crews[RED].home == 1
    assert position.crowd.first == 0


@pytest.mark.rule("R3.5")
def test_when_all_spaces_of_the_sign_are_taken_a_pirate_boards_even_from_the_start() -> None:
    position = table(red=[1, 7, 13], blue=[19, 25, 31], hands=("B",))
    apply(position, play("B", 0))
    assert places(position, RED) == [0, 0, 1, 7, 13, 37]


@pytest.mark.rule("R3.5")
def test_while_one_such_space_is_empty_nobody_boards() -> None:
    position = table(red=[1, 7, 13], blue=[19, 25], hands=("B",))
    apply(position, play("B", 0))
    assert places(position, RED) == [0, 0, 1, 7, 13, 31]
