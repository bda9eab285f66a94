"""What Python shows of a position: its text once the notation is handed to it, and nothing of it before."""

import pytest

from cartagena.notation import parse_position
from cartagena.notation.position_text import described
from cartagena.rules import position as module
from cartagena.rules.legality import apply
from cartagena.rules.places import HOME
from cartagena.rules.ruleset import TORTUGA
from tests.tables import nest_table, play, table

TABLES = [
    table(red="1.2 > 1", blue="..1", hands=("BKK", "S")),
    table(TORTUGA, red="1.2", blue="..1", hands=("B", "S"), row="KS"),
    nest_table(red="1 sloop", blue="3 20 nest", hands=("map MAP", "pa"), dock=2),
]


@pytest.mark.parametrize("position", TABLES)
def test_the_text_gives_an_equal_position_back(position: module.Position) -> None:
    again = parse_position(described(position))
    assert again == position
    assert {again, position, position.copy()} == {position}
    assert position != described(position)


def test_of_a_position_without_a_text_it_is_said_how_far_its_game_is() -> None:
    over = table(red=[31, *[HOME] * 5], hands=("B",))
    apply(over, play("B", 31))
    assert described(over).startswith(f"<Position of jamaica, turn {over.turn}: ")


def test_only_who_hands_in_a_writer_is_shown_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    position = table(hands=("BKK", "S"))
    monkeypatch.setattr(module, "describe", None)
    assert "Position object at" in repr(position)
    monkeypatch.setattr(module, "describe", described)
    assert repr(position) == described(position)
