"""R6 The end: winning, dead positions and quiet rounds, in Cartagena."""

import pytest

from cartagena.rules.codes import END_TURN
from cartagena.rules.happenings import Dead, Moved, Passed, Played, Quiet, TurnEnded, Won
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import HOME
from cartagena.rules.position import DEAD, NOBODY, QUIET, RUNNING, WON, Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import JAMAICA, Ruleset
from tests.tables import BLUE, RED, YELLOW, play, retreat, table

STAYS_ABOARD = JAMAICA.with_options(retreat_from_sloop=False)
MOST_HOME = JAMAICA.with_options(stalemate="most_home")


def quiet(rounds: int, **options: object) -> Ruleset:
    """Jamaica that ends after `rounds` quiet rounds."""
    return JAMAICA.with_options(quiet_rounds=rounds, **options)


def end_of(position: Position) -> tuple[int, int]:
    """How the game ended, and who won."""
    return position.ending, position.winner


# Winning.


@pytest.mark.rule("R6.1")
@pytest.mark.rule("R6.2")
def test_a_seat_wins_the_moment_its_sixth_pirate_is_in_the_sloop() -> None:
    position = table(red=[31, *[HOME] * 5], hands=("BB", "B"))
    assert apply(position, play("B", 31)) == [Played(RED, 0), Moved(RED, RED, 31, HOME), Won(RED)]
    assert end_of(position) == (WON, RED)


@pytest.mark.rule("R6.2")
def test_five_are_not_enough() -> None:
    position = table(blue=[31, 1, *[HOME] * 4], hands=("", "B"), seat=BLUE)
    apply(position, play("B", 31))
    assert end_of(position) == (RUNNING, NOBODY)
    assert position.crews[BLUE].home == 5
    assert position.to_act == BLUE


@pytest.mark.rule("R6.2")
def test_any_seat_may_win() -> None:
    position = table(red="> 5", blue="> 5", yellow=[36, *[HOME] * 5], hands=("B", "B", "D"), seat=YELLOW)
    assert apply(position, play("D", 36))[-1] == Won(YELLOW)
    assert position.winner == YELLOW


@pytest.mark.rule("R6.3")
@pytest.mark.parametrize("actions_used", [0, 1, 2])
def test_a_win_stops_the_game_in_mid_turn(actions_used: int) -> None:
    position = table(red=[31, *[HOME] * 5], blue="1", hands=("BB", "B"), actions_used=actions_used)
    apply(position, play("B", 31))
    assert (position.over, position.to_act, position.seat, position.turn) == (True, NOBODY, RED, 1)


@pytest.mark.rule("R6.4")
@pytest.mark.parametrize("ruleset", [JAMAICA, MOST_HOME], ids=["draw", "most home"])
def test_there_is_one_winner(ruleset: Ruleset) -> None:
    position = table(ruleset, red=[31, *[HOME] * 5], blue="> 5", hands=("B", "B"))
    told = apply(position, play("B", 31))
    assert [happening for happening in told if isinstance(happening, Won)] == [Won(RED)]
    assert position.winner == RED


@pytest.mark.rule("R6.15")
def test_when_the_game_is_over_no_choice_is_legal() -> None:
    position = table(red=[31, *[HOME] * 5], blue="1", hands=("BB", "B"))
    apply(position, play("B", 31))
    assert legal(position) == []
    assert {refusal(position, code) for code in range(-1, 267)} == {Refusal.GAME_OVER}


# The end of a turn.


@pytest.mark.rule("R6.6")
@pytest.mark.rule("R6.7")
def test_a_dead_position_ends_the_game_when_the_turn_ends() -> None:
    position = table(hands=("B",))
    apply(position, play("B", 0))
    assert (position.over, position.to_act) == (False, RED)
    assert apply(position, END_TURN) == [Dead(None)]
    assert (end_of(position), position.to_act, position.seat) == ((DEAD, NOBODY), NOBODY, RED)


@pytest.mark.rule("R6.6")
def test_dead_comes_before_quiet() -> None:
    position = table(quiet(1), hands=("B",), actions_used=1, turn=2)
    apply(position, play("B", 0))
    assert apply(position, END_TURN) == [Dead(None)]


