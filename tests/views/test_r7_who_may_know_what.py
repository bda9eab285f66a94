"""R7 Who may know what."""

import pytest

from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN
from cartagena.rules.happenings import Drew, Happening, Renewed, RowLaid, Trimmed, TrimShown
from cartagena.rules.hidden.knowledge import UNSEEN, remember
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.legality import apply, legal, shuffled
from cartagena.rules.places import HOME
from cartagena.rules.position import CHANCE, LOG_LAID, LOG_RENEWED, NOBODY, QUIET, RUNNING, WON, Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA
from tests.tables import (
    BLUE,
    GREEN,
    RED,
    VIOLET,
    YELLOW,
    cards,
    nest_place,
    nest_table,
    play,
    push,
    retreat,
    table,
    trim,
)

EVERYBODY = (None, RED, BLUE)
TURNED_OVER = JAMAICA.with_options(reshuffle="turn_over")
EIGHT = "cannon " * 8


def heard(told: list[Happening], seat: int | None) -> list[Happening]:
    """What one audience is told."""
    return [seen(happening, seat) for happening in told]


def drawn(told: list[Happening], seat: int | None) -> list[int | None]:
    """The drawn cards as one audience is told of them."""
    return [happening.card for happening in heard(told, seat) if isinstance(happening, Drew)]


def retreating() -> Position:
    """Jamaica: Red on space 4 may retreat to two pirates of Blue and draw two cards."""
    return table(red="...1", blue="2", hands=("BD", "HKP"), stock="SH")


def trimming() -> Position:
    """The Nest: Red has called the freebooter and owes one card; Blue owes two."""
    position = nest_table(hands=("MAP " + EIGHT, "cannon chest parrot " * 3))
    apply(position, play("MAP", "start"))
    return position


# What lies and stands on the table.


@pytest.mark.rule("R7.1")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_ruleset_board_pirates_and_dock_are_public(seat: int | None) -> None:
    position = nest_table(red="3 3 sloop 20 nest", blue="14", dock=2)
    sight = view(position, seat)
    assert (sight.seat, sight.ruleset, sight.board) == (seat, PIRATES_NEST, position.board)
    assert sight.pirates[RED] == tuple(map(nest_place, ("start", "3", "3", "sloop", "20", "nest")))
    assert sight.pirates[BLUE] == (0, 0, 0, 0, 0, nest_place("14"))
    assert (sight.dock, sight.seats) == (2, 2)
    assert view(nest_table(), seat).dock == 1


@pytest.mark.rule("R7.1")
def test_the_sloop_of_cartagena_is_home() -> None:
    sight = view(table(red="> 2", most_home=(4, 0)), None)
    assert sight.pirates[RED] == (0, 0, 0, 0, 37, 37)
    assert sight.most_home == (4, 0)


@pytest.mark.rule("R7.2")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_who_is_to_act_and_how_far_the_turn_has_gone_is_public(seat: int | None) -> None:
    position = retreating()
    before = view(position, seat)
    assert (before.to_act, before.turn_seat, before.turn, before.actions_used) == (RED, RED, 1, 0)
    apply(position, play("B", 0))
    assert view(position, seat).actions_used == 1
    apply(position, END_TURN)
    after = view(position, seat)
    assert (after.to_act, after.turn_seat, after.turn, after.actions_used) == (BLUE, BLUE, 2, 0)


@pytest.mark.rule("R7.2")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_whether_the_free_crossing_is_open_is_public(seat: int | None) -> None:
    position = nest_table(red="sloop")
    assert view(position, seat).crossing_open
    apply(position, CAPTAIN_SAIL)
    assert not view(position, seat).crossing_open


@pytest.mark.rule("R7.2")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_the_count_of_quiet_turns_is_public(seat: int | None) -> None:
    position = table(JAMAICA.with_options(quiet_rounds=4), turn=8, last_progress=3, hands=("BD", "B"))
    sight = view(position, seat)
    assert (sight.turn, sight.last_progress, sight.quiet_turns) == (8, 3, 4)
    assert view(table(turn=8, last_progress=8), seat).quiet_turns == 0
    apply(position, play("B", 0))
    apply(position, END_TURN)
    assert view(position, seat).quiet_turns == 5


@pytest.mark.rule("R7.2")
def test_the_turn_that_ends_a_quiet_game_counts_too() -> None:
    position = table(JAMAICA.with_options(quiet_rounds=3), turn=8, last_progress=2, hands=("BD", "B"))
    apply(position, play("B", 0))
    assert (view(position, None).quiet_turns, view(position, None).over) == (5, False)
    apply(position, END_TURN)
    ended = view(position, None)
    assert (ended.quiet_turns, ended.over, ended.ending, ended.winner) == (6, True, QUIET, None)


@pytest.mark.rule("R7.2")
def test_everybody_knows_what_chance_is_waited_for() -> None:
    position = table(red="...1", blue="2", hands=("BD", "HKP"), stock="S", rest="discard")
    apply(position, retreat(4))
    for seat in EVERYBODY:
        sight = view(position, seat)
        assert (sight.to_act, sight.turn_seat, sight.owed, sight.legal) == (CHANCE, RED, 1, ())


