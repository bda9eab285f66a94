"""R5 Drawing cards: a stock that is renewed as soon as it is empty.

Red stands on space 2 and blue on space 1, alone or in a pair: a retreat from 2 draws one card or two.
"""

from random import Random

import pytest

from cartagena.rules.draw import cards_due
from cartagena.rules.happenings import Renewed
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import world
from cartagena.rules.legality import apply, shuffled
from cartagena.rules.position import CHANCE
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA
from tests.rules.test_r5_drawing import BACK, TWELVE, drew, laid
from tests.tables import BLUE, RED, cards, hand, letters, nest_table, play, push, retreat, table

AT_ONCE = JAMAICA.with_options(renewal="when_empty")
ROW_AT_ONCE = TORTUGA.with_options(renewal="when_empty")


@pytest.mark.rule("R5.19")
def test_the_last_card_drawn_renews_the_stock_at_once() -> None:
    position = table(AT_ONCE, red=".1", blue="1", hands=("P",), stock="K", discard="BD", rest="blue")
    apply(position, play("P", 0))
    assert apply(position, retreat(2)) == [BACK, *drew("K")]
    assert (position.to_act, position.owed, cards_due(position)) == (CHANCE, 0, list(cards("BDP")))
    assert shuffled(position, cards("PBD")) == [Renewed(3, None)]
    assert (position.to_act, letters(position.stock()), position.discard) == (RED, "PBD", [])
    assert hand(position, RED) == "K"


@pytest.mark.rule("R5.19")
def test_a_card_that_leaves_another_in_the_stock_renews_nothing() -> None:
    position = table(AT_ONCE, red=".1", blue="1", stock="KS", discard="BD", rest="blue")
    apply(position, retreat(2))
    assert (position.to_act, letters(position.discard)) == (RED, "BD")


@pytest.mark.rule("R5.19")
def test_even_in_the_middle_of_a_draw_it_is_renewed_at_once() -> None:
    position = table(AT_ONCE, red=".1", blue="2", stock="K", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K")]
    assert (position.to_act, position.owed) == (CHANCE, 1)
    assert shuffled(position, cards("DB")) == [Renewed(2, None), *drew("D")]
    assert (position.to_act, letters(position.stock())) == (RED, "B")


@pytest.mark.rule("R5.19")
def test_a_row_that_takes_the_last_card_renews_it_too() -> None:
    position = table(ROW_AT_ONCE, red=".1", blue="1", row="K", stock=TWELVE, discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True), laid(TWELVE)]
    assert (position.to_act, position.laying) == (CHANCE, False)
    assert shuffled(position, cards("DB")) == [Renewed(2, None)]
    assert (letters(position.row()), letters(position.stock())) == (TWELVE, "DB")


@pytest.mark.rule("R5.19")
def test_a_draw_goes_on_from_that_row() -> None:
    position = table(ROW_AT_ONCE, red=".1", blue="2", row="K", stock=TWELVE, discard="BD", rest="blue")
    apply(position, retreat(2))
    assert shuffled(position, cards("DB")) == [Renewed(2, None), *drew("B", from_row=True)]
    assert (position.to_act, letters(position.row())) == (RED, TWELVE[1:])


@pytest.mark.rule("R5.16")
@pytest.mark.rule("R5.19")
def test_a_short_row_stays_short_though_the_stock_is_renewed_at_once() -> None:
    ruleset = ROW_AT_ONCE.with_options(short_row="short")
    position = table(ruleset, red=".1", blue="1", row="K", stock="HS", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True), laid("HS")]
    assert shuffled(position, cards("DB")) == [Renewed(2, None)]
    assert (letters(position.row()), letters(position.stock()), position.to_act) == ("HS", "DB", RED)


@pytest.mark.rule("R5.19")
def test_turned_over_at_once_the_row_keeps_its_cards() -> None:
    ruleset = ROW_AT_ONCE.with_options(reshuffle="turn_over")
    position = table(ruleset, red=".1", blue="1", row="K", stock=TWELVE, discard="DB", rest="blue")
    told = apply(position, retreat(2))
    assert told[2:] == [laid(TWELVE), Renewed(2, cards("DB"))]
    assert (letters(position.row()), letters(position.stock())) == (TWELVE, "DB")


@pytest.mark.rule("R5.10")
@pytest.mark.rule("R5.19")
def test_an_empty_discard_waits_until_a_card_is_needed() -> None:
    position = table(AT_ONCE, red=".11", blue="1", hands=("P",), stock="K", rest="blue")
    apply(position, retreat(2))
    apply(position, play("P", 0))
    assert (position.to_act, letters(position.discard), position.stock()) == (RED, "P", ())
    apply(position, retreat(3))
    assert (position.to_act, cards_due(position)) == (CHANCE, list(cards("P")))


@pytest.mark.rule("R5.19")
def test_in_the_nest_too_it_may_be_renewed_at_once() -> None:
    ruleset = PIRATES_NEST.with_options(renewal="when_empty")
    position = nest_table(ruleset, red="1", blue="14", stock="map", discard="TE map", rest="blue")
    apply(position, push(BLUE, "14"))
    assert (position.to_act, position.owed, cards_due(position)) == (CHANCE, 1, [4, 13])


@pytest.mark.rule("R5.19")
@pytest.mark.parametrize(("short_row", "stock"), [("top_up", TWELVE), ("short", TWELVE), ("short", "HS")])
def test_a_world_drawn_before_the_shuffle_goes_on_alike(short_row: str, stock: str) -> None:
    ruleset = ROW_AT_ONCE.with_options(short_row=short_row)
    position = table(ruleset, red=".1", blue="1", row="K", stock=stock, discard="BD", rest="blue")
    apply(position, retreat(2))
    drawn = world(view(position, RED), Random(1))
    assert shuffled(drawn, cards("DB")) == shuffled(position, cards("DB")) == [Renewed(2, None)]
    assert drawn.row() == position.row() == cards(stock)
