"""The page docs/notation.md says what the code does."""

import re
from pathlib import Path

import pytest

from cartagena.notation import COLOURS, format_action
from cartagena.notation.action_text import KINDS
from cartagena.notation.position_text import KEYS as POSITION_KEYS
from cartagena.notation.record import Ending
from cartagena.notation.record_reader import KEYS as HEADER_KEYS
from cartagena.rules.actions import ACTIONS, Kind, action_of
from cartagena.rules.codes import EVERY_CODE
from cartagena.rules.ruleset import GOLD, PRESETS, SIGNS

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
GRAMMAR = PAGE[PAGE.index("```text\naction    = ") :]
ROW = re.compile(r"^\| (escape|nest) \| (\d+)(?: to (\d+))? \| (.*) \|$", re.MULTILINE)
LINE = re.compile(r"(\d+) \S \((\d+) \+ (?:sign|crew)\) \+ place|(\d+) \+ sign")


def rows(family: str) -> list[tuple[range, str]]:
    """The table of codes: which codes, and what the page says of them."""
    return [
        (range(int(first), int(last or first) + 1), says)
        for whose, first, last, says in ROW.findall(PAGE)
        if whose == family
    ]


@pytest.mark.parametrize("family", ["escape", "nest"])
def test_the_table_names_every_code_once(family: str) -> None:
    assert [code for codes, _ in rows(family) for code in codes] == list(EVERY_CODE[family])


@pytest.mark.parametrize("family", ["escape", "nest"])
def test_every_row_says_the_kind_and_the_card_of_its_codes(family: str) -> None:
    for codes, says in rows(family):
        if says == "say nothing":
            assert not ACTIONS[family].keys() & codes
            continue
        actions = [action_of(family, code) for code in codes]
        kinds = {action.kind for action in actions}
        assert kinds == {Kind(says.split("`")[1])}
        gold = {action.card >= GOLD for action in actions if action.card is not None}
        assert gold <= {" gold" in says}


@pytest.mark.parametrize("family", ["escape", "nest"])
def test_every_formula_gives_the_codes_of_its_row(family: str) -> None:
    for codes, says in rows(family):
        for places, line, first in LINE.findall(says):
            if first:
                assert list(codes) == [int(first) + sign for sign in range(len(SIGNS[family]))]
            else:
                lines = len(COLOURS) if "crew" in says else len(SIGNS[family])
                start = int(places) * int(line)
                assert codes == range(start, start + int(places) * lines)


def test_the_page_knows_every_word() -> None:
    words = {kind for family in KINDS.values() for kind in family} | set(PRESETS) | set(COLOURS)
    words |= {ending.value for ending in Ending if ending is not Ending.WON} | {"wins", "none", "?"}
    assert {word for word in words if f'"{word}"' not in GRAMMAR} == set()
    keys = {key for key in (*HEADER_KEYS, *POSITION_KEYS) if key not in COLOURS}
    assert {key for key in keys if f'"{key}:"' not in GRAMMAR} == set()
    assert all(" ".join(signs) in PAGE.replace("\n", " ") for signs in SIGNS.values())


def test_the_examples_of_actions_are_actions() -> None:
    for word, example in re.findall(r"^\| `(\w+)`[^|]*\| `([^`]+)`", PAGE, re.MULTILINE):
        if word in {kind.value for kind in Kind}:
            families = [family for family in KINDS if word in KINDS[family]]
            texts = {format_action(family, code) for family in families for code in ACTIONS[family]}
            assert example in texts