# Hands.


@pytest.mark.rule("R7.3")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_open_hands_are_public(seat: int | None) -> None:
    sight = view(table(TORTUGA, hands=("SB", "K")), seat)
    assert sight.hands == (cards("BS"), cards("K"))


@pytest.mark.rule("R7.3")
def test_a_hidden_hand_is_seen_by_its_own_seat_alone() -> None:
    position = table(hands=("SB", "K"), seats=3)
    assert view(position, RED).hands == (cards("BS"), None, None)
    assert view(position, BLUE).hands == (None, cards("K"), None)
    assert view(position, YELLOW).hands == (None, None, ())
    assert view(position, None).hands == (None, None, None)


@pytest.mark.rule("R7.3")
def test_only_the_seat_to_act_is_shown_its_choices() -> None:
    position = retreating()
    assert view(position, RED).legal == tuple(legal(position))
    assert view(position, BLUE).legal == ()
    assert view(position, None).legal == ()


@pytest.mark.rule("R7.4")
def test_gold_is_hidden_with_its_card() -> None:
    plain = nest_table(hands=("", "map"), stock="MAP")
    gold = nest_table(hands=("", "MAP"), stock="map")
    assert view(plain, RED) == view(gold, RED)
    assert view(plain, None) == view(gold, None)
    assert view(plain, BLUE).hands == (None, cards("map"))
    assert view(gold, BLUE).hands == (None, cards("MAP"))


@pytest.mark.rule("R7.5")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_the_sizes_of_hands_are_public(seat: int | None) -> None:
    assert view(table(hands=("BDH", "K")), seat).hand_sizes == (3, 1)
    assert view(nest_table(hands=("MAP map", "")), seat).hand_sizes == (2, 0)


@pytest.mark.rule("R7.5")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_how_many_cards_are_drawn_is_public(seat: int | None) -> None:
    position = retreating()
    told = apply(position, retreat(4))
    assert len(drawn(told, seat)) == 2
    assert view(position, seat).hand_sizes == (4, 3)
    assert len(remember(position, seat).log) == 2


# Drawing.


@pytest.mark.rule("R7.6")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_a_card_from_the_row_is_public(seat: int | None) -> None:
    position = table(TORTUGA, red="...1", blue="2", row="SHK")
    assert drawn(apply(position, retreat(4)), seat) == list(cards("SH"))


@pytest.mark.rule("R7.6")
def test_a_card_from_the_stock_is_seen_by_its_drawer_alone() -> None:
    told = apply(retreating(), retreat(4))
    assert drawn(told, RED) == list(cards("SH"))
    assert drawn(told, BLUE) == [None, None]
    assert drawn(told, None) == [None, None]


@pytest.mark.rule("R7.6")
def test_so_it_is_in_memory() -> None:
    position = retreating()
    apply(position, retreat(4))
    assert remember(position, RED).log == cards("SH")
    assert remember(position, BLUE).log == (UNSEEN, UNSEEN)
    assert remember(position, None).log == (UNSEEN, UNSEEN)


@pytest.mark.rule("R7.7")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_the_row_is_public_in_its_order(seat: int | None) -> None:
    assert view(table(TORTUGA, row="SBKB"), seat).row == cards("SBKB")
    assert seen(RowLaid(cards("SBKB")), seat) == RowLaid(cards("SBKB"))


@pytest.mark.rule("R7.8")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_the_discard_is_public_in_its_order(seat: int | None) -> None:
    position = table(hands=("BD", ""), discard="SHK")
    told = apply(position, play("B", 0))
    assert view(position, seat).discard == cards("SHKB")
    assert heard(told, seat) == told
    assert remember(position, seat).discard == cards("HKS")


# Trimming.


@pytest.mark.rule("R7.9")
def test_a_trimmed_card_is_seen_by_its_owner_alone() -> None:
    position = trimming()
    told = apply(position, trim("cannon"))
    (cannon,) = cards("cannon")
    assert heard(told, RED) == [Trimmed(RED, cannon)]
    assert heard(told, BLUE) == heard(told, None) == [Trimmed(RED, None)]
    assert view(position, RED).trimmed == ((RED, cannon),)
    assert view(position, BLUE).trimmed == view(position, None).trimmed == ((RED, None),)


@pytest.mark.rule("R7.9")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_all_trims_are_public_once_the_last_is_made(seat: int | None) -> None:
    position = trimming()
    apply(position, trim("cannon"))
    apply(position, trim("parrot"))
    shown = apply(position, trim("cannon"))[-1]
    red, parrot, cannon = ((RED, 0), (BLUE, cards("parrot")[0]), (BLUE, 0))
    assert seen(shown, seat) == shown == TrimShown((red, parrot, cannon))
    sight = view(position, seat)
    assert (sight.trimmed, sight.discard) == ((), cards("MAP cannon parrot cannon"))
    laid = [LOG_LAID + 16 * owner + card for owner, card in ((RED, cards("MAP")[0]), red, parrot, cannon)]
    assert sight.memory.log == tuple(laid)


