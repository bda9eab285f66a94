"""How long each test takes, as measured: pytest deals the long ones out first, and `make quick` picks by it.

A pytest plugin, registered in conftest.py. `pytest --write-durations` measures anew and writes
tests/durations.json; tests under SLOW seconds are summed up by file.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[1]
DURATIONS: Final = ROOT / "tests" / "durations.json"
SLOW: Final = 1.0
REST: Final = "the others"
"""The entry of a file for all its tests that are not slow, together."""

Durations = dict[str, dict[str, float]]
"""Seconds by file and, inside it, by test."""


def read_durations(path: Path = DURATIONS) -> Durations:
    """The last measurements; empty if there are none."""
    if not path.exists():
        return {}
    measured: Durations = json.loads(path.read_text(encoding="utf-8"))
    return measured


def seconds_of(file: str, durations: Durations) -> float:
    """What all tests of a file take together; one second for a file that was never measured."""
    return sum(durations.get(file, {REST: 1.0}).values())


def write_durations(measured: dict[str, float], path: Path = DURATIONS) -> None:
    """Write seconds by test id, and keep what is there of files that were not measured now."""
    durations: Durations = defaultdict(lambda: defaultdict(float))
    for test, seconds in measured.items():
        file, _, name = test.partition("::")
        durations[file][name if seconds >= SLOW else REST] += seconds
    kept = read_durations(path) | durations
    rounded = {
        file: {name: round(seconds, 1) for name, seconds in sorted(tests.items())}
        for file, tests in sorted(kept.items())
        if (ROOT / file).exists()
    }
    path.write_text(json.dumps(rounded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


class Lot(NamedTuple):
    """Tests that one worker runs one after the other, by their numbers."""

    seconds: float
    """0 for quick ones."""
    tests: tuple[int, ...]


def dealt(lots: Sequence[Lot], workers: int) -> Iterator[int]:
    """An order of tests in which every worker begins with long ones.

    xdist's worksteal hands each worker an equal run of the list. The long lots are dealt to those runs so
    that their seconds are even; the quick ones follow in their old order, so that files stay together.
    """
    long = sorted((lot for lot in lots if lot.seconds), key=lambda lot: -lot.seconds)
    quick = iter([test for lot in lots if not lot.seconds for test in lot.tests])
    shares: list[list[Lot]] = [[] for _ in range(workers)]
    for lot in long:
        min(shares, key=lambda share: sum(other.seconds for other in share)).append(lot)
    equal = sum(len(lot.tests) for lot in lots) // workers
    for share in shares:
        first = [test for lot in share for test in lot.tests]
        yield from first
        yield from islice(quick, max(0, equal - len(first)))
    yield from quick


class Recorder:
    """Adds up what each test takes, its set-up and tear-down included."""

    def __init__(self) -> None:
        self.measured: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a phase of a test; under xdist the reports of all workers arrive here."""
        self.measured[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write what was measured."""
        write_durations(self.measured)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--write-durations`."""
    parser.addoption(
        "--write-durations", action="store_true", help="write what each test takes to tests/durations.json"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure if asked to; the workers of xdist leave that to their controller."""
    if config.getoption("--write-durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(), "durations-recorder")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal long tests out to the workers of xdist."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers < 2:  # noqa: PLR2004
        return
    items[:] = [items[test] for test in dealt(lots_of(items, read_durations()), workers)]


def lots_of(items: Sequence[pytest.Item], durations: Durations) -> list[Lot]:
    """One lot for each test, or one for a whole file if its tests share a fixture that is made once."""
    sharing = {item.path for item in items if _shares(item)}
    lots: list[Lot] = []
    for path, tests in groupby(range(len(items)), key=lambda test: items[test].path):
        numbers = tuple(tests)
        seconds = [_slow_seconds(items[test].nodeid, durations) for test in numbers]
        if path in sharing:
            lots.append(Lot(sum(seconds), numbers))
        else:
            lots += (Lot(takes, (test,)) for takes, test in zip(seconds, numbers, strict=True))
    return lots


def _shares(item: pytest.Item) -> bool:
    """Whether a test uses a fixture that is made once for its file."""
    if not isinstance(item, pytest.Function):
        return False
    parts = item._fixtureinfo.name2fixturedefs.values()  # noqa: SLF001 - pytest tells of them nowhere else
    return any(part.scope == "module" for several in parts for part in several)


def _slow_seconds(test: str, durations: Durations) -> float:
    file, _, name = test.partition("::")
    return durations.get(file, {}).get(name, 0.0)
