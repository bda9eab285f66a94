"""The dead ends and the endless play of the Nest (rulings, V1 to V6)."""

from typing import Any

import pytest

from cartagena.rules.board import Board
from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, SAIL, play_code, push_code
from cartagena.rules.happenings import Dead, Happening, Passed, Quiet, TurnEnded
from cartagena.rules.legality import apply, legal
from cartagena.rules.places import HOME, SLOOP, START
from cartagena.rules.position import DEAD, NOBODY, QUIET, Position
from cartagena.rules.ruleset import GOLD, NEST, PIRATES_NEST, Ruleset
from cartagena.rules.setup import new
from harness.rulebook_examples import other_readings, place_of, read
from tests.tables import BLUE, RED, nest_table

READINGS = list(other_readings(PIRATES_NEST).values())


def dead_at_the_end_of_the_turn(position: Position) -> bool:
    """Whether the game is over as soon as the seat to act ends its turn."""
    after = position.copy()
    after.actions_used = 1
    return apply(after, END_TURN) == [Dead(None)]


# V5: a dead end from a regular deal.

TRACE = read("nest_deadlock_trace.json")
CREWS = list(TRACE["hands"])


def card_in(entry: tuple[str, bool]) -> int:
    """The number of a card written as its sign and whether it is gold."""
    sign, gold = entry
    return PIRATES_NEST.signs.index(sign) + (GOLD if gold else 0)


def place_in(number: int) -> int:
    """The place of a space; the trace writes 100 for the sloop and 200 for the nest."""
    return {100: SLOOP, 200: HOME}.get(number) or place_of(PIRATES_NEST, number)


def code_in(entry: list[Any]) -> int:
    """The code of one action of the trace."""
    match entry:
        case ["play", card, place]:
            return play_code(card_in(card), place_in(place))
        case ["push", crew, place]:
            return push_code(CREWS.index(crew), place_in(place))
    assert entry == ["sail"]
    return SAIL


def dealt(ruleset: Ruleset) -> Position:
    """The deal with which the trace begins."""
    order = [card_in(card) for hand in TRACE["hands"].values() for card in hand]
    order += [card_in(card) for card in TRACE["stock"]]
    board = Board(NEST, [PIRATES_NEST.signs.index(sign) for sign in TRACE["motifs"]])
    return new(ruleset, board, seats=2, order=order)


def replayed(position: Position) -> tuple[int, list[Happening]]:
    """Play the whole trace; how many actions it took, and what the last turn's end told."""
    actions = 0
    told: list[Happening] = []
    for crew, turn in TRACE["turns"]:
        assert position.to_act == CREWS.index(crew)
        for action in turn:
            apply(position, code_in(action))
        actions += len(turn)
        told = apply(position, END_TURN)
        assert not any(isinstance(happening, Passed) for happening in told)
    return actions, told


def test_v5_a_regular_deal_comes_to_a_dead_end_after_148_actions() -> None:
    position = dealt(PIRATES_NEST)
    assert replayed(position) == (148, [Dead(None)])
    assert (position.ending, position.winner, position.to_act) == (DEAD, NOBODY, NOBODY)
    assert (position.turn, position.renewals) == (69, 0)
    assert [crew.hand_size() for crew in position.crews] == [0, 0]
    assert legal(position) == []


def test_v5_is_dead_under_every_reading_of_the_captain_and_the_start() -> None:
    for ruleset in READINGS:
        assert replayed(dealt(ruleset)) == (148, [Dead(None)])


def test_v5_was_alive_one_turn_before() -> None:
    position = dealt(PIRATES_NEST)
    *turns, _ = TRACE["turns"]
    for _, turn in turns:
        for action in turn:
            apply(position, code_in(action))
        assert isinstance(apply(position, END_TURN)[0], TurnEnded)


# V6: nobody lacks an action, and nobody can ever move a pirate again.

MAP, PARROT = 4, 5


def forced_ping_pong(ruleset: Ruleset) -> list[list[Happening]]:
    """From a deal of seven maps and seven parrots each seat brings three pirates aboard.

    Returns what each end of a turn told.
    """
    others = list(ruleset.deck())
    for sign in [MAP, PARROT] * 7:
        others.remove(sign)
    order = [MAP] * 7 + [PARROT] * 7 + others
    position = new(ruleset, Board.of_pieces([range(7)] * 5), seats=2, order=order)
    ends: list[list[Happening]] = []
    for steps in ([0, 0, 1], [0, 1, -1], [1]):
        for sign in (MAP, PARROT):
            near, far = sign + 1, sign + 8
            for step in steps:
                apply(position, play_code(sign, {0: START, 1: far, -1: near}[step]))
            ends.append(apply(position, END_TURN))
    assert [crew.places(SLOOP) for crew in position.crews] == [[START] * 3 + [SLOOP] * 3] * 2
    assert [crew.hand_size() for crew in position.crews] == [0, 0]
    return ends


