"""R1 Setting up: seats, crews, cards and the first seat."""

from collections import Counter

import pytest

from cartagena.rules.board import (
    Board,
)
from cartagena.rules.places import HOME, START
from cartagena.rules.position import NOBODY, RUNNING, Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import (
    FEWEST_SEATS,
    JAMAICA,
    MOST_SEATS,
    NEST,
    PIRATES_NEST,
    PRESETS,
    TORTUGA,
    Ruleset,
)
from cartagena.rules.setup import new
from tests.tables import (
    RED,
    cards,
    hand,
    nest_board,
    places,
    table,
)

TUNNEL = Board.of_segments(range(6), [False] * 6)
MIXED = [card for turn in range(17) for card in (3, 0, 5, 1, 4, 2)]


def dealt(ruleset: Ruleset, seats: int, first_seat: int = 0) -> Position:
    """A new game whose deck lies sorted, except for the mixed one of Cartagena."""
    in_nest = ruleset.family == NEST
    board, order = (nest_board(()), ruleset.deck()) if in_nest else (TUNNEL, MIXED)
    return new(ruleset, board, seats=seats, order=order, first_seat=first_seat)


# Seats and crews.


@pytest.mark.rule("R1.2")
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_to_five_seats_play(ruleset: Ruleset, seats: int) -> None:
    assert dealt(ruleset, seats).seats == seats


@pytest.mark.rule("R1.2")
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=str)
@pytest.mark.parametrize("seats", [0, 1, 6])
def test_fewer_or_more_seats_do_not(ruleset: Ruleset, seats: int) -> None:
    with pytest.raises(PositionError, match=f"2 to 5 seats play, not {seats}"):
        dealt(ruleset, seats)


@pytest.mark.rule("R1.2")
def test_the_numbers_of_seats_are_public() -> None:
    assert (FEWEST_SEATS, MOST_SEATS) == (2, 5)


@pytest.mark.rule("R1.3")
@pytest.mark.rule("R1.9")
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=str)
def test_each_crew_has_six_pirates_and_all_begin_at_the_start(ruleset: Ruleset) -> None:
    position = dealt(ruleset, 5)
    assert [places(position, seat) for seat in range(5)] == [[START] * 6] * 5
    assert position.crowd.first == 0


@pytest.mark.rule("R1.8")
def test_start_and_sloop_hold_any_number() -> None:
    position = table(red="> 5", blue="> 5", yellow="> 5", green="", violet="")
    assert [places(position, seat).count(HOME) for seat in range(5)] == [5, 5, 5, 0, 0]
    assert [places(position, seat).count(START) for seat in range(5)] == [1, 1, 1, 6, 6]
    assert position.crowd.first == 0


# Cards.


@pytest.mark.rule("R1.10")
def test_the_deck_has_seventeen_cards_of_each_sign() -> None:
    assert Counter(JAMAICA.deck()) == Counter(TORTUGA.deck()) == dict.fromkeys(range(6), 17)


@pytest.mark.rule("R1.12")
def test_each_seat_is_dealt_six_cards_from_the_top() -> None:
    order = cards("BBBBBD" + "DDDDDH" + "HHHHHK") + tuple(MIXED)
    rest = Counter(JAMAICA.deck())
    rest.subtract(order[:18])
    position = new(JAMAICA, TUNNEL, seats=3, order=[*order[:18], *rest.elements()])
    assert [hand(position, seat) for seat in range(3)] == ["BBBBBD", "DDDDDH", "HHHHHK"]


@pytest.mark.rule("R1.12")
def test_in_the_nest_each_seat_is_dealt_seven() -> None:
    position = dealt(PIRATES_NEST, 3)
    assert [crew.cards() for crew in position.crews] == [[0] * 7, [0] * 7, [1] * 7]


@pytest.mark.rule("R1.12")
@pytest.mark.parametrize("order", [MIXED[1:], [*MIXED, 0], [*MIXED[1:], 0], [*MIXED[1:], 6]])
def test_the_shuffled_deck_holds_every_card_once(order: list[int]) -> None:
    with pytest.raises(PositionError, match="every card of the deck exactly once"):
        new(JAMAICA, TUNNEL, seats=2, order=order)


def test_a_ruleset_may_be_named_by_its_key() -> None:
    assert new("tortuga", TUNNEL, seats=2, order=MIXED) == dealt(TORTUGA, 2)
    with pytest.raises(ValueError, match="'chess'; choose one of tortuga, jamaica, nest"):
        new("chess", TUNNEL, seats=2, order=MIXED)


@pytest.mark.rule("R1.13")
def test_in_tortuga_a_row_of_twelve_follows_the_deal() -> None:
    position = dealt(TORTUGA, 2)
    assert position.row() == tuple(MIXED[12:24])
    assert position.stock() == tuple(MIXED[24:])


@pytest.mark.rule("R1.13")
@pytest.mark.parametrize("ruleset", [JAMAICA, PIRATES_NEST], ids=str)
def test_jamaica_and_the_nest_have_no_row(ruleset: Ruleset) -> None:
    assert dealt(ruleset, 2).row() == ()


@pytest.mark.rule("R1.14")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_all_other_cards_are_the_stock_and_the_discard_is_empty(seats: int) -> None:
    jamaica, tortuga, nest = (dealt(ruleset, seats) for ruleset in (JAMAICA, TORTUGA, PIRATES_NEST))
    assert jamaica.stock() == tuple(MIXED[6 * seats :])
    assert tortuga.stock() == tuple(MIXED[6 * seats + 12 :])
    assert nest.stock() == tuple(PIRATES_NEST.deck()[7 * seats :])
    assert [jamaica.stock_size, tortuga.stock_size, nest.stock_size] == [
        102 - 6 * seats,
        90 - 6 * seats,
        105 - 7 * seats,
    ]
    assert (jamaica.row_size, tortuga.row_size) == (0, 12)
    assert jamaica.discard == tortuga.discard == nest.discard == []


# The first seat.


@pytest.mark.rule("R1.15")
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=str)
@pytest.mark.parametrize("seat", range(4))
def test_any_seat_may_be_the_first(ruleset: Ruleset, seat: int) -> None:
    position = dealt(ruleset, 4, first_seat=seat)
    assert position.to_act == position.seat == seat
    assert position.mover is position.crews[seat]


@pytest.mark.rule("R1.15")
def test_the_hands_do_not_depend_on_who_is_first() -> None:
    assert [hand(dealt(JAMAICA, 3, first), RED) for first in range(3)] == ["BDHKPS"] * 3


@pytest.mark.rule("R1.15")
@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_that_does_not_play_cannot_be_the_first(seat: int) -> None:
    with pytest.raises(PositionError, match=f"there is no seat {seat}"):
        dealt(JAMAICA, 4, first_seat=seat)
    with pytest.raises(PositionError, match=f"there is no seat {seat}"):
        table(red="", green="", seat=seat)


def test_a_new_game_has_just_begun() -> None:
    position = dealt(TORTUGA, 2)
    assert (position.turn, position.actions_used, position.last_progress) == (1, 0, 0)
    assert (position.renewals, position.barriers, position.owed) == (0, 0, 0)
    assert (position.ending, position.winner, position.log) == (RUNNING, NOBODY, [])
    assert not any([position.over, position.order_due, position.laying, position.crossing_open])
