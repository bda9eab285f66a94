"""The page about ASVS has every requirement of levels 1 and 2 once, and says where it stands."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "asvs.md"
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
STATUS = re.compile(r"^\| (holds|does not apply|operator|otherwise) \| [^|]+ \|$", re.MULTILINE)

LAST = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2,
    "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2,
    "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4,
    "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2,
    "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1,
    "9.1": 3, "9.2": 4,
    "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3,
    "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4,
    "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5,
    "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7,
    "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
    "17.1": 1, "17.2": 4, "17.3": 2,
}  # fmt: skip
"""How many numbers of each section are of level 1 or 2, from ASVS 5.0.0; those of level 3 come last."""


def numbers() -> list[str]:
    return [f"{section}.{number}" for section, last in LAST.items() for number in range(1, last + 1)]


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_every_number_is_there_once_and_in_its_order(page: str) -> None:
    assert len(numbers()) == 253
    assert [number for number, *_ in ROW.findall(page)] == numbers()


def test_every_line_that_begins_with_a_number_is_read(page: str) -> None:
    assert len(re.findall(r"^\| *\d", page, re.MULTILINE)) == len(ROW.findall(page))


def test_every_status_is_one_of_those_that_are_explained(page: str) -> None:
    explained = set(STATUS.findall(page))
    assert len(explained) == 4
    assert {status for _, _, status, _ in ROW.findall(page)} == explained


def test_a_chapter_holds_its_own_numbers(page: str) -> None:
    for chapter, text in re.findall(r"^## V(\d+) .+?\n(.*?)(?=^## V|\Z)", page, re.MULTILINE | re.DOTALL):
        assert {number.split(".")[0] for number, *_ in ROW.findall(text)} == {chapter}
