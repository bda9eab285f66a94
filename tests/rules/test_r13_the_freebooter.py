"""R13 The freebooter and trimming."""

import pytest

from cartagena.rules.codes import CODES, END_TURN, FIRST_TRIM, SAIL
from cartagena.rules.happenings import Drew, Moved, Played, TrimDue, Trimmed, TrimShown, TurnEnded, Won
from cartagena.rules.legality import apply, legal, refusal, shuffled
from cartagena.rules.places import HOME
from cartagena.rules.position import ACT, CHANCE, LOG_LAID, LOG_RENEWED, NOBODY, TRIM, Position
from cartagena.rules.refusals import IllegalAction, Refusal
from cartagena.rules.ruleset import NEST, PIRATES_NEST
from tests.tables import BLUE, GREEN, RED, YELLOW, nest_place, nest_table, play, push, trim

CANNON, CHEST, COMPASS, DUCATS, MAP, PARROT, TELESCOPE = range(7)
GOLD_MAP, GOLD_PARROT = 11, 12
SEVEN = "cannon " * 7
EIGHT = "cannon " * 8
NINE = "chest " * 9


def freebooter(*hands: str, seat: int = RED) -> Position:
    """Four seats with these hands; the seat to act has just played a gold map."""
    held = [f"{hand} MAP" if owner == seat else hand for owner, hand in enumerate(hands)]
    position = nest_table(yellow="", green="", hands=held, seat=seat)
    apply(position, play("MAP", "start"))
    return position


def trims(position: Position) -> list[int]:
    """Trim the first legal card until nothing is due; return the seats in the order they chose."""
    seats = []
    while position.phase == TRIM:
        seats.append(position.to_act)
        apply(position, legal(position)[0])
    return seats


# Who must trim.


@pytest.mark.rule("R13.2")
def test_every_seat_above_seven_must_trim_down_to_seven() -> None:
    position = freebooter(SEVEN, NINE, "map", "parrot " * 8)
    assert position.phase == TRIM
    assert trims(position) == [BLUE, BLUE, GREEN]
    assert [crew.hand_size() for crew in position.crews] == [7, 7, 1, 7]


@pytest.mark.rule("R13.2")
def test_the_trim_comes_after_card_and_move_and_tells_what_each_seat_owes() -> None:
    position = nest_table(yellow="", hands=("MAP " + EIGHT, NINE, ""))
    told = apply(position, play("MAP", "start"))
    assert told == [Played(RED, GOLD_MAP), Moved(RED, RED, 0, 5), TrimDue((1, 2, 0))]


@pytest.mark.rule("R13.2")
@pytest.mark.parametrize(("cards", "due"), [("cannon " * 6, False), (SEVEN, False), (EIGHT, True)])
def test_the_seat_that_played_trims_too_and_the_gold_card_has_left_its_hand(cards: str, *, due: bool) -> None:
    position = freebooter(cards, "", "", "")
    assert (position.phase == TRIM) == due
    assert position.to_act == RED


@pytest.mark.rule("R13.2")
@pytest.mark.parametrize("sign", PIRATES_NEST.signs)
def test_every_gold_card_calls_the_freebooter(sign: str) -> None:
    position = nest_table(hands=(sign.upper(), EIGHT))
    assert apply(position, play(sign.upper(), "start"))[-1] == TrimDue((0, 1))


@pytest.mark.rule("R13.2")
def test_a_plain_card_makes_nobody_trim() -> None:
    position = nest_table(hands=("map " + EIGHT, NINE))
    apply(position, play("map", "start"))
    assert position.phase == ACT
    assert [crew.hand_size() for crew in position.crews] == [8, 9]


@pytest.mark.rule("R13.2")
def test_gold_cards_in_the_hand_count() -> None:
    position = freebooter("CANNON CHEST COMPASS DUCATS PARROT TELESCOPE map map", "", "", "")
    assert legal(position) == [trim(card) for card in ("map", "CANNON", "CHEST", "COMPASS", "DUCATS")] + [
        trim("PARROT"),
        trim("TELESCOPE"),
    ]


@pytest.mark.rule("R13.3")
def test_a_gold_play_that_wins_makes_nobody_trim() -> None:
    position = nest_table(red="35 nest nest nest nest nest", hands=("MAP " + EIGHT, NINE))
    told = apply(position, play("MAP", "35"))
    assert told == [Played(RED, GOLD_MAP), Moved(RED, RED, nest_place("35"), HOME), Won(RED)]
    assert position.to_act == NOBODY
    assert [crew.hand_size() for crew in position.crews] == [8, 9]
    assert position.trimmed == []


