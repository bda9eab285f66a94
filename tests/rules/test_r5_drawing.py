"""R5 Drawing cards.

Red stands on space 2 and blue on space 1, alone or in a pair: a retreat from 2 draws one card or two.
"""

import pytest

from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due
from cartagena.rules.happenings import Drew, Happening, Moved, Renewed, RowLaid
from cartagena.rules.legality import apply, legal, shuffled
from cartagena.rules.position import CHANCE
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset
from tests.tables import BLUE, RED, cards, hand, letters, nest_table, play, push, retreat, table, truth

ON_DEMAND = TORTUGA.with_options(row_refill="on_demand")
SHORT = TORTUGA.with_options(short_row="short")
TURN_OVER = JAMAICA.with_options(reshuffle="turn_over")
TWELVE = "BDHKPSBDHKPS"


def drew(text: str, *, from_row: bool = False, turned_over: bool = False, seat: int = RED) -> list[Happening]:
    """What is told when a seat takes these cards."""
    return [Drew(seat, card, from_row, turned_over) for card in cards(text)]


def laid(text: str) -> RowLaid:
    """What is told when these cards are laid in a row."""
    return RowLaid(cards(text))


BACK = Moved(RED, RED, 2, 1)


# How many.


@pytest.mark.rule("R5.1")
@pytest.mark.rule("R5.3")
@pytest.mark.parametrize(("owed", "taken"), [("1", "K"), ("2", "KS")])
def test_cards_are_drawn_one_by_one_from_the_top_of_the_stock(owed: str, taken: str) -> None:
    position = table(red=".1", blue=owed, stock="KSHB")
    assert apply(position, retreat(2)) == [BACK, *drew(taken)]
    assert letters(position.stock()).startswith("KSHB"[len(taken) :])
    assert position.owed == 0


@pytest.mark.rule("R5.1")
@pytest.mark.rule("R5.4")
@pytest.mark.parametrize(("owed", "taken"), [("1", "K"), ("2", "KS")])
def test_with_a_row_they_come_from_its_head(owed: str, taken: str) -> None:
    position = table(TORTUGA, red=".1", blue=owed, row="KSHB", stock="DDD")
    assert apply(position, retreat(2)) == [BACK, *drew(taken, from_row=True)]
    assert letters(position.row()) == "KSHB"[len(taken) :]
    assert letters(position.stock()).startswith("DDD")
    assert hand(position, RED) == taken


@pytest.mark.rule("R5.2")
@pytest.mark.parametrize("ruleset", [JAMAICA, TURN_OVER], ids=["shuffle", "turn over"])
def test_what_cannot_be_drawn_is_lost_and_the_action_stands(ruleset: Ruleset) -> None:
    position = table(ruleset, red=".1", blue="2", stock="K", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K")]
    assert (position.to_act, position.owed, position.actions_used) == (RED, 0, 1)


@pytest.mark.rule("R5.2")
@pytest.mark.parametrize("ruleset", [JAMAICA, TORTUGA, ON_DEMAND, SHORT], ids=str)
def test_the_action_stands_even_if_nothing_can_be_drawn(ruleset: Ruleset) -> None:
    position = table(ruleset, red=".1", blue="2", rest="blue")
    assert retreat(2) in legal(position)
    assert apply(position, retreat(2)) == [BACK]
    assert (position.to_act, position.owed, position.actions_used) == (RED, 0, 1)
    assert not position.laying


@pytest.mark.rule("R5.2")
@pytest.mark.parametrize("ruleset", [TORTUGA, ON_DEMAND], ids=["immediate", "on demand"])
def test_the_last_cards_of_a_row_are_drawn_though_more_are_owed(ruleset: Ruleset) -> None:
    position = table(ruleset, red=".1", blue="2", row="K", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True)]
    assert (position.to_act, position.owed, position.row()) == (RED, 0, ())


@pytest.mark.rule("R5.2")
def test_what_was_lost_is_not_drawn_later() -> None:
    position = table(red=".1", blue="2", hands=("K",), stock="H", rest="blue")
    apply(position, retreat(2))
    apply(position, play("K", 0))
    apply(position, END_TURN)
    assert hand(position, RED) == "H"
    assert position.discard == [3]


@pytest.mark.rule("R5.3")
def test_in_the_nest_too_cards_come_from_the_top_of_the_stock() -> None:
    position = nest_table(red="1", blue="14 14", stock="map MAP te")
    apply(position, push(BLUE, "14"))
    assert position.crews[RED].cards() == [4, 11]


# The row.


