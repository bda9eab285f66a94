"""The texts that the analysis board offers to begin with can be opened."""

from pathlib import Path

import pytest

from cartagena.notation import parse_position, parse_record
from cartagena.rules.ruleset import PRESETS

TEXTS = Path("web/src/analysis/beginnings")

pytestmark = pytest.mark.native("the sources of the pages are not there")


@pytest.mark.parametrize("ruleset", PRESETS)
def test_a_new_game_of_each_ruleset_is_a_position_of_its_first_turn(ruleset: str) -> None:
    position = parse_position((TEXTS / f"{ruleset}.txt").read_text())
    assert position.ruleset == PRESETS[ruleset]
    assert position.turn == 1


def test_the_example_is_a_whole_game() -> None:
    assert parse_record((TEXTS / "example.txt").read_text()).result is not None
