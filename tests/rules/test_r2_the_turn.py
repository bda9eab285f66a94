"""R2 The turn."""

import pytest

from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, ESCAPE_CODES, NEST_CODES, SAIL
from cartagena.rules.happenings import Passed, TurnEnded
from cartagena.rules.legality import advance, apply, legal, refusal, shuffled
from cartagena.rules.position import CHANCE, NOBODY, Position
from cartagena.rules.refusals import IllegalAction, Refusal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, Ruleset
from tests.tables import (
    BLUE,
    GREEN,
    RED,
    VIOLET,
    YELLOW,
    nest_table,
    places,
    play,
    push,
    retreat,
    table,
    truth,
)

GERMAN = JAMAICA.with_options(pass_allowed=True)


def why_not(position: Position, code: int) -> Refusal:
    """The refusal of a choice that is tried; nothing may change."""
    before = truth(position)
    with pytest.raises(IllegalAction) as caught:
        apply(position, code)
    assert truth(position) == before
    assert caught.value.refusal is refusal(position, code)
    assert code not in legal(position)
    return caught.value.refusal


# Whose turn it is.


@pytest.mark.rule("R2.1")
def test_turns_go_clockwise_and_after_the_last_seat_comes_the_first() -> None:
    position = table(yellow="", hands=("BB", "BB", "BB"))
    seats = []
    for _ in range(4):
        seats.append(position.to_act)
        apply(position, play("B", 0))
        apply(position, END_TURN)
    assert seats == [RED, BLUE, YELLOW, RED]
    assert position.turn == 5


@pytest.mark.rule("R2.1")
def test_the_end_of_a_turn_says_who_is_next() -> None:
    position = table(yellow="", hands=("B", "B", "B"), seat=YELLOW, actions_used=1)
    assert apply(position, END_TURN) == [TurnEnded(YELLOW, RED)]
    assert position.mover is position.crews[RED]
    assert (position.seat, position.actions_used) == (RED, 0)


@pytest.mark.rule("R2.2")
def test_while_a_seat_acts_chance_has_nothing_to_say() -> None:
    position = table(hands=("B", "B"), seat=BLUE)
    assert position.to_act == BLUE
    assert not position.over


@pytest.mark.rule("R2.2")
def test_while_an_order_of_cards_is_due_chance_acts_and_no_seat() -> None:
    position = table(red="11", hands=("B",), discard="DD", rest="blue")
    apply(position, retreat(2))
    assert position.to_act == CHANCE
    assert legal(position) == []
    for code in (END_TURN, retreat(2), play("B", 0), -1, ESCAPE_CODES):
        assert why_not(position, code) is Refusal.ORDER_DUE
    shuffled(position, [1, 1])
    assert position.to_act == RED


@pytest.mark.rule("R2.2")
def test_when_the_game_is_over_nobody_acts() -> None:
    position = table(red="..........|..........|..........|.....1 > 5", hands=("B",))
    apply(position, play("B", 36))
    assert position.to_act == NOBODY
    assert position.over


# Three actions.


@pytest.mark.rule("R2.3")
@pytest.mark.rule("R2.11")
def test_a_seat_makes_three_actions_and_not_four() -> None:
    position = table(red="11", hands=("BDHK",))
    apply(position, play("B", 0))
    apply(position, play("D", 0))
    assert legal(position) != [END_TURN]
    apply(position, play("H", 0))
    assert legal(position) == [END_TURN]
    assert why_not(position, play("K", 0)) is Refusal.NO_ACTIONS_LEFT
    assert why_not(position, retreat(2)) is Refusal.NO_ACTIONS_LEFT


@pytest.mark.rule("R2.3")
@pytest.mark.rule("R2.11")
@pytest.mark.parametrize("actions_used", [0, 1, 2, 3])
def test_the_third_action_is_the_last(actions_used: int) -> None:
    position = table(hands=("B",), actions_used=actions_used)
    assert (play("B", 0) in legal(position)) == (actions_used < 3)
    assert (END_TURN in legal(position)) == (actions_used > 0)


@pytest.mark.rule("R2.4")
def test_a_play_and_a_retreat_count_one_each() -> None:
    position = table(red="11", hands=("B",))
    apply(position, retreat(2))
    assert position.actions_used == 1
    apply(position, play("B", 0))
    assert position.actions_used == 2


@pytest.mark.rule("R2.4")
def test_in_the_nest_a_play_a_push_and_a_sail_count_one_each() -> None:
    position = nest_table(red="1 sloop", blue="2", hands=("map", "map"), crossing_open=False)
    for used, code in enumerate([push(BLUE, "start"), SAIL, play("map", "1")], start=1):
        apply(position, code)
        assert position.actions_used == used
    assert legal(position) == [END_TURN]