@pytest.mark.rule("R5.5")
def test_the_row_keeps_its_order_and_is_never_turned() -> None:
    position = table(TORTUGA, red="111", row="KSHBD")
    taken = [apply(position, retreat(3))[1:], apply(position, retreat(2))[1:]]
    assert taken == [drew("K", from_row=True), drew("S", from_row=True)]
    assert letters(position.row()) == "HBD"


@pytest.mark.rule("R5.5")
@pytest.mark.rule("R5.6")
def test_a_new_row_of_twelve_is_laid_from_the_top_of_the_stock_card_by_card() -> None:
    position = table(TORTUGA, red=".1", blue="1", row="K", stock="SSHDBPKKHDBS" + "PD")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True), laid("SSHDBPKKHDBS")]
    assert letters(position.row()) == "SSHDBPKKHDBS"
    assert letters(position.stock()).startswith("PD")
    assert position.row_size == 12


@pytest.mark.rule("R5.7")
@pytest.mark.parametrize("ruleset", [TORTUGA, ON_DEMAND], ids=["immediate", "on demand"])
def test_a_draw_that_finds_no_row_lays_one_first(ruleset: Ruleset) -> None:
    position = table(ruleset, red=".1", blue="2", stock=TWELVE + "SS")
    assert apply(position, retreat(2)) == [BACK, laid(TWELVE), *drew("BD", from_row=True)]
    assert letters(position.row()) == TWELVE[2:]
    assert letters(position.stock()).startswith("SS")


@pytest.mark.rule("R5.8")
def test_a_new_row_is_laid_the_moment_the_last_card_is_taken() -> None:
    position = table(TORTUGA, red=".1", blue="2", row="KS", stock=TWELVE)
    assert apply(position, retreat(2)) == [BACK, *drew("KS", from_row=True), laid(TWELVE)]


@pytest.mark.rule("R5.8")
def test_even_in_the_middle_of_a_draw() -> None:
    position = table(TORTUGA, red=".1", blue="2", row="K", stock=TWELVE)
    assert apply(position, retreat(2)) == [
        BACK,
        *drew("K", from_row=True),
        laid(TWELVE),
        *drew("B", from_row=True),
    ]
    assert letters(position.row()) == TWELVE[1:]


@pytest.mark.rule("R5.8")
def test_on_demand_the_new_row_waits_for_the_next_draw() -> None:
    position = table(ON_DEMAND, red=".11", blue="1", row="K", stock=TWELVE)
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True)]
    assert position.row() == ()
    assert apply(position, retreat(3)) == [
        Moved(RED, RED, 3, 1),
        laid(TWELVE),
        *drew("BD", from_row=True),
    ]


@pytest.mark.rule("R5.8")
def test_on_demand_the_rest_of_a_draw_is_such_a_next_draw() -> None:
    position = table(ON_DEMAND, red=".1", blue="2", row="K", stock=TWELVE)
    told = apply(position, retreat(2))
    assert told[1:] == [*drew("K", from_row=True), laid(TWELVE), *drew("B", from_row=True)]


@pytest.mark.rule("R5.9")
@pytest.mark.parametrize("ruleset", [TORTUGA, ON_DEMAND], ids=["immediate", "on demand"])
def test_a_row_that_still_holds_a_card_is_never_topped_up(ruleset: Ruleset) -> None:
    position = table(ruleset, red=".1", blue="2", row="KSH", stock=TWELVE)
    apply(position, retreat(2))
    assert letters(position.row()) == "H"


# Renewing the stock.


@pytest.mark.rule("R5.10")
@pytest.mark.rule("R5.12")
@pytest.mark.rule("R5.13")
def test_a_card_from_an_empty_stock_renews_the_whole_discard() -> None:
    position = table(red=".1", blue="1", hands=("PP",), discard="SKBK", rest="blue")
    assert apply(position, retreat(2)) == [BACK]
    assert position.to_act == CHANCE
    assert cards_due(position) == list(cards("BKKS"))
    assert shuffled(position, cards("KSBK")) == [Renewed(4, None), *drew("K")]
    assert (letters(position.stock()), position.discard, position.renewals) == ("SBK", [], 1)
    assert hand(position, RED) == "KPP"
    assert position.to_act == RED


@pytest.mark.rule("R5.10")
def test_in_the_nest_too() -> None:
    position = nest_table(red="1", blue="14", discard="map TE map", rest="blue")
    apply(position, push(BLUE, "14"))
    assert (position.to_act, cards_due(position)) == (CHANCE, [4, 4, 13])
    shuffled(position, [4, 13, 4])
    assert (position.crews[RED].cards(), position.stock()) == ([4, 13], (4,))


