"""R13 The freebooter and trimming: gold cards move as plain ones do, and what cannot be undone."""

import pytest

from cartagena.rules.explain import explain
from cartagena.rules.happenings import Moved, Played
from cartagena.rules.laws import same_table
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import PIRATES_NEST
from cartagena.rules.undoable_game import UndoableGame
from tests.tables import RED, nest_place, nest_table, play, trim

MAP, GOLD_MAP = 4, 11
SEVEN = "cannon " * 7
EIGHT = "cannon " * 8
NINE = "chest " * 9


# A gold card moves.


@pytest.mark.rule("R13.1")
@pytest.mark.parametrize(("card", "number"), [("map", MAP), ("MAP", GOLD_MAP)])
def test_a_gold_card_moves_a_pirate_as_a_plain_one_does(card: str, number: int) -> None:
    position = nest_table(red="20", blue="26", hands=(card, ""))
    told = apply(position, play(card, "20"))
    assert told == [Played(RED, number), Moved(RED, RED, nest_place("20"), nest_place("33"))]


@pytest.mark.rule("R13.1")
@pytest.mark.parametrize("card", ["CANNON", "CHEST", "COMPASS", "DUCATS", "MAP", "PARROT", "TELESCOPE"])
def test_every_gold_card_follows_its_own_sign(card: str) -> None:
    position = nest_table(hands=(card, ""))
    space = PIRATES_NEST.signs.index(card.lower()) + 1
    assert explain(position, play(card, "start")).target == space


@pytest.mark.rule("R13.1")
def test_a_gold_card_needs_a_legal_move() -> None:
    position = nest_table(red="12", hands=("MAP", EIGHT), dock=2)
    assert refusal(position, play("MAP", "12")) is Refusal.SLOOP_AWAY
    assert play("MAP", "12") not in legal(position)


# Undo stops here (R8.6).


def test_a_gold_play_that_makes_somebody_trim_cannot_be_taken_back() -> None:
    game = UndoableGame(nest_table(hands=("MAP", EIGHT)))
    assert explain(game.position, play("MAP", "start")).reveals
    game.act(play("MAP", "start"), list)
    assert game.refusal_of_undo() is Refusal.REVEALED
    game.act(trim("cannon"), list)
    assert game.refusal_of_undo() is Refusal.REVEALED


def test_a_gold_play_that_makes_nobody_trim_can_be_taken_back() -> None:
    opening = nest_table(hands=("MAP", SEVEN))
    game = UndoableGame(opening)
    game.act(play("MAP", "start"), list)
    game.undo()
    assert same_table(game.position, opening)


def test_every_trim_is_a_barrier_of_its_own() -> None:
    position = nest_table(hands=("MAP", NINE))
    apply(position, play("MAP", "start"))
    assert explain(position, trim("chest")).reveals
    barriers = position.barriers
    apply(position, trim("chest"))
    assert position.barriers == barriers + 1