@pytest.mark.rule("R6.6")
def test_quiet_comes_before_the_next_seat() -> None:
    position = table(quiet(1), hands=("B", "B"), actions_used=1, turn=2)
    assert apply(position, END_TURN) == [Quiet(1)]
    assert (position.seat, position.turn) == (RED, 2)


@pytest.mark.rule("R6.6")
@pytest.mark.rule("R6.13")
def test_forced_passes_are_turns_that_may_end_the_game() -> None:
    position = table(quiet(2), hands=("BB",), actions_used=1, turn=3)
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE), Passed(BLUE, forced=True), Quiet(2)]
    assert (position.seat, position.turn) == (BLUE, 4)


@pytest.mark.rule("R6.6")
def test_a_pass_by_choice_may_meet_a_dead_position() -> None:
    position = table(JAMAICA.with_options(pass_allowed=True))
    assert apply(position, END_TURN) == [Passed(RED, forced=True), Dead(None)]


@pytest.mark.rule("R6.6")
def test_quiet_rounds_never_end_a_turn_in_its_middle() -> None:
    position = table(quiet(1), hands=("BBB", "B"), turn=2)
    apply(position, play("B", 0))
    apply(position, play("B", 0))
    assert not position.over


# Dead positions.


@pytest.mark.rule("R6.7")
@pytest.mark.parametrize(
    "position",
    [
        table(red="1", blue="", actions_used=1),
        table(red="1", blue="1", actions_used=1),
        table(red="2", blue="1", actions_used=1),
        table(red="> 4", blue="> 5", actions_used=1),
        table(red="3", blue=".3 > 1", actions_used=1),
        table(STAYS_ABOARD, red="> 4", blue="1", actions_used=1),
        table(STAYS_ABOARD, red="> 4", blue="1 > 5", actions_used=1),
    ],
)
def test_dead_is_when_no_seat_could_play_or_retreat(position: Position) -> None:
    assert apply(position, END_TURN) == [Dead(None)]


@pytest.mark.rule("R6.7")
@pytest.mark.parametrize(
    "position",
    [
        table(hands=("B", ""), actions_used=1),
        table(hands=("", "B"), actions_used=1),
        table(yellow="", hands=("", "", "B"), actions_used=1),
        table(red="11", actions_used=1),
        table(blue="1 > 1", actions_used=1),
        table(red="1", yellow=".1", actions_used=1),
        table(STAYS_ABOARD, red="1 > 1", blue=".1", actions_used=1),
    ],
)
def test_alive_is_when_any_seat_could(position: Position) -> None:
    apply(position, END_TURN)
    assert not position.over
    assert legal(position) != [END_TURN]


@pytest.mark.rule("R6.10")
def test_being_allowed_to_pass_keeps_no_position_alive() -> None:
    position = table(JAMAICA.with_options(pass_allowed=True), red="1", actions_used=1)
    assert apply(position, END_TURN) == [Dead(None)]


@pytest.mark.rule("R6.11")
def test_a_dead_position_has_no_winner() -> None:
    position = table(STAYS_ABOARD, red="> 4", blue="> 1", actions_used=1)
    assert apply(position, END_TURN) == [Dead(None)]
    assert end_of(position) == (DEAD, NOBODY)


@pytest.mark.rule("R6.12")
@pytest.mark.parametrize(
    ("red", "blue", "yellow", "winner"),
    [(4, 1, 0, RED), (1, 4, 3, BLUE), (0, 4, 5, YELLOW), (4, 4, 0, None), (0, 2, 2, None), (0, 0, 0, None)],
)
def test_where_most_home_decide_the_leader_wins_and_a_tie_has_no_winner(
    red: int, blue: int, yellow: int, winner: int | None
) -> None:
    position = table(MOST_HOME, red=f"> {red}", blue=f"> {blue}", yellow=f"> {yellow}", actions_used=1)
    assert apply(position, END_TURN) == [Dead(winner)]
    assert end_of(position) == (DEAD, NOBODY if winner is None else winner)