@pytest.mark.rule("R7.9")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_how_many_cards_are_still_owed_is_public(seat: int | None) -> None:
    position = trimming()
    sight = view(position, seat)
    assert (sight.surplus, sight.trimming, sight.to_act) == ((1, 2), True, RED)
    apply(position, trim("cannon"))
    assert view(position, seat).surplus == (0, 2)
    apply(position, trim("cannon"))
    assert view(position, seat).surplus == (0, 1)
    apply(position, trim("cannon"))
    assert (view(position, seat).surplus, view(position, seat).trimming) == ((0, 0), False)


@pytest.mark.rule("R7.9")
def test_cards_beyond_seven_are_no_debt_without_a_freebooter() -> None:
    assert view(nest_table(hands=(EIGHT, "")), RED).surplus == (0, 0)


# The stock.


@pytest.mark.rule("R7.10")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_the_size_of_the_stock_and_its_renewal_are_public(seat: int | None) -> None:
    position = table(red="...1", blue="2", hands=("BD", ""), stock="S", discard="KH", rest="blue")
    assert (view(position, seat).stock_size, view(position, seat).renewals) == (1, 0)
    apply(position, retreat(4))
    told = shuffled(position, cards("KH"))
    assert Renewed(2, None) in heard(told, seat)
    assert (view(position, seat).stock_size, view(position, seat).renewals) == (1, 1)
    assert LOG_RENEWED in remember(position, None).log


@pytest.mark.rule("R7.11")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_nobody_knows_the_order_of_the_stock(seat: int | None) -> None:
    for ruleset in (TORTUGA, JAMAICA, TURNED_OVER):
        assert view(table(ruleset, stock="SK"), seat) == view(table(ruleset, stock="KS"), seat)
        assert view(table(ruleset), seat).stock is None


@pytest.mark.rule("R7.12")
@pytest.mark.parametrize("seat", [None, RED, BLUE, YELLOW])
def test_a_stock_that_was_turned_over_is_public(seat: int | None) -> None:
    position = table(
        TURNED_OVER, red="...1", blue="2", seats=3, hands=("BD", ""), stock="S", discard="KHPP", rest="blue"
    )
    told = apply(position, retreat(4))
    assert Renewed(4, cards("KHPP")) in heard(told, seat)
    assert drawn(told, seat) == [cards("S")[0] if seat == RED else None, cards("K")[0]]
    assert view(position, seat).stock == cards("HPP")
    first = cards("S")[0] if seat == RED else UNSEEN
    assert remember(position, seat).log == (first, LOG_RENEWED, cards("K")[0])


@pytest.mark.rule("R7.13")
@pytest.mark.parametrize("seat", [None, RED, BLUE, YELLOW])
def test_the_order_of_a_shuffle_is_secret(seat: int | None) -> None:
    def after(order: str) -> tuple[View, list[Happening]]:
        position = table(blue="1.1", seats=3, hands=("", "D"), discard="KHPP", rest="red", seat=BLUE)
        told = apply(position, retreat(3)) + shuffled(position, cards(order))
        return view(position, seat), heard(told, seat)

    assert after("KHPP") == after("KPHP")
    assert (after("KHPP") == after("HKPP")) == (seat != BLUE)


@pytest.mark.rule("R7.13")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_the_order_of_the_deal_is_secret(seat: int | None) -> None:
    one = table(hands=("BD", "HK"), stock="SP")
    two = table(hands=("BD", "HK"), stock="PS")
    other_hand = table(hands=("BD", "HP"), stock="SK")
    assert view(one, seat) == view(two, seat)
    assert (view(one, seat) == view(other_hand, seat)) == (seat != BLUE)


# The end.


@pytest.mark.rule("R7.14")
def test_all_hands_are_public_when_the_game_is_over() -> None:
    position = table(red=[36, *[HOME] * 5], hands=("BK", "HK"))
    assert view(position, None).hands == (None, None)
    apply(position, play("B", 36))
    for seat in EVERYBODY:
        sight = view(position, seat)
        assert sight.hands == (cards("K"), cards("HK"))
        assert sight.hand == (() if seat is None else sight.hands[seat])
        assert (sight.ending, sight.winner, sight.over, sight.to_act) == (WON, RED, True, NOBODY)
        assert sight.legal == ()


# Spectators.


@pytest.mark.rule("R7.17")
def test_a_spectator_sees_what_is_public_and_nothing_else() -> None:
    position = nest_table(
        red="5 5", violet="2", hands=("map", "MAP", "pa", "ca", "ch"), stock="pa ca", seat=GREEN
    )
    told = apply(position, push(VIOLET, "2"))
    sight = view(position, None)
    assert sight.hands == (None,) * 5
    assert (sight.seat, sight.stock, sight.legal) == (None, None, ())
    assert sight.hand_sizes == (1, 1, 1, 3, 1)
    assert sight.ending == RUNNING
    assert drawn(told, None) == [None, None]
    assert drawn(told, GREEN) == list(cards("pa ca"))
