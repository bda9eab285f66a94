"""R6 The end, in the Nest: which positions are dead, when that is asked, and what it is worth."""

import pytest

from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, SAIL
from cartagena.rules.endings import is_dead
from cartagena.rules.happenings import Dead, Passed, Quiet, TurnEnded, Won
from cartagena.rules.legality import apply, legal
from cartagena.rules.places import HOME
from cartagena.rules.position import DEAD, NOBODY, QUIET, WON
from cartagena.rules.ruleset import PIRATES_NEST
from tests.tables import BLUE, RED, YELLOW, nest_table, play

FIVE_HOME = "nest nest nest nest nest"
LONE = f"34 {FIVE_HOME}"
THREE_ABOARD = "sloop sloop sloop"
START_APART = PIRATES_NEST.with_options(start_is_island1=False)
FREE_CAPTAIN = PIRATES_NEST.with_options(captain_needs_precondition=False)
EMPTY_CAPTAIN = FREE_CAPTAIN.with_options(captain_needs_aboard=False)


# R6.8: a play or a push, of any seat, at a dock that can be reached.


@pytest.mark.rule("R6.8")
@pytest.mark.parametrize("dock", [1, 2])
def test_nobody_with_a_play_or_a_push_is_dead(dock: int) -> None:
    assert is_dead(nest_table(red=LONE, blue=LONE, dock=dock))


@pytest.mark.rule("R6.8")
@pytest.mark.parametrize("hands", [("map", ""), ("", "map"), ("MAP", ""), ("", "TELESCOPE"), ("", "cannon")])
def test_one_card_that_can_be_played_keeps_it_alive(hands: tuple[str, str]) -> None:
    assert not is_dead(nest_table(red=LONE, blue=LONE, hands=hands))


@pytest.mark.rule("R6.8")
def test_one_pirate_that_can_be_pushed_keeps_it_alive() -> None:
    assert not is_dead(nest_table(red=LONE, blue=f"33 {FIVE_HOME}"))
    assert not is_dead(nest_table(red=f"33 {FIVE_HOME}", blue=LONE))


@pytest.mark.rule("R6.8")
def test_the_turn_of_a_seat_that_cannot_move_counts_the_others_too() -> None:
    for seat in (RED, BLUE, YELLOW):
        assert not is_dead(nest_table(red=LONE, blue=LONE, yellow=LONE, hands=("", "", "map"), seat=seat))
        assert is_dead(nest_table(red=LONE, blue=LONE, yellow=LONE, seat=seat))


@pytest.mark.rule("R6.8")
def test_a_play_that_needs_the_sloop_lives_by_the_crossing() -> None:
    # Both maps of island one are taken, so at dock two a map moves nobody.
    position = nest_table(red="5 12 12 12 nest nest", blue=f"5 {FIVE_HOME}", hands=("map", ""), dock=2)
    assert legal(position) == [SAIL]
    assert not is_dead(position)


@pytest.mark.rule("R6.8")
def test_a_move_at_the_other_dock_counts_if_somebody_can_cross() -> None:
    # At dock two nobody moves: the three at the start have no company, and nobody holds a card.
    position = nest_table(red="nest nest nest", blue=LONE, dock=2)
    assert legal(position) == [SAIL]
    assert not is_dead(position)


@pytest.mark.rule("R6.8")
def test_a_move_at_the_other_dock_is_lost_if_nobody_can_cross() -> None:
    assert is_dead(nest_table(START_APART, red="nest nest nest", blue=LONE, dock=2))


@pytest.mark.rule("R6.8")
def test_from_dock_one_a_passenger_may_cross_to_where_he_can_walk() -> None:
    alive = nest_table(red="sloop nest nest nest nest nest", blue=LONE, dock=1)
    assert not is_dead(alive)  # blue's pirate on 34 can be joined from the sloop at dock two
    nobody_ahead = nest_table(red="sloop nest nest nest nest nest", blue=f"sloop {FIVE_HOME}", dock=1)
    assert is_dead(nobody_ahead)
    with_card = nest_table(
        red="sloop nest nest nest nest nest", blue=f"sloop {FIVE_HOME}", hands=("map", ""), dock=1
    )
    assert not is_dead(with_card)


# R6.9: crossings of any seat count, paid or free, but sailing alone keeps no position alive.


@pytest.mark.rule("R6.9")
@pytest.mark.parametrize("dock", [1, 2])
def test_to_be_able_to_sail_is_not_enough(dock: int) -> None:
    position = nest_table(red=THREE_ABOARD, blue=THREE_ABOARD, dock=dock)
    assert legal(position) == [SAIL, CAPTAIN_SAIL]
    assert is_dead(position)


@pytest.mark.rule("R6.9")
@pytest.mark.parametrize("seat", [RED, BLUE])
def test_the_crossing_of_any_seat_counts(seat: int) -> None:
    position = nest_table(red=LONE, blue="nest nest nest", dock=2, seat=seat)
    assert not is_dead(position)


@pytest.mark.rule("R6.9")
def test_a_free_crossing_counts_where_a_paid_one_is_not_possible() -> None:
    # Red waits at the start, which does not count; at dock one it could be pushed aboard.
    red, blue = "sloop nest nest", f"sloop {FIVE_HOME}"
    assert is_dead(nest_table(START_APART, red=red, blue=blue, dock=2))
    free = START_APART.with_options(captain_needs_precondition=False)
    assert not is_dead(nest_table(free, red=red, blue=blue, dock=2))


@pytest.mark.rule("R6.9")
def test_only_a_captain_has_a_free_crossing() -> None:
    red, blue = "nest nest nest", LONE
    nobody_aboard = START_APART.with_options(captain_needs_precondition=False)
    assert is_dead(nest_table(nobody_aboard, red=red, blue=blue, dock=2))
    anybody = nobody_aboard.with_options(captain_needs_aboard=False)
    assert not is_dead(nest_table(anybody, red=red, blue=blue, dock=2))


