"""How long each test takes, as measured: pytest deals the long ones out first, and `make quick` picks by it.

A pytest plugin, registered in conftest.py. `pytest --write-durations` measures anew and writes
tests/durations.json; tests under SLOW seconds are summed up by file.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
DURATIONS: Final = ROOT / "tests" / "durations.json"
SLOW: Final = 1.0
REST: Final = "the others"
"""The entry of a file for all its tests that are not slow, together."""

Durations = dict[str, dict[str, float]]
"""Seconds by file and, inside it, by test."""


def read_durations(path: Path = DURATIONS) -> Durations:
    """What was measured last; nothing if nothing was."""
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


def dealt(seconds: list[float], workers: int) -> Iterator[int]:
    """An order of tests in which every worker begins with long ones; `seconds` are 0 for a quick one.

    xdist's worksteal hands each worker an equal run of the list. The long tests are dealt to those runs so
    that their seconds are even; the quick ones follow in their old order, so that files stay together.
    """
    long = sorted((test for test, takes in enumerate(seconds) if takes), key=lambda test: -seconds[test])
    quick = iter([test for test, takes in enumerate(seconds) if not takes])
    shares: list[list[int]] = [[] for _ in range(workers)]
    for test in long:
        min(shares, key=lambda share: sum(seconds[other] for other in share)).append(test)
    for share in shares:
        yield from share
        yield from islice(quick, max(0, len(seconds) // workers - len(share)))
    yield from quick


class Recorder:
    """Adds up what each test takes, its set-up and tear-down included."""

    def __init__(self) -> None:
        self.measured: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a phase of a test; under xdist the reports of all workers come by here."""
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
    durations = read_durations()
    seconds = [_slow_seconds(item.nodeid, durations) for item in items]
    items[:] = [items[test] for test in dealt(seconds, workers)]


def _slow_seconds(test: str, durations: Durations) -> float:
    file, _, name = test.partition("::")
    return durations.get(file, {}).get(name, 0.0)