@pytest.mark.rule("R13.3")
def test_a_gold_play_home_that_does_not_win_makes_seats_trim() -> None:
    position = nest_table(red="35 nest nest nest nest", hands=("MAP", NINE))
    assert apply(position, play("MAP", "35"))[-1] == TrimDue((0, 2))


@pytest.mark.rule("R13.4")
def test_if_no_seat_is_above_seven_the_turn_goes_on() -> None:
    position = nest_table(hands=("MAP " + SEVEN, "chest " * 7))
    told = apply(position, play("MAP", "start"))
    assert told == [Played(RED, GOLD_MAP), Moved(RED, RED, 0, 5)]
    assert (position.phase, position.to_act, position.actions_used) == (ACT, RED, 1)
    assert position.barriers == 0
    assert refusal(position, trim("cannon")) is Refusal.NOTHING_TO_TRIM


@pytest.mark.rule("R13.4")
@pytest.mark.parametrize("card", range(14))
def test_nobody_trims_without_a_freebooter(card: int) -> None:
    position = nest_table(hands=(" ".join(PIRATES_NEST.signs) + " MAP", NINE))
    assert refusal(position, FIRST_TRIM + card) is Refusal.NOTHING_TO_TRIM


# Choosing.


@pytest.mark.rule("R13.5")
def test_each_seat_chooses_among_its_own_cards() -> None:
    position = freebooter("", "cannon map map map PARROT map map map", "", "")
    assert position.to_act == BLUE
    assert legal(position) == [trim("cannon"), trim("map"), trim("PARROT")]
    assert refusal(position, trim("chest")) is Refusal.TRIM_CARD_NOT_HELD
    assert refusal(position, trim("MAP")) is Refusal.TRIM_CARD_NOT_HELD
    apply(position, trim("PARROT"))
    assert position.crews[BLUE].cards() == [CANNON] + [MAP] * 6
    assert position.discard == [GOLD_MAP, GOLD_PARROT]


@pytest.mark.rule("R13.5")
def test_a_trim_names_one_card_at_a_time() -> None:
    position = freebooter("", NINE, "", "")
    assert apply(position, trim("chest")) == [Trimmed(BLUE, CHEST)]
    assert (position.to_act, position.crews[BLUE].hand_size()) == (BLUE, 8)


@pytest.mark.rule("R13.6")
@pytest.mark.parametrize(
    ("seat", "order"),
    [
        (RED, [RED, BLUE, BLUE, YELLOW, GREEN]),
        (BLUE, [BLUE, BLUE, YELLOW, GREEN, RED]),
        (YELLOW, [YELLOW, GREEN, RED, BLUE, BLUE]),
        (GREEN, [GREEN, RED, BLUE, BLUE, YELLOW]),
    ],
)
def test_seats_choose_clockwise_from_the_one_that_played(seat: int, order: list[int]) -> None:
    position = freebooter(EIGHT, NINE, "map " * 8, "parrot " * 8, seat=seat)
    assert trims(position) == order


@pytest.mark.rule("R13.6")
def test_seats_that_owe_nothing_are_passed_over() -> None:
    position = freebooter("", SEVEN, "chest " * 10, "", seat=GREEN)
    assert trims(position) == [YELLOW] * 3


# Face down, then face up.


@pytest.mark.rule("R13.7")
def test_trimmed_cards_lie_face_down_until_the_last_is_chosen() -> None:
    position = freebooter("", "chest map cannon cannon cannon parrot parrot parrot parrot", EIGHT, "")
    log = list(position.log)
    assert apply(position, trim("map")) == [Trimmed(BLUE, MAP)]
    assert apply(position, trim("chest")) == [Trimmed(BLUE, CHEST)]
    assert position.discard == [GOLD_MAP]
    assert position.trimmed == [16 * BLUE + MAP, 16 * BLUE + CHEST]
    assert position.log == log
    told = apply(position, trim("cannon"))
    shown = TrimShown(((BLUE, MAP), (BLUE, CHEST), (YELLOW, CANNON)))
    assert told == [Trimmed(YELLOW, CANNON), shown]


