"""R4 Retreating."""

import pytest

from cartagena.rules.codes import END_TURN, FIRST_DECLINE
from cartagena.rules.families.retreat import refusal_of_retreat
from cartagena.rules.happenings import Drew, Moved
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import HOME, START
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import JAMAICA, TORTUGA
from tests.tables import BLUE, RED, decline, hand, letters, places, play, retreat, table

STAYS_ABOARD = JAMAICA.with_options(retreat_from_sloop=False)


@pytest.mark.rule("R4.1")
def test_a_retreat_moves_back_and_draws_without_a_card() -> None:
    position = table(red="1..1", stock="K", discard="H")
    assert apply(position, retreat(4)) == [Moved(RED, RED, 4, 1), Drew(RED, 3, from_row=False)]
    assert places(position, RED) == [0, 0, 0, 0, 1, 1]
    assert (hand(position, RED), letters(position.discard)) == ("K", "H")


@pytest.mark.rule("R4.1")
def test_only_ones_own_pirates_retreat() -> None:
    position = table(red="1", blue="...1", hands=("B",))
    assert refusal(position, retreat(4)) is Refusal.RETREAT_NO_PIRATE_THERE
    assert retreat(4) not in legal(position)


@pytest.mark.rule("R4.1")
@pytest.mark.parametrize("place", [4, HOME])
def test_nobody_retreats_from_where_nobody_is(place: int) -> None:
    position = table(red="11", blue="> 1", hands=("B",))
    assert refusal(position, retreat(place)) is Refusal.RETREAT_NO_PIRATE_THERE
    assert retreat(place) not in legal(position)


@pytest.mark.rule("R4.2")
@pytest.mark.parametrize(
    ("others", "target"),
    [
        ("1.1....", 3),
        ("1.2....", 3),
        ("1.3....", 1),
        ("1.2.3..", 3),
        ("1....1.", 6),
        ("1.....2", 1),
        ("1......1", 1),
    ],
)
def test_it_goes_to_the_nearest_space_behind_with_one_or_two(others: str, target: int) -> None:
    position = table(red="......1", blue=others, yellow="..........1", hands=("B", "B", "B"))
    apply(position, retreat(7))
    assert places(position, RED) == [0, 0, 0, 0, 0, target]


@pytest.mark.rule("R4.2")
def test_three_of_several_crews_make_a_space_full() -> None:
    position = table(red="1.1..1", blue="..1", yellow="..1", hands=("B", "B", "B"))
    apply(position, retreat(6))
    assert places(position, RED) == [0, 0, 0, 1, 1, 3]


@pytest.mark.rule("R4.2")
def test_a_full_space_that_somebody_left_is_no_longer_full() -> None:
    position = table(red="1.1..1", blue="..2", hands=("S", "B"))
    apply(position, play("S", 3))
    apply(position, retreat(6))
    assert places(position, RED) == [0, 0, 0, 1, 3, 12]


@pytest.mark.rule("R4.3")
def test_ones_own_pirates_are_company() -> None:
    position = table(red="2..1", blue="> 1")
    apply(position, retreat(4))
    assert places(position, RED) == [0, 0, 0, 1, 1, 1]


@pytest.mark.rule("R4.3")
def test_other_crews_pirates_are_company() -> None:
    position = table(red="...1", blue="1", yellow="1")
    apply(position, retreat(4))
    assert places(position, RED) == [0, 0, 0, 0, 0, 1]
    assert position.crews[RED].hand_size() == 2


@pytest.mark.rule("R4.4")
def test_a_single_pirate_is_never_passed_for_a_pair() -> None:
    position = table(red="....1", blue="2.1")
    apply(position, retreat(5))
    assert places(position, RED)[-1] == 3
    assert position.crews[RED].hand_size() == 1


@pytest.mark.rule("R4.4")
def test_nor_a_pair_for_a_single_one() -> None:
    position = table(red="....1", blue="1.2")
    apply(position, retreat(5))
    assert places(position, RED)[-1] == 3
    assert position.crews[RED].hand_size() == 2


@pytest.mark.rule("R4.5")
@pytest.mark.parametrize(("crowd", "drawn"), [("1", "K"), ("2", "KS")])
def test_a_card_is_drawn_for_each_pirate_that_stood_there(crowd: str, drawn: str) -> None:
    position = table(red=".1", blue=crowd, hands=("", "B"), stock="KSH")
    apply(position, retreat(2))
    assert hand(position, RED) == drawn
    assert hand(position, BLUE) == "B"
    assert letters(position.stock()[:1]) == "KSH"[len(drawn)]


@pytest.mark.rule("R4.5")
def test_in_tortuga_too() -> None:
    position = table(TORTUGA, red=".1", blue="2", row="KSHB")
    apply(position, retreat(2))
    assert (hand(position, RED), letters(position.row())) == ("KS", "HB")


@pytest.mark.rule("R4.6")
@pytest.mark.parametrize("others", ["", "3", "...1", "....1", "3....3"])
def test_without_such_a_space_behind_it_a_pirate_cannot_retreat(others: str) -> None:
    position = table(red="...1", blue=others, hands=("B",))
    assert refusal(position, retreat(4)) is Refusal.NO_COMPANY_BEHIND
    assert legal(position) == [play("B", 0), play("B", 4)]


@pytest.mark.rule("R4.6")
def test_company_on_its_own_space_does_not_count() -> None:
    position = table(red="...2", blue="...1", hands=("B",))
    assert refusal(position, retreat(4)) is Refusal.NO_COMPANY_BEHIND


