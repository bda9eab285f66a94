"""R6 The end: the witnesses of the rulings, each played from a regular deal."""

from collections import Counter

import pytest

from cartagena.rules.codes import END_TURN
from cartagena.rules.happenings import Dead, Passed, Quiet, TurnEnded
from cartagena.rules.legality import legal
from cartagena.rules.places import HOME
from cartagena.rules.position import DEAD, NOBODY, QUIET
from cartagena.rules.ruleset import JAMAICA, TORTUGA, Ruleset
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import UndoableGame
from tests.tables import BLUE, RED, board_drawn, cards, hand, places, play, retreat

RULESETS = [
    JAMAICA,
    TORTUGA,
    JAMAICA.with_options(retreat_from_sloop=False),
    TORTUGA.with_options(pass_allowed=True, retreat_from_sloop=False),
]


def deal(ruleset: Ruleset, *hands: str) -> UndoableGame:
    """A new game in which the first cards of the shuffled deck make these hands."""
    dealt = cards("".join(hands))
    rest = Counter(ruleset.deck())
    rest.subtract(dealt)
    order = [*dealt, *rest.elements()]
    return UndoableGame(new(ruleset, board_drawn("BDHKPS"), seats=len(hands), order=order))


def turn(game: UndoableGame, *codes: int) -> list[object]:
    """A whole turn; what its end told."""
    for code in codes:
        game.act(code, sorted)
    return list(game.act(END_TURN, sorted))


@pytest.mark.rule("R2.13")
@pytest.mark.rule("R4.8")
@pytest.mark.parametrize("ruleset", RULESETS[2:], ids=range(2))
def test_w1_red_spends_six_cards_on_one_pirate_that_stays_aboard_and_can_only_pass(ruleset: Ruleset) -> None:
    game = deal(ruleset, "SSSSSS", "DSSSSS")
    turn(game, play("S", 0))
    turn(game, play("D", 0), play("S", 2), play("S", 12))
    turn(game, play("S", 6), play("S", 12), play("S", 24))
    turn(game, play("S", 18))
    assert turn(game, play("S", 30), play("S", 36)) == [TurnEnded(RED, BLUE)]
    assert turn(game, play("S", 24)) == [
        TurnEnded(BLUE, RED),
        Passed(RED, forced=True),
        TurnEnded(RED, BLUE),
    ]
    assert places(game.position, RED) == [0, 0, 0, 0, 0, HOME]


@pytest.mark.rule("R2.10")
@pytest.mark.rule("R2.13")
@pytest.mark.rule("R2.14")
@pytest.mark.parametrize("ruleset", RULESETS, ids=range(4))
def test_w2_red_walks_one_pirate_over_the_first_six_spaces_and_is_stuck_for_now(ruleset: Ruleset) -> None:
    game = deal(ruleset, "BDHKPS", "SSSSBB")
    turn(game, play("B", 0), play("D", 1), play("H", 2))
    turn(game, play("S", 0), play("S", 6), play("S", 12))
    turn(game, play("K", 3), play("P", 4), play("S", 5))
    assert (places(game.position, RED), hand(game.position, RED)) == ([0, 0, 0, 0, 0, 6], "")
    assert turn(game, play("S", 18)) == [
        TurnEnded(BLUE, RED),
        Passed(RED, forced=True),
        TurnEnded(RED, BLUE),
    ]
    turn(game, play("B", 0))
    assert game.position.to_act == RED
    assert retreat(6) in legal(game.position)


@pytest.mark.rule("R6.7")
@pytest.mark.rule("R6.11")
@pytest.mark.parametrize("ruleset", RULESETS, ids=range(4))
def test_w4_both_seats_bring_one_pirate_home_with_six_cards_in_five_turns(ruleset: Ruleset) -> None:
    game = deal(ruleset, "SSSSSS", "DSSSSS")
    turn(game, play("S", 0))
    turn(game, play("D", 0), play("S", 2), play("S", 12))
    turn(game, play("S", 6), play("S", 12), play("S", 24))
    turn(game, play("S", 18), play("S", 24), play("S", 36))
    told = turn(game, play("S", 30), play("S", 36))
    position = game.position
    assert told == [Dead(None)]
    assert [places(position, seat) for seat in (RED, BLUE)] == [[0, 0, 0, 0, 0, HOME]] * 2
    assert [hand(position, seat) for seat in (RED, BLUE)] == ["", ""]
    assert (position.turn, position.ending, position.winner) == (5, DEAD, NOBODY)
    assert legal(position) == []


@pytest.mark.rule("R6.13")
@pytest.mark.rule("R6.14")
@pytest.mark.parametrize("ruleset", RULESETS, ids=range(4))
def test_w5_two_pirates_that_share_space_1_are_ended_by_quiet_rounds(ruleset: Ruleset) -> None:
    game = deal(ruleset, "BDHKPS", "BDHKPS")
    turn(game, play("B", 0))
    told = turn(game, play("B", 0), retreat(7))
    for _ in range(78):
        assert not game.position.over
        card = next(code for code in legal(game.position) if code >= play("B", 0) and code % 38 == 1)
        game.act(card, sorted)
        (walker,) = [place for place in places(game.position, game.position.seat) if place > 1]
        told = turn(game, retreat(walker))
    assert told == [Quiet(40)]
    assert (game.position.turn, game.position.ending, game.position.winner) == (80, QUIET, NOBODY)
    assert [places(game.position, seat) for seat in (RED, BLUE)] == [[0, 0, 0, 0, 0, 1]] * 2