@pytest.mark.rule("R2.4")
@pytest.mark.parametrize("code", [-1, -38, ESCAPE_CODES, ESCAPE_CODES + 1])
def test_cartagena_knows_no_other_action(code: int) -> None:
    assert why_not(table(hands=("BS",)), code) is Refusal.NO_SUCH_ACTION


@pytest.mark.rule("R2.4")
@pytest.mark.parametrize("code", [-1, 17, 37, NEST_CODES])
def test_the_nest_knows_no_other_action(code: int) -> None:
    assert why_not(nest_table(hands=("map",)), code) is Refusal.NO_SUCH_ACTION


@pytest.mark.rule("R2.4")
def test_the_last_code_of_cartagena_is_an_action() -> None:
    assert why_not(table(hands=("S",)), ESCAPE_CODES - 1) is Refusal.PIRATE_IS_HOME


@pytest.mark.rule("R2.5")
@pytest.mark.parametrize(
    "codes",
    [
        [play("B", 0), play("D", 7), play("H", 14)],
        [retreat(8), play("B", 2), retreat(7)],
        [retreat(8), retreat(2), play("B", 0)],
        [retreat(8), retreat(9), retreat(2)],
    ],
)
def test_a_turn_mixes_and_repeats_and_may_move_one_pirate_again(codes: list[int]) -> None:
    position = table(red=".......11", blue="11", hands=("BDH",))
    for code in codes:
        apply(position, code)
    assert position.actions_used == 3


@pytest.mark.rule("R2.6")
def test_a_drawn_card_may_be_played_in_the_same_turn() -> None:
    position = table(red="11", stock="K")
    assert play("K", 0) not in legal(position)
    apply(position, retreat(2))
    apply(position, play("K", 0))
    assert places(position, RED) == [0, 0, 0, 1, 1, 4]


# Ending the turn.


@pytest.mark.rule("R2.7")
@pytest.mark.parametrize("actions_used", [1, 2, 3])
def test_after_one_action_the_turn_may_end(actions_used: int) -> None:
    position = table(hands=("BB", "B"), actions_used=actions_used)
    assert END_TURN in legal(position)
    assert refusal(position, END_TURN) is None
    apply(position, END_TURN)
    assert position.to_act == BLUE


@pytest.mark.rule("R2.8")
def test_a_seat_that_can_play_must_act() -> None:
    assert why_not(table(hands=("B",)), END_TURN) is Refusal.MUST_ACT


@pytest.mark.rule("R2.8")
def test_a_seat_that_can_only_retreat_must_act() -> None:
    assert why_not(table(red="11"), END_TURN) is Refusal.MUST_ACT


@pytest.mark.rule("R2.8")
def test_in_the_nest_a_seat_that_can_only_sail_must_act() -> None:
    position = nest_table(red="sloop nest nest nest nest nest", blue="sloop nest nest nest nest nest")
    assert legal(position) == [SAIL, CAPTAIN_SAIL]
    assert why_not(position, END_TURN) is Refusal.MUST_ACT


@pytest.mark.rule("R2.9")
def test_where_passing_is_allowed_a_seat_may_end_its_turn_without_an_action() -> None:
    position = table(GERMAN, hands=("B", "B"))
    assert legal(position) == [END_TURN, play("B", 0)]
    assert apply(position, END_TURN) == [Passed(RED, forced=False), TurnEnded(RED, BLUE)]


@pytest.mark.rule("R2.9")
def test_in_the_nest_too() -> None:
    position = nest_table(PIRATES_NEST.with_options(pass_allowed=True), hands=("map", "map"))
    assert END_TURN in legal(position)
    assert apply(position, END_TURN)[0] == Passed(RED, forced=False)


@pytest.mark.rule("R2.10")
@pytest.mark.rule("R2.12")
def test_a_seat_that_can_do_nothing_may_end_its_turn() -> None:
    position = table(red="1", hands=("", "B"))
    assert legal(position) == [END_TURN]
    assert apply(position, END_TURN) == [Passed(RED, forced=True), TurnEnded(RED, BLUE)]


@pytest.mark.rule("R2.11")
def test_the_turn_goes_on_after_the_third_action() -> None:
    position = table(hands=("BDH", "B"))
    for card in "BDH":
        apply(position, play(card, 0))
    assert (position.to_act, position.turn) == (RED, 1)
    apply(position, END_TURN)
    assert (position.to_act, position.turn) == (BLUE, 2)


@pytest.mark.rule("R2.12")
def test_a_turn_with_an_action_is_no_pass() -> None:
    position = table(hands=("B", "B"))
    apply(position, play("B", 0))
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE)]


# Forced passes.


