"""Which family of games is played is asked in the rooms of the families, and hardly anywhere else."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "cartagena"
FAMILIES = PACKAGE / "rules" / "families"
ASKS = re.compile(r"\bfamily (?:==|!=|is) ")
ALLOWED = {
    "bots/random_games.py": 1,
    "fairness/shuffle.py": 1,
    "fairness/record.py": 1,
    "rules/actions.py": 1,
    "rules/ruleset.py": 1,
    # Two values must belong to one game.
    "game.py": 1,
    "messages/views.py": 1,
    "notation/record.py": 1,
    "notation/position_text.py": 1,
    "rules/setup.py": 1,
}
"""Where a board is laid by chance, a code without a card is read, or an option differs; see decision 0033."""


def test_no_other_line_asks_which_family_is_played() -> None:
    found = {
        str(file.relative_to(PACKAGE)): number
        for file in PACKAGE.rglob("*.py")
        if not file.is_relative_to(FAMILIES)
        and (number := len(ASKS.findall(file.read_text(encoding="utf-8"))))
    }
    assert found == ALLOWED