@pytest.mark.rule("R5.11")
def test_an_empty_stock_alone_renews_nothing() -> None:
    position = table(red=".1", blue="2", stock="KS", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("KS")]
    assert (position.to_act, position.stock(), letters(position.discard)) == (RED, (), "BD")
    assert cards_due(position) == []


@pytest.mark.rule("R5.11")
def test_with_a_row_neither() -> None:
    position = table(TORTUGA, red=".1", blue="1", row="K", stock=TWELVE, discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True), laid(TWELVE)]
    assert (position.to_act, position.stock(), letters(position.discard)) == (RED, (), "BD")


@pytest.mark.rule("R5.12")
def test_cards_played_earlier_in_the_turn_are_renewed_too() -> None:
    position = table(red=".1", blue="1", hands=("HH",), discard="B", rest="blue")
    apply(position, play("H", 0))
    apply(position, play("H", 3))
    apply(position, retreat(2))
    assert cards_due(position) == list(cards("BHH"))


@pytest.mark.rule("R5.12")
def test_cards_in_the_row_are_not() -> None:
    position = table(TORTUGA, red=".1", blue="1", stock="HS", discard="BD", rest="blue")
    apply(position, retreat(2))
    assert (letters(position.row()), cards_due(position)) == ("HS", [0, 1])
    assert shuffled(position, [1, 0]) == [Renewed(2, None), laid("HSDB"), *drew("H", from_row=True)]
    assert (letters(position.row()), position.stock()) == ("SDB", ())


@pytest.mark.rule("R5.13")
def test_chance_says_the_order_and_the_first_card_lies_on_top() -> None:
    position = table(red=".1", blue="2", discard="BDHKPS", rest="blue")
    apply(position, retreat(2))
    assert shuffled(position, cards("SPKHDB")) == [Renewed(6, None), *drew("SP")]
    assert letters(position.stock()) == "KHDB"


@pytest.mark.rule("R5.14")
def test_turned_over_the_oldest_discard_becomes_the_top_card() -> None:
    position = table(TURN_OVER, red=".1", blue="2", stock="H", discard="SKBD", rest="blue")
    assert apply(position, retreat(2)) == [
        BACK,
        *drew("H"),
        Renewed(4, cards("SKBD")),
        *drew("S", turned_over=True),
    ]
    assert (letters(position.stock()), position.discard, position.renewals) == ("KBD", [], 1)
    assert position.to_act == RED


@pytest.mark.rule("R5.14")
def test_a_row_goes_on_from_the_turned_cards() -> None:
    ruleset = TORTUGA.with_options(reshuffle="turn_over")
    position = table(ruleset, red=".1", blue="1", row="H", stock="PP", discard="SKB", rest="blue")
    assert apply(position, retreat(2)) == [
        BACK,
        *drew("H", from_row=True),
        Renewed(3, cards("SKB")),
        laid("PPSKB"),
    ]


@pytest.mark.rule("R5.14")
def test_in_the_nest_too_the_oldest_comes_first() -> None:
    ruleset = PIRATES_NEST.with_options(reshuffle="turn_over")
    position = nest_table(ruleset, red="1", blue="14", discard="TE map co", rest="blue")
    assert apply(position, push(BLUE, "14"))[1] == Renewed(3, (13, 4, 2))
    assert position.crews[RED].cards() == [4, 13]


# A row with too few cards.


@pytest.mark.rule("R5.15")
def test_when_the_stock_runs_out_the_discard_is_renewed_and_the_laying_goes_on() -> None:
    position = table(TORTUGA, red=".1", blue="1", row="K", stock="HSP", discard="BDBDBDBDBDBD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True)]
    assert (position.to_act, position.laying, letters(position.row())) == (CHANCE, True, "HSP")
    assert shuffled(position, cards("DDDDDDBBBBBB")) == [Renewed(12, None), laid("HSPDDDDDDBBB")]
    assert letters(position.stock()) == "BBB"
    assert (position.to_act, position.laying) == (RED, False)


@pytest.mark.rule("R5.15")
def test_the_row_stays_shorter_only_if_all_cards_are_used_up() -> None:
    position = table(TORTUGA, red=".1", blue="1", row="K", stock="HS", discard="BD", rest="blue")
    apply(position, retreat(2))
    assert shuffled(position, cards("DB"))[-1] == laid("HSDB")
    assert (position.row_size, position.stock(), position.laying) == (4, (), False)


@pytest.mark.rule("R5.15")
def test_without_a_discard_the_row_is_what_the_stock_gives() -> None:
    position = table(TORTUGA, red=".1", blue="1", row="K", stock="HS", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True), laid("HS")]
    assert position.to_act == RED