@pytest.mark.rule("R6.9")
def test_no_reading_of_the_captain_revives_the_forced_ping_pong() -> None:
    for ruleset in (PIRATES_NEST, START_APART, FREE_CAPTAIN, EMPTY_CAPTAIN):
        for dock in (1, 2):
            assert is_dead(nest_table(ruleset, red=THREE_ABOARD, blue=THREE_ABOARD, dock=dock))


# R6.10: a pass keeps no position alive.


@pytest.mark.rule("R6.10")
def test_to_be_allowed_to_pass_does_not_make_a_dead_position_alive() -> None:
    ruleset = PIRATES_NEST.with_options(pass_allowed=True)
    for crew in (LONE, THREE_ABOARD):
        position = nest_table(ruleset, red=crew, blue=crew)
        forced = crew == LONE
        assert apply(position, END_TURN) == [Passed(RED, forced), Dead(None)]


@pytest.mark.rule("R6.10")
def test_a_living_position_stays_alive_when_seats_pass() -> None:
    ruleset = PIRATES_NEST.with_options(pass_allowed=True)
    position = nest_table(ruleset, hands=("map", "map"))
    assert apply(position, END_TURN) == [Passed(RED, forced=False), TurnEnded(RED, BLUE)]


# When it is asked, and what follows.


def test_a_dead_position_ends_the_game_at_the_end_of_the_turn_and_not_before() -> None:
    position = nest_table(red="34 35 nest nest nest nest", blue=LONE, hands=("map", ""))
    apply(position, play("map", "35"))
    assert is_dead(position)
    assert legal(position) == [END_TURN]
    assert apply(position, END_TURN) == [Dead(None)]
    assert (position.ending, position.winner, position.to_act) == (DEAD, NOBODY, NOBODY)


def test_seats_that_can_do_nothing_are_passed_over_one_after_another() -> None:
    position = nest_table(
        red="33 33 33 34 nest nest",
        blue=f"20 {FIVE_HOME}",
        yellow=f"20 {FIVE_HOME}",
        hands=("map map", "", ""),
    )
    apply(position, play("map", "34"))
    assert apply(position, END_TURN) == [
        TurnEnded(RED, BLUE),
        Passed(BLUE, forced=True),
        TurnEnded(BLUE, YELLOW),
        Passed(YELLOW, forced=True),
        TurnEnded(YELLOW, RED),
    ]
    assert position.to_act == RED


@pytest.mark.parametrize(
    ("stalemate", "red", "blue", "winner"),
    [
        ("draw", "34 nest nest nest nest nest", "34 34 nest nest nest nest", None),
        ("most_home", "34 nest nest nest nest nest", "34 34 nest nest nest nest", RED),
        ("most_home", "34 34 nest nest nest nest", "34 nest nest nest nest nest", BLUE),
        ("most_home", "34 nest nest nest nest nest", "34 nest nest nest nest nest", None),
    ],
)
def test_a_dead_end_is_won_by_nobody_or_by_most_pirates_home(
    stalemate: str, red: str, blue: str, winner: int | None
) -> None:
    position = nest_table(PIRATES_NEST.with_options(stalemate=stalemate), red=red, blue=blue)
    assert apply(position, END_TURN) == [Passed(RED, forced=True), Dead(winner)]
    assert position.winner == (NOBODY if winner is None else winner)


def test_quiet_rounds_are_asked_after_the_dead_position() -> None:
    ruleset = PIRATES_NEST.with_options(quiet_rounds=1)
    position = nest_table(ruleset, red=LONE, blue=LONE, turn=2, actions_used=1)
    assert apply(position, END_TURN) == [Dead(None)]
    living = nest_table(ruleset, turn=2, actions_used=1)
    assert apply(living, END_TURN) == [Quiet(1)]
    assert living.ending == QUIET


def test_a_pirate_in_the_nest_is_home_and_six_of_them_win() -> None:
    position = nest_table(red=LONE, blue=LONE, hands=("map", ""))
    assert apply(position, play("map", "34"))[-1] == Won(RED)
    assert (position.ending, position.crews[RED].home, HOME) == (WON, 6, 37)


# Only a card of the right sign gives a seat an action.


@pytest.mark.parametrize("sign", range(1, 7))
@pytest.mark.parametrize("gold", [False, True], ids=["plain", "gold"])
def test_one_playable_card_is_an_action_and_its_neighbour_is_none(sign: int, *, gold: bool) -> None:
    # Red waits at the start, the sloop is away, and both spaces of the previous sign are full.
    words = [word.upper() if gold else word for word in PIRATES_NEST.signs]
    near, far = str(sign), str(sign + 7)
    blue = " ".join([near] * 3 + [far] * 3)
    playable = nest_table(START_APART, red=FIVE_HOME, blue=blue, hands=(words[sign], ""), dock=2)
    assert legal(playable) == [play(words[sign], "start")]
    blocked = nest_table(START_APART, red=FIVE_HOME, blue=blue, hands=(words[sign - 1], ""), dock=2)
    assert legal(blocked) == [END_TURN]


def test_the_first_gold_card_too_is_listed_while_the_sloop_is_away() -> None:
    position = nest_table(START_APART, red=FIVE_HOME, blue="8 8 8", hands=("CANNON", ""), dock=2)
    assert legal(position)[0] == play("CANNON", "start")
    taken = nest_table(START_APART, red=FIVE_HOME, blue="1 1 1 8 8 8", hands=("CANNON", ""), dock=2)
    assert legal(taken) == [END_TURN]
