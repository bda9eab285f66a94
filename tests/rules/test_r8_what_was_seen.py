"""R8 Undo: what was seen stays seen."""

from random import Random

import pytest

from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, TORTUGA
from cartagena.rules.undoable_game import UndoableGame
from tests.tables import BLUE, RED, cards, play, table


def after(position: Position, *codes: int) -> UndoableGame:
    """A game in which these choices were made."""
    game = UndoableGame(position)
    for code in codes:
        game.act(code, list)
    return game


def sampled_hands(game: UndoableGame, owner: int = RED, viewer: int = BLUE) -> list[list[int]]:
    """The hands of one seat in some worlds that another takes for possible."""
    worlds = Worlds(view(game.position, viewer))
    chance = Random(8)
    return [worlds.draw(chance).crews[owner].cards() for _ in range(40)]


@pytest.mark.rule("R8.10")
def test_a_card_taken_back_is_known_to_be_in_the_hand() -> None:
    game = after(table(JAMAICA, hands=("SBD", "BBB")), play("S", 0))
    skull = cards("S")[0]
    game.undo()
    assert all(skull in hand for hand in sampled_hands(game))
    assert not all(cards("B")[0] in hand for hand in sampled_hands(game))


@pytest.mark.rule("R8.10")
def test_two_cards_taken_back_are_both_known() -> None:
    game = after(table(JAMAICA, hands=("SSD", "BBB")), play("S", 0), play("S", 0))
    game.undo()
    game.undo()
    assert all(hand.count(cards("S")[0]) >= 2 for hand in sampled_hands(game))


@pytest.mark.rule("R8.10")
def test_a_card_taken_back_and_played_again_proves_one_card_only() -> None:
    game = after(table(JAMAICA, hands=("SBD", "BBB")), play("S", 0))
    game.undo()
    game.act(play("S", 0), list)
    assert not all(cards("S")[0] in hand for hand in sampled_hands(game))
    assert {len(hand) for hand in sampled_hands(game)} == {2}


@pytest.mark.rule("R8.10")
def test_the_only_card_of_a_hand_may_be_played_taken_back_and_played_again() -> None:
    game = after(table(JAMAICA, hands=("S", "BBB")), play("S", 0))
    game.undo()
    game.act(play("S", 0), list)
    assert sampled_hands(game) == [[]] * 40


@pytest.mark.rule("R8.10")
def test_open_hands_need_no_memory_of_undo() -> None:
    game = after(table(TORTUGA, hands=("SBD", "BBB"), row="B" * 12), play("S", 0))
    game.undo()
    assert game.position.log == []


@pytest.mark.rule("R8.10")
@pytest.mark.parametrize(("owner", "viewer"), [(RED, BLUE), (BLUE, RED)])
def test_it_does_not_matter_whose_card_it_is(owner: int, viewer: int) -> None:
    hands = ("BKD", "HHH") if owner == RED else ("HHH", "BKD")
    game = after(table(JAMAICA, hands=hands, seat=owner), play("B", 0))
    game.undo()
    found = sampled_hands(game, owner, viewer)
    assert all(cards("B")[0] in hand for hand in found)
    assert {len(hand) for hand in found} == {3}
    assert view(game.position, viewer).memory.hands[viewer] == cards("HHH")
    assert view(game.position, owner).memory.hands[owner] == tuple(sorted(cards("BKD")))