@pytest.mark.rule("R2.13")
def test_a_seat_that_can_do_nothing_passes_by_itself() -> None:
    position = table(yellow="", hands=("BB", "", "B"))
    apply(position, play("B", 0))
    assert apply(position, END_TURN) == [
        TurnEnded(RED, BLUE),
        Passed(BLUE, forced=True),
        TurnEnded(BLUE, YELLOW),
    ]
    assert (position.to_act, position.turn) == (YELLOW, 3)


@pytest.mark.rule("R2.13")
@pytest.mark.parametrize("ruleset", [JAMAICA, GERMAN], ids=["must act", "may pass"])
def test_several_seats_may_pass_in_a_row_until_the_first_acts_again(ruleset: Ruleset) -> None:
    position = table(ruleset, violet="", hands=("", "", "BB"), seat=YELLOW)
    apply(position, play("B", 0))
    assert apply(position, END_TURN) == [
        TurnEnded(YELLOW, GREEN),
        Passed(GREEN, forced=True),
        TurnEnded(GREEN, VIOLET),
        Passed(VIOLET, forced=True),
        TurnEnded(VIOLET, RED),
        Passed(RED, forced=True),
        TurnEnded(RED, BLUE),
        Passed(BLUE, forced=True),
        TurnEnded(BLUE, YELLOW),
    ]
    assert (position.to_act, position.turn, position.actions_used) == (YELLOW, 6, 0)


@pytest.mark.rule("R2.13")
def test_a_seat_that_can_retreat_does_not_pass_by_itself() -> None:
    position = table(blue="11", hands=("BB",), actions_used=1)
    apply(position, END_TURN)
    assert legal(position) == [retreat(2)]


@pytest.mark.rule("R2.13")
def test_only_at_its_beginning_does_a_turn_end_by_itself() -> None:
    position = table(hands=("B", "B"))
    apply(position, play("B", 0))
    assert (position.to_act, legal(position)) == (RED, [END_TURN])


@pytest.mark.rule("R2.13")
def test_a_forced_pass_happens_untold_too() -> None:
    position = table(yellow="", hands=("BB", "", "B"), actions_used=1)
    advance(position, END_TURN)
    assert (position.to_act, position.turn) == (YELLOW, 3)


@pytest.mark.rule("R2.14")
def test_who_passed_takes_the_next_turn_as_usual() -> None:
    position = table(red="1", yellow="", hands=("", "BS", "SB"), actions_used=1)
    apply(position, END_TURN)
    apply(position, play("B", 0))
    apply(position, END_TURN)
    apply(position, play("B", 0))
    assert apply(position, END_TURN)[-1] == TurnEnded(RED, BLUE)
    apply(position, retreat(7))
    apply(position, END_TURN)
    apply(position, retreat(13))
    assert position.to_act == YELLOW


# Choices.


@pytest.mark.rule("R2.15")
def test_pirates_of_one_crew_on_one_place_are_one_choice() -> None:
    position = table(red="1....3", hands=("BBS",))
    assert legal(position) == [
        retreat(6),
        *(play("B", place) for place in (0, 1, 6)),
        *(play("S", place) for place in (0, 1, 6)),
    ]


@pytest.mark.rule("R2.15")
def test_one_of_several_goes_and_the_others_stay() -> None:
    position = table(red="1....3", hands=("B",))
    apply(position, play("B", 6))
    assert places(position, RED) == [0, 0, 1, 6, 6, 7]


@pytest.mark.rule("R2.16")
@pytest.mark.parametrize(
    "position",
    [
        table(red="1.2 > 1", blue="..1", hands=("BK", "S")),
        table(red="1.2 > 1", blue="..1", hands=("BK", "S"), actions_used=3),
        table(GERMAN.with_options(retreat_from_sloop=False), red="> 3", blue="1"),
        nest_table(red="1 sloop", blue="3 20", hands=("map MAP", "pa")),
    ],
    ids=["at the beginning", "after three actions", "nothing to do", "in the nest"],
)
def test_what_is_not_legal_is_refused_and_changes_nothing(position: Position) -> None:
    allowed = legal(position)
    assert allowed == sorted(set(allowed))
    for code in range(-2, 800):
        if code in allowed:
            assert refusal(position, code) is None
        else:
            assert isinstance(why_not(position, code), Refusal)


@pytest.mark.rule("R2.16")
def test_a_refusal_names_its_rule() -> None:
    with pytest.raises(IllegalAction, match=r"R2\.8"):
        apply(table(hands=("B",)), END_TURN)


@pytest.mark.rule("R2.17")
def test_a_third_pirate_joins_two_and_a_fourth_does_not() -> None:
    position = table(red="....1.1", blue="1..2", hands=("", "B"))
    apply(position, retreat(5))
    assert places(position, RED) == [0, 0, 0, 0, 4, 7]
    apply(position, retreat(7))
    assert places(position, RED) == [0, 0, 0, 0, 1, 4]
