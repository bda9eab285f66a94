"""What tests take: written, read, and dealt out to workers."""

from pathlib import Path

from tools.durations import REST, dealt, read_durations, seconds_of, write_durations

FILE = "tests/tools/test_durations.py"


def test_quick_tests_are_summed_up_and_files_that_were_not_measured_stay(tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    write_durations({"tests/tools/test_ci.py::test_a": 2.0}, path)
    write_durations({f"{FILE}::test_a[x::y]": 3.04, f"{FILE}::test_b": 0.5, f"{FILE}::test_c": 0.25}, path)
    durations = read_durations(path)
    assert durations == {
        "tests/tools/test_ci.py": {"test_a": 2.0},
        FILE: {"test_a[x::y]": 3.0, REST: 0.8},
    }
    assert seconds_of(FILE, durations) == 3.8


def test_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    write_durations({"tests/gone.py::test_a": 2.0}, path)
    assert read_durations(path) == {}


def test_a_file_that_was_never_measured_counts_as_a_second() -> None:
    assert seconds_of("tests/new.py", {}) == 1.0


def test_every_share_begins_with_long_tests_and_their_seconds_are_even() -> None:
    seconds = [0, 9, 0, 4, 0, 5, 0, 0]
    order = list(dealt([float(takes) for takes in seconds], 2))
    assert sorted(order) == list(range(8))
    assert order == [1, 0, 2, 4, 5, 3, 6, 7]


def test_more_long_tests_than_a_share_holds_lose_none() -> None:
    assert sorted(dealt([9.0, 1.0, 1.0, 1.0, 1.0, 0.0], 3)) == list(range(6))
