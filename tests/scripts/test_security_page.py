"""The pages about security name tests that exist."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
PAGES = ("security.md", "asvs.md")
NAMED = re.compile(r"`([a-z_/0-9]+\.py)::(test_\w+)`")


def names_in(file: Path) -> set[str]:
    """The names of the tests of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def missing(page: str) -> list[str]:
    """What a page names that is not there."""
    return [
        f"{path}::{name}"
        for path, name in sorted(set(NAMED.findall(page)))
        if not (TESTS / path).is_file() or name not in names_in(TESTS / path)
    ]


@pytest.mark.parametrize("name", PAGES)
def test_every_test_that_the_page_names_exists(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert len(NAMED.findall(page)) > 50
    assert missing(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_name_that_looks_like_a_test_is_looked_for(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert page.count("::") == len(NAMED.findall(page))


def test_a_test_that_is_not_there_is_noticed() -> None:
    assert missing("`scripts/test_security_page.py::test_none`, `nowhere.py::test_a`") == [
        "nowhere.py::test_a",
        "scripts/test_security_page.py::test_none",
    ]
