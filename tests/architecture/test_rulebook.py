"""The rulebook, the code and the tests cite the same sentences."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SENTENCE = re.compile(r"^\*\*(R\d+\.\d+)\*\*( \*about\*)? (.+)$", re.MULTILINE)
NUMBER = re.compile(r"R\d+\.\d+")
RANGE = re.compile(r"R(\d+)\.(\d+) to R(\d+)\.(\d+)")
MARK = re.compile(r"@pytest\.mark\.rule\(([^)]*)\)")
BOOK = ("docs/rules/cartagena.md", "docs/rules/nest.md")


def sentences() -> dict[str, bool]:
    """Every number of the rulebook, and whether its sentence decides something."""
    text = "\n".join((ROOT / page).read_text() for page in BOOK)
    return {number: not about for number, about, _ in SENTENCE.findall(text)}


def numbers_in(text: str) -> set[str]:
    """The numbers a text cites; "R10.4 to R10.10" cites everything in between."""
    cited = set(NUMBER.findall(text))
    for chapter, first, _, last in RANGE.findall(text):
        cited |= {f"R{chapter}.{number}" for number in range(int(first), int(last) + 1)}
    return cited


def cited_by_code() -> set[str]:
    """The sentences that the engine cites."""
    return numbers_in("\n".join(path.read_text() for path in (ROOT / "src/cartagena/rules").rglob("*.py")))


def proved_by_tests() -> set[str]:
    """The sentences that a test is marked with."""
    text = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    return numbers_in("\n".join(MARK.findall(text)))


def test_the_rulebook_numbers_its_sentences_without_gaps() -> None:
    chapters: dict[int, list[int]] = {}
    for number in sentences():
        chapter, place = map(int, number[1:].split("."))
        chapters.setdefault(chapter, []).append(place)
    assert sorted(chapters) == list(range(1, 14))
    for places in chapters.values():
        assert places == list(range(1, len(places) + 1))


@pytest.mark.parametrize("cited", [cited_by_code, proved_by_tests], ids=["code", "tests"])
def test_every_sentence_that_decides_something_is_cited(cited: Callable[[], set[str]]) -> None:
    deciding = {number for number, decides in sentences().items() if decides}
    assert deciding - cited() == set()


@pytest.mark.parametrize("cited", [cited_by_code, proved_by_tests], ids=["code", "tests"])
def test_nobody_cites_a_sentence_that_does_not_exist(cited: Callable[[], set[str]]) -> None:
    assert cited() - set(sentences()) == set()