@pytest.mark.rule("R4.6")
def test_each_pirate_looks_back_for_itself() -> None:
    position = table(red=".11.1", blue="3", hands=("", "B"))
    assert legal(position) == [retreat(3), retreat(5)]


@pytest.mark.rule("R4.7")
def test_a_pirate_at_the_start_cannot_retreat() -> None:
    position = table(red="", blue="1", hands=("", "B"))
    assert legal(position) == [END_TURN]
    assert refusal_of_retreat(position, START) is Refusal.NO_RETREAT_FROM_START


@pytest.mark.rule("R4.7")
def test_no_pirate_retreats_to_the_start() -> None:
    position = table(red="1", blue="1", hands=("B", "B"))
    assert refusal(position, retreat(1)) is Refusal.NO_COMPANY_BEHIND
    assert retreat(1) not in legal(position)


@pytest.mark.rule("R4.8")
def test_a_pirate_in_the_sloop_may_retreat() -> None:
    position = table(red="> 2", blue="1..1", stock="KS")
    assert legal(position) == [retreat(HOME)]
    assert apply(position, retreat(HOME)) == [Moved(RED, RED, HOME, 4), Drew(RED, 3, from_row=False)]
    assert places(position, RED) == [0, 0, 0, 0, 4, 37]


@pytest.mark.rule("R4.8")
def test_it_looks_back_from_space_36() -> None:
    position = table(red="> 1", blue=[1, 36])
    apply(position, retreat(HOME))
    assert places(position, RED)[-1] == 36


@pytest.mark.rule("R4.8")
def test_those_aboard_are_no_company() -> None:
    position = table(red="> 2", blue="> 2", hands=("B",))
    assert refusal(position, retreat(HOME)) is Refusal.NO_COMPANY_BEHIND
    assert retreat(HOME) not in legal(position)


@pytest.mark.rule("R4.8")
def test_where_it_may_not_it_stays_aboard() -> None:
    position = table(STAYS_ABOARD, red="> 2", blue="1", hands=("B",))
    assert refusal(position, retreat(HOME)) is Refusal.NO_RETREAT_FROM_SLOOP
    assert legal(position) == [play("B", 0)]


@pytest.mark.rule("R4.8")
def test_where_it_may_not_those_on_spaces_still_may() -> None:
    position = table(STAYS_ABOARD, red="..1 > 2", blue="1")
    assert legal(position) == [retreat(3)]
    assert refusal(position, retreat(3)) is None


@pytest.mark.rule("R4.9")
def test_a_pirate_that_boarded_in_this_turn_may_retreat_in_the_same_turn() -> None:
    position = table(red=[31], blue=[5], hands=("B",))
    apply(position, play("B", 31))
    assert retreat(HOME) in legal(position)
    apply(position, retreat(HOME))
    assert places(position, RED)[-1] == 5
    assert position.crews[RED].home == 0


# Declining the cards.

MAY_DECLINE = JAMAICA.with_options(may_decline=True)


@pytest.mark.rule("R4.10")
@pytest.mark.parametrize("place", [START, 3, 4, HOME])
def test_the_cards_of_a_retreat_are_taken(place: int) -> None:
    position = table(red="1.11 > 1", hands=("B",))
    assert refusal(position, decline(place)) is Refusal.NO_SUCH_ACTION
    assert all(code < FIRST_DECLINE for code in legal(position))


@pytest.mark.rule("R4.5")
@pytest.mark.rule("R4.10")
def test_under_the_option_a_retreat_may_decline_them_all() -> None:
    position = table(MAY_DECLINE, red="...1", blue="2", stock="KS")
    assert apply(position, decline(4)) == [Moved(RED, RED, 4, 1)]
    assert (hand(position, RED), places(position, RED)) == ("", [0, 0, 0, 0, 0, 1])
    assert (position.actions_used, position.barriers, position.to_act) == (1, 0, RED)


@pytest.mark.rule("R4.10")
def test_taken_they_are_taken_all() -> None:
    position = table(MAY_DECLINE, red="...1", blue="2", stock="KS")
    apply(position, retreat(4))
    assert hand(position, RED) == "KS"


@pytest.mark.rule("R4.10")
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (START, Refusal.NO_RETREAT_FROM_START),
        (1, Refusal.NO_COMPANY_BEHIND),
        (3, None),
        (4, Refusal.RETREAT_NO_PIRATE_THERE),
        (HOME, None),
    ],
)
def test_a_pirate_declines_where_it_may_retreat(place: int, reason: Refusal | None) -> None:
    position = table(MAY_DECLINE, red="1.1 > 1")
    assert refusal(position, decline(place)) is reason
    assert (decline(place) in legal(position)) == (reason is None)


@pytest.mark.rule("R4.10")
def test_who_stays_aboard_declines_nothing_there() -> None:
    position = table(MAY_DECLINE.with_options(retreat_from_sloop=False), red="1.1 > 1")
    assert refusal(position, decline(HOME)) is Refusal.NO_RETREAT_FROM_SLOOP
    assert legal(position) == [retreat(3), decline(3)]


@pytest.mark.rule("R4.10")
def test_declining_leaves_the_row_as_it_lies() -> None:
    position = table(TORTUGA.with_options(may_decline=True), red="...1", blue="2", row="K", stock="SS")
    apply(position, decline(4))
    assert (letters(position.row()), hand(position, RED)) == ("K", "")
