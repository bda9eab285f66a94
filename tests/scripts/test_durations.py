"""What tests take: written, read, and dealt out to workers."""

from pathlib import Path

import pytest

from scripts.durations import REST, Lot, dealt, lots_of, read_durations, seconds_of, write_durations

pytest_plugins = ["pytester"]

FILE = "tests/scripts/test_durations.py"


def test_quick_tests_are_summed_up_and_files_that_were_not_measured_stay(tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    write_durations({"tests/scripts/test_ci.py::test_a": 2.0}, path)
    write_durations({f"{FILE}::test_a[x::y]": 3.04, f"{FILE}::test_b": 0.5, f"{FILE}::test_c": 0.25}, path)
    durations = read_durations(path)
    assert durations == {
        "tests/scripts/test_ci.py": {"test_a": 2.0},
        FILE: {"test_a[x::y]": 3.0, REST: 0.8},
    }
    assert seconds_of(FILE, durations) == 3.8


def test_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    write_durations({"tests/gone.py::test_a": 2.0}, path)
    assert read_durations(path) == {}


def test_a_file_that_was_never_measured_counts_as_a_second() -> None:
    assert seconds_of("tests/new.py", {}) == 1.0


def lots(*seconds: float) -> list[Lot]:
    return [Lot(takes, (test,)) for test, takes in enumerate(seconds)]


def test_every_share_begins_with_long_tests_and_their_seconds_are_even() -> None:
    order = list(dealt(lots(0, 9, 0, 4, 0, 5, 0, 0), 2))
    assert sorted(order) == list(range(8))
    assert order == [1, 0, 2, 4, 5, 3, 6, 7]


def test_more_long_tests_than_a_share_holds_lose_none() -> None:
    assert sorted(dealt(lots(9, 1, 1, 1, 1, 0), 3)) == list(range(6))


def test_what_belongs_together_stays_together() -> None:
    assert list(dealt([*lots(0, 0), Lot(5, (2, 3, 4)), Lot(6, (5,))], 2)) == [5, 0, 1, 2, 3, 4]


SHARING = """
import pytest

@pytest.fixture(scope="module")
def table():
    return 1

def test_a(table): pass
def test_b(table): pass
def test_c(): pass
"""
APART = """
def test_a(): pass
def test_b(): pass
"""


def test_tests_that_share_a_part_of_their_file_are_one_lot(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(test_one=SHARING, test_two=APART)
    items, _ = pytester.inline_genitems("-p", "no:cacheprovider")
    assert lots_of(items, {}) == [Lot(0, (0, 1, 2)), Lot(0, (3,)), Lot(0, (4,))]
