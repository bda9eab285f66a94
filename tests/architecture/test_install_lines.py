"""README and docs install the package from where it is: one constant decides, and wrong lines are named."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartagena.install import NAME, NODE, PUBLISHED

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
COMMAND = re.compile(r"\b(?:pip install|pipx install|pipx run|uvx)\b[^`\n#]*")
PROGRAM = re.compile(r"(--spec|--from) (\S+) .*")
"""The program to run, which follows the package and has the same name."""
INDEXED = re.compile(rf"[\s'\"]{NAME}(?=\[|['\"\s]|$)")
"""The package's name, but not a command after it or another package whose name begins the same way."""
LOCAL = re.compile(r"[\s'\"](?:\.(?=\[|['\"\s]|$)|\S*\.whl\b)")
"""A checkout or a wheel."""


def wrong(text: str, *, published: bool) -> bool:
    """Whether a line installs from a place where the package is not.

    >>> wrong("pip install cartagena", published=False), wrong("pip install '.[server]'", published=False)
    (True, False)
    """
    kind = LOCAL if published else INDEXED
    found = (command.group().split("&&")[0] for command in COMMAND.finditer(text))
    commands = (PROGRAM.sub(r"\1 \2", command) for command in found)
    return any(kind.search(command) for command in commands)


def wrong_lines(*, published: bool) -> Iterator[str]:
    for page in PAGES:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if wrong(line, published=published):
                yield f"{page.relative_to(ROOT)}:{number}: {line.strip()}"


def test_every_line_installs_from_where_the_package_is() -> None:
    assert list(wrong_lines(published=PUBLISHED)) == []


def test_the_constant_names_the_lines_that_follow_it() -> None:
    pages = {line.split(":")[0] for line in wrong_lines(published=not PUBLISHED)}
    assert {"README.md", "docs/tutorials/first-game.md", "docs/reference/package.md"} <= pages


@pytest.mark.parametrize(
    ("line", "published", "expected"),
    [
        ("pip install cartagena", False, True),
        ("After `pip install --upgrade 'cartagena[server]'` it runs", False, True),
        ("/opt/cartagena/bin/pip install .", False, False),
        ("pip install cartagena-hurry", False, False),
        ("pip install . && cartagena play", False, False),
        ("pipx run --spec . cartagena play", True, True),
        ("pipx run --spec . cartagena play", False, False),
        ("pipx run cartagena play", False, True),
        ("pip install './cartagena-0.1.0-py3-none-any.whl[server]'", True, True),
        ("pip install ../other", True, False),
    ],
)
def test_a_line_is_judged(line: str, expected: bool, *, published: bool) -> None:  # noqa: FBT001 - a column
    assert wrong(line, published=published) is expected


def test_pages_name_the_node_that_builds_pages() -> None:
    told = {
        version.rstrip(".")
        for page in PAGES
        if page.parent.name != "decisions"
        for version in re.findall(r"Node\.js ([\d.]+)", page.read_text(encoding="utf-8"))
    }
    assert told == {NODE}
