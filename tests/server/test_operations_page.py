"""The page for those who run the service names what can be set, and nothing else."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from cartagena.server.shared import club_settings, settings
from cartagena.server.store import shards
from cartagena.tables.errors import Problem

DOCS = Path(__file__).parents[2] / "docs"
SOURCES = Path(__file__).parents[2] / "src" / "cartagena"
LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})
EVENT = re.compile(r"`(\w+)`")
VARIABLE = re.compile(r"\bCARTAGENA_[A-Z_]+\b")
ROW = re.compile(r"^\| `(CARTAGENA_[A-Z_]+)` \|", re.MULTILINE)


def test_the_table_of_settings_has_a_row_for_each_variable_that_is_read() -> None:
    read = {
        name
        for module in (settings, club_settings, shards)
        for name in VARIABLE.findall(inspect.getsource(module))
    }
    rows = ROW.findall((DOCS / "operations.md").read_text(encoding="utf-8"))
    assert sorted(rows) == sorted(read)


def events_in(file: Path) -> Iterator[str]:
    """What a module logs: the first word that is handed to a method of a log."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LEVELS:
            # `log` itself takes the level before the event.
            words = node.args[1:2] if node.func.attr == "log" else node.args[:1]
            yield from (str(one.value) for one in words if isinstance(one, ast.Constant))


def test_the_table_of_events_has_each_that_is_logged_and_no_other() -> None:
    files = [*(SOURCES / "server").rglob("*.py"), SOURCES / "cli" / "worker.py"]
    logged = {event for file in files for event in events_in(file)}
    page = (DOCS / "operations.md").read_text(encoding="utf-8")
    table = page.partition("\n| event | means |\n|---|---|\n")[2].partition("\n\n")[0]
    told = {event for row in table.splitlines() for event in EVENT.findall(row)}
    assert logged - told == set(), "not in the table"
    firsts = {event for row in table.splitlines() for event in EVENT.findall(row.split(" | ")[0])}
    assert firsts - logged == set(), "logged nowhere"


def test_the_protocol_says_what_to_do_about_every_problem() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    errors = page.partition("\n## Errors\n")[2].partition("\n## ")[0]
    # The refusals of the rules have codes of their own; the page tells of them together.
    codes = {problem.code for problem in Problem if problem is not Problem.REFUSED}
    assert {code for code in codes if f"`{code}`" not in errors} == set()
