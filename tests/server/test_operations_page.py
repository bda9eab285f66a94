"""The page for those who run the service names what can be set, and nothing else."""

import inspect
import re
from pathlib import Path

from cartagena.server.shared import callers, settings
from cartagena.server.shared.errors import Problem
from cartagena.server.store import shards

DOCS = Path(__file__).parents[2] / "docs"
VARIABLE = re.compile(r"\bCARTAGENA_[A-Z_]+\b")
ROW = re.compile(r"^\| `(CARTAGENA_[A-Z_]+)` \|", re.MULTILINE)


def test_the_table_of_settings_has_a_row_for_each_variable_that_is_read() -> None:
    read = {
        name for module in (settings, callers, shards) for name in VARIABLE.findall(inspect.getsource(module))
    }
    rows = ROW.findall((DOCS / "operations.md").read_text(encoding="utf-8"))
    assert sorted(rows) == sorted(read)


def test_the_protocol_says_what_to_do_about_every_problem() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    errors = page.partition("\n## Errors\n")[2].partition("\n## ")[0]
    # The refusals of the rules have codes of their own; the page tells of them together.
    codes = {problem.code for problem in Problem if problem is not Problem.REFUSED}
    assert {code for code in codes if f"`{code}`" not in errors} == set()