@pytest.mark.rule("R6.12")
def test_it_counts_who_is_home_now_not_who_once_was() -> None:
    position = table(MOST_HOME, red="> 1", blue="> 2", most_home=(5, 2), actions_used=1)
    assert apply(position, END_TURN) == [Dead(BLUE)]


@pytest.mark.rule("R6.12")
def test_quiet_rounds_have_no_winner_even_so() -> None:
    position = table(quiet(1, stalemate="most_home"), red="> 4", hands=("B",), actions_used=1, turn=2)
    assert apply(position, END_TURN) == [Quiet(1)]
    assert end_of(position) == (QUIET, NOBODY)


# Quiet rounds.


@pytest.mark.rule("R6.13")
def test_a_pirate_that_comes_home_makes_its_turn_not_quiet() -> None:
    position = table(red=[31], hands=("B", "B"), turn=7, last_progress=2)
    apply(position, play("B", 31))
    assert (position.last_progress, position.crews[RED].most_home) == (7, 1)


@pytest.mark.rule("R6.13")
def test_a_pirate_that_only_comes_back_home_is_no_progress() -> None:
    position = table(red="> 1", blue=[36], stock="S", turn=7, last_progress=2)
    apply(position, retreat(HOME))
    apply(position, play("S", 36))
    assert (position.crews[RED].home, position.crews[RED].most_home) == (1, 1)
    assert position.last_progress == 2


@pytest.mark.rule("R6.13")
def test_a_new_highest_number_of_ones_own_is_progress_though_another_seat_has_more() -> None:
    position = table(red=[31], blue="> 5", hands=("B", "B"), turn=7)
    apply(position, play("B", 31))
    assert position.last_progress == 7


@pytest.mark.rule("R6.13")
@pytest.mark.rule("R6.14")
def test_progress_begins_the_count_anew() -> None:
    position = table(quiet(1), red=[31], hands=("BB", "BBB"), turn=2)
    apply(position, play("B", 31))
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE)]
    apply(position, play("B", 0))
    assert apply(position, END_TURN) == [TurnEnded(BLUE, RED)]
    apply(position, play("B", 0))
    assert apply(position, END_TURN) == [Quiet(1)]


@pytest.mark.rule("R6.14")
@pytest.mark.parametrize(("seats", "rounds"), [(2, 1), (2, 3), (3, 1), (3, 2), (5, 2)])
def test_so_many_rounds_end_the_game_and_one_turn_fewer_does_not(seats: int, rounds: int) -> None:
    limit = seats * rounds
    for turn, over in ((limit - 1, False), (limit, True)):
        position = table(quiet(rounds), seats=seats, hands=["B"] * seats, actions_used=1, turn=turn)
        apply(position, END_TURN)
        assert position.over == over
        assert end_of(position) == ((QUIET, NOBODY) if over else (RUNNING, NOBODY))


@pytest.mark.rule("R6.14")
def test_it_counts_from_the_last_progress() -> None:
    for last_progress, over in ((6, True), (7, False)):
        position = table(quiet(2), hands=("B", "B"), actions_used=1, turn=10, last_progress=last_progress)
        apply(position, END_TURN)
        assert position.over == over


@pytest.mark.rule("R6.14")
@pytest.mark.parametrize(("turn", "over"), [(79, False), (80, True)])
def test_forty_rounds_are_the_default(turn: int, *, over: bool) -> None:
    position = table(hands=("B", "B"), actions_used=1, turn=turn)
    told = apply(position, END_TURN)
    assert (told == [Quiet(40)]) == over


@pytest.mark.rule("R6.14")
def test_zero_switches_the_count_off() -> None:
    position = table(quiet(0), hands=("B", "B"), actions_used=1, turn=5000)
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE)]


@pytest.mark.rule("R6.14")
def test_a_pass_is_a_quiet_turn() -> None:
    position = table(quiet(2, pass_allowed=True), hands=("B", "B"))
    for _ in range(3):
        apply(position, END_TURN)
    assert apply(position, END_TURN) == [Passed(BLUE, forced=False), Quiet(2)]