@pytest.mark.rule("R5.16")
def test_where_rows_may_be_short_the_discard_waits() -> None:
    position = table(SHORT, red=".11", blue="1", row="K", stock="HS", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True), laid("HS")]
    assert (position.to_act, letters(position.discard), position.laying) == (RED, "BD", False)


@pytest.mark.rule("R5.16")
def test_where_rows_may_be_short_one_card_is_enough() -> None:
    position = table(SHORT, red=".1", blue="1", row="K", stock="H", discard="BD", rest="blue")
    assert apply(position, retreat(2))[-1] == laid("H")


@pytest.mark.rule("R5.16")
def test_but_a_row_of_no_card_needs_the_discard() -> None:
    position = table(SHORT, red=".1", blue="1", row="K", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True)]
    assert position.to_act == CHANCE
    assert shuffled(position, cards("DB")) == [Renewed(2, None), laid("DB")]


# An order due in the middle of a draw.


@pytest.mark.rule("R5.17")
def test_an_order_due_between_two_cards_interrupts_the_draw() -> None:
    position = table(red=".1", blue="2", stock="K", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K")]
    assert (position.to_act, position.owed, position.actions_used) == (CHANCE, 1, 1)
    assert shuffled(position, cards("DB")) == [Renewed(2, None), *drew("D")]
    assert (position.to_act, position.owed, position.actions_used) == (RED, 0, 1)


@pytest.mark.rule("R5.17")
def test_with_a_row_too() -> None:
    position = table(TORTUGA, red=".1", blue="2", row="K", discard="BD", rest="blue")
    assert apply(position, retreat(2)) == [BACK, *drew("K", from_row=True)]
    assert (position.to_act, position.owed) == (CHANCE, 1)
    assert shuffled(position, cards("DB")) == [Renewed(2, None), laid("DB"), *drew("D", from_row=True)]
    assert (position.to_act, position.owed, hand(position, RED)) == (RED, 0, "DK")


@pytest.mark.rule("R5.17")
@pytest.mark.parametrize("ruleset", [TORTUGA, ON_DEMAND], ids=["immediate", "on demand"])
def test_two_cards_wait_while_the_first_row_is_laid(ruleset: Ruleset) -> None:
    position = table(ruleset, red=".1", blue="2", stock="K", discard="BDS", rest="blue")
    assert apply(position, retreat(2)) == [BACK]
    assert (position.to_act, position.owed) == (CHANCE, 2)
    told = shuffled(position, cards("DBS"))
    assert told == [Renewed(3, None), laid("KDBS"), *drew("KD", from_row=True)]
    assert (position.to_act, letters(position.row())) == (RED, "BS")


@pytest.mark.rule("R5.17")
def test_the_rest_is_lost_when_even_the_renewed_cards_are_too_few() -> None:
    position = table(ON_DEMAND, red=".1", blue="2", discard="S", rest="blue")
    apply(position, retreat(2))
    assert shuffled(position, cards("S")) == [Renewed(1, None), laid("S"), *drew("S", from_row=True)]
    assert (position.to_act, position.owed) == (RED, 0)


@pytest.mark.rule("R5.17")
@pytest.mark.parametrize("order", ["", "D", "DBB", "BB", "BK"])
def test_an_order_names_exactly_the_cards_that_are_due(order: str) -> None:
    position = table(red=".1", blue="2", stock="K", discard="BD", rest="blue")
    apply(position, retreat(2))
    before = truth(position)
    with pytest.raises(PositionError, match="exactly the cards that are due"):
        shuffled(position, cards(order))
    assert truth(position) == before


@pytest.mark.rule("R5.17")
def test_chance_is_silent_when_no_order_is_due() -> None:
    position = table(discard="BD")
    with pytest.raises(PositionError, match="only when they are"):
        shuffled(position, cards("BD"))
    with pytest.raises(PositionError):
        shuffled(table(), ())


@pytest.mark.rule("R5.18")
def test_a_hand_may_grow_to_any_size() -> None:
    position = table(red=".1", blue="2", rest="red")
    assert position.crews[RED].hand_size() == 102
    position = table(red=".1", blue="2", stock="SS", rest="red")
    apply(position, retreat(2))
    assert hand(position, RED) == "".join(sign * 17 for sign in "BDHKPS")
    assert position.crews[RED].hand_size() == 102