@pytest.mark.rule("R13.7")
def test_they_go_on_the_discard_in_the_order_they_were_chosen() -> None:
    position = freebooter("", "chest map cannon cannon cannon parrot parrot parrot parrot", EIGHT, "")
    for card in ("map", "chest", "cannon"):
        apply(position, trim(card))
    assert position.discard == [GOLD_MAP, MAP, CHEST, CANNON]
    assert position.trimmed == []
    assert position.log[-3:] == [
        LOG_LAID + 16 * BLUE + MAP,
        LOG_LAID + 16 * BLUE + CHEST,
        LOG_LAID + 16 * YELLOW + CANNON,
    ]


# Nothing else meanwhile.


@pytest.mark.rule("R13.8")
def test_while_cards_are_owed_nothing_but_a_trim_is_legal() -> None:
    position = nest_table(red="sloop 3", hands=("MAP map", EIGHT))
    apply(position, play("MAP", "start"))
    assert legal(position) == [trim("cannon")]
    for code in (END_TURN, SAIL, play("map", "start"), push(BLUE, "start")):
        assert refusal(position, code) is Refusal.TRIM_FIRST
    reasons = {refusal(position, code) for code in range(CODES[NEST]) if code != trim("cannon")}
    assert reasons == {Refusal.TRIM_FIRST, Refusal.TRIM_CARD_NOT_HELD}
    assert Refusal.TRIM_FIRST.rule == "R13.8"


@pytest.mark.rule("R13.8")
def test_even_a_pass_waits_for_the_trim() -> None:
    position = nest_table(PIRATES_NEST.with_options(pass_allowed=True), hands=("MAP", EIGHT))
    apply(position, play("MAP", "start"))
    with pytest.raises(IllegalAction, match=r"R13\.8"):
        apply(position, END_TURN)
    assert position.to_act == BLUE


# Afterwards.


@pytest.mark.rule("R13.9")
def test_a_trim_costs_no_action_and_the_turn_goes_on() -> None:
    position = freebooter("map map", EIGHT, "", "")
    apply(position, trim("cannon"))
    assert (position.phase, position.to_act, position.seat, position.actions_used) == (ACT, RED, RED, 1)
    apply(position, play("map", "start"))
    apply(position, play("map", "5"))
    assert position.actions_used == 3
    assert legal(position) == [END_TURN]


@pytest.mark.rule("R13.9")
def test_after_a_third_action_of_gold_the_trims_come_and_then_only_the_end() -> None:
    position = nest_table(hands=("MAP", EIGHT), actions_used=2)
    apply(position, play("MAP", "start"))
    apply(position, trim("cannon"))
    assert legal(position) == [END_TURN]
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE)]


@pytest.mark.rule("R13.9")
def test_two_freebooters_in_one_turn_both_count() -> None:
    position = nest_table(red="1", hands=("MAP PARROT", "chest " * 8))
    apply(position, play("MAP", "1"))
    apply(position, trim("chest"))
    apply(position, push(BLUE, "start"))
    assert apply(position, play("PARROT", "5"))[-1] == Moved(RED, RED, 5, 6)
    assert position.actions_used == 3


@pytest.mark.rule("R13.10")
def test_gold_and_trimmed_cards_come_back_when_the_discard_is_renewed() -> None:
    position = nest_table(hands=("MAP", EIGHT), rest="blue", stock="")
    apply(position, play("MAP", "start"))
    while position.phase == TRIM:
        apply(position, legal(position)[0])
    discarded = list(position.discard)
    assert discarded[0] == GOLD_MAP
    assert len(discarded) == 105 - 7
    apply(position, push(BLUE, "start"))
    assert position.to_act == CHANCE
    shuffled(position, discarded)
    assert position.crews[RED].holds(GOLD_MAP)
    assert position.discard == []
    assert position.log.count(LOG_RENEWED) == 1


@pytest.mark.rule("R13.10")
def test_turned_over_they_are_drawn_in_the_order_of_the_discard() -> None:
    ruleset = PIRATES_NEST.with_options(reshuffle="turn_over")
    position = nest_table(ruleset, hands=("MAP", EIGHT), rest="blue", stock="")
    apply(position, play("MAP", "start"))
    apply(position, trim("telescope"))
    while position.phase == TRIM:
        apply(position, legal(position)[0])
    assert position.discard[:3] == [GOLD_MAP, TELESCOPE, CANNON]
    drawn = [*apply(position, push(BLUE, "start")), *apply(position, push(BLUE, "start"))]
    assert [happening.card for happening in drawn if isinstance(happening, Drew)] == [
        GOLD_MAP,
        TELESCOPE,
        CANNON,
    ]
