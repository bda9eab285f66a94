"""Values of the engine can be copied and sent to another process, interpreted and compiled."""

import copy
import pickle
from typing import TypeVar

import pytest

from cartagena.rules.hidden.view import view
from cartagena.rules.laws import same
from cartagena.rules.legality import legal
from cartagena.rules.perft import perft
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import PRESETS, TORTUGA, Ruleset
from cartagena.rules.undoable_game import UndoableGame
from tests.tables import nest_table, play, table

T = TypeVar("T")

RULESETS = [*PRESETS.values(), TORTUGA.with_options(quiet_rounds=7, pass_allowed=True)]


def sent(thing: T) -> T:
    """What another process gets."""
    return pickle.loads(pickle.dumps(thing))  # type: ignore[no-any-return]  # noqa: S301  # our own bytes


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_is_copied(ruleset: Ruleset) -> None:
    assert copy.deepcopy(ruleset) == ruleset
    assert sent(ruleset) == ruleset


def test_a_position_and_its_view_are_sent_to_another_process() -> None:
    for position in (table(red="1 2", hands=("BD", "S")), nest_table(red="3 sloop", hands=("map MAP", "ca"))):
        twin = sent(position)
        assert same(twin, position)
        assert same(copy.deepcopy(position), position)
        assert twin.mover is twin.crews[twin.seat]
        assert legal(twin) == legal(position)
        assert sent(view(position, 0)) == view(position, 0)


def test_a_game_is_sent_with_its_undo() -> None:
    game = UndoableGame(table(hands=("BD", "S")))
    game.act(play("B", 0), list)
    twin = sent(game)
    twin.undo()
    game.undo()
    assert same(twin.position, game.position)


@pytest.mark.parametrize("seat", [2, -1, "0"])
def test_nobody_looks_from_a_seat_that_is_not_there(seat: int) -> None:
    # The compiled engine does not even accept a text as a seat.
    with pytest.raises((PositionError, TypeError), match=r"no seat|int or None"):
        view(table(hands=("B", "B")), seat)


def test_no_way_is_shorter_than_none() -> None:
    assert perft(table(hands=("B", "B")), -1) == perft(table(hands=("B", "B")), 0) == 1