def test_v6_the_forced_ping_pong_is_reached_from_a_deal_in_six_turns() -> None:
    for ruleset in READINGS:
        *before, last = forced_ping_pong(ruleset)
        assert all(isinstance(told[-1], TurnEnded) for told in before)
        assert last == [Dead(None)]


@pytest.mark.parametrize("dock", [1, 2])
@pytest.mark.parametrize("seat", [RED, BLUE])
def test_v6_everybody_can_sail_and_do_nothing_else_so_it_is_dead(seat: int, dock: int) -> None:
    position = nest_table(red="sloop sloop sloop", blue="sloop sloop sloop", seat=seat, dock=dock)
    assert legal(position) == [SAIL, CAPTAIN_SAIL]
    apply(position, SAIL)
    assert apply(position, END_TURN) == [Dead(None)]


def test_v6_lives_as_long_as_one_card_is_left_to_play() -> None:
    position = nest_table(red="sloop sloop sloop", blue="sloop sloop sloop", hands=("map", ""))
    apply(position, SAIL)
    assert apply(position, END_TURN) == [TurnEnded(RED, BLUE)]


# V4: two seats sail to and fro because they like to.


def test_v4_the_voluntary_ping_pong_ends_by_quiet_rounds() -> None:
    position = new(PIRATES_NEST, Board.of_pieces([range(7)] * 5), seats=2, order=PIRATES_NEST.deck())
    told = [*apply(position, push_code(BLUE, START)), *apply(position, END_TURN)]
    told += [*apply(position, push_code(RED, START)), *apply(position, END_TURN)]
    turns = 2
    while not position.over:
        apply(position, SAIL)
        told = apply(position, END_TURN)
        turns += 1
    assert (turns, told) == (80, [Quiet(40)])
    assert (position.ending, position.winner) == (QUIET, NOBODY)


def test_v4_goes_on_when_quiet_rounds_are_switched_off() -> None:
    ruleset = PIRATES_NEST.with_options(quiet_rounds=0)
    position = nest_table(ruleset, red="sloop", blue="sloop")
    for _ in range(500):
        apply(position, SAIL)
        apply(position, END_TURN)
    assert not position.over


# V1, V2, V3: laid out by hand.

FIVE_HOME = "nest nest nest nest nest"


def test_v1_red_is_stuck_but_blue_can_fetch_the_sloop() -> None:
    position = nest_table(red=f"20 {FIVE_HOME}", dock=2, seat=RED)
    assert legal(position) == [END_TURN]
    assert apply(position, END_TURN) == [Passed(RED, forced=True), TurnEnded(RED, BLUE)]
    assert SAIL in legal(position)


def test_v1_lives_on_even_if_nobody_has_a_card() -> None:
    assert not dead_at_the_end_of_the_turn(nest_table(red=f"20 {FIVE_HOME}", dock=2))


def test_v2_is_dead_because_nobody_may_call_the_sloop() -> None:
    ruleset = PIRATES_NEST.with_options(start_is_island1=False)
    position = nest_table(ruleset, red=f"20 {FIVE_HOME}", dock=2)
    assert legal(position) == [END_TURN]
    assert apply(position, END_TURN) == [Passed(RED, forced=True), Dead(None)]


def test_v2_lives_if_a_captain_beside_an_empty_sloop_may_cross_without_condition() -> None:
    ruleset = PIRATES_NEST.with_options(
        start_is_island1=False, captain_needs_aboard=False, captain_needs_precondition=False
    )
    position = nest_table(ruleset, red=f"20 {FIVE_HOME}", dock=2)
    assert not dead_at_the_end_of_the_turn(position)
    for half in ("captain_needs_aboard", "captain_needs_precondition"):
        stricter = ruleset.with_options(**{half: True})
        assert dead_at_the_end_of_the_turn(nest_table(stricter, red=f"20 {FIVE_HOME}", dock=2))


@pytest.mark.parametrize("dock", [1, 2])
def test_v3_two_lone_pirates_on_34_without_cards_are_dead_under_all_options(dock: int) -> None:
    for ruleset in READINGS:
        crew = f"34 {FIVE_HOME}"
        assert dead_at_the_end_of_the_turn(nest_table(ruleset, red=crew, blue=crew, dock=dock))
