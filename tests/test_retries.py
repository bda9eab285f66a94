"""The plugin that gives a second try: which tests get one, and what it says about it."""

from pathlib import Path

import pytest

from tests.retries import OPTION

pytest_plugins = ["pytester"]

FLAKY = """
    from pathlib import Path

    import pytest

    def second_time(name):
        file = Path(__file__).with_name(name)
        was_there = file.exists()
        file.touch()
        return was_there

    @pytest.mark.processes
    def test_starved():
        assert second_time("starved"), "the worker never answered"

    @pytest.mark.processes
    def test_broken():
        raise RuntimeError("no such program")

    def test_ordinary():
        assert second_time("ordinary"), "a wrong number"
"""
CONFIG = """
    [pytest]
    markers = processes
    addopts = --strict-markers -p xdist -p pytest_rerunfailures -p tests.retries
"""


@pytest.fixture
def flaky(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of tests that fail the first time."""
    for name in ("CI", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than the tests
    pytester.makeini(CONFIG)
    pytester.makepyfile(test_flaky=FLAKY)
    return pytester


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_second_try_is_for_marked_tests_and_named_with_the_reason_of_the_first(
    flaky: pytest.Pytester, workers: str
) -> None:
    told = flaky.runpytest_subprocess(OPTION, "-n", workers)
    told.assert_outcomes(passed=1, failed=2)
    told.stdout.fnmatch_lines(["*needed a second try*"])
    told.stdout.fnmatch_lines_random(
        [
            "SECOND TRY test_flaky.py::test_starved: AssertionError: the worker never answered",
            "SECOND TRY test_flaky.py::test_broken (and failed again): RuntimeError: no such program",
            "*2 failed, 1 passed, 2 rerun*",
        ]
    )
    told.stdout.no_fnmatch_line("*test_ordinary*: *again*")


@pytest.mark.parametrize("ci", [True, False])
def test_without_the_option_only_ci_tries_again(
    flaky: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *, ci: bool
) -> None:
    if ci:
        monkeypatch.setenv("CI", "true")
    told = flaky.runpytest_subprocess("-k", "starved")
    told.assert_outcomes(passed=int(ci), failed=int(not ci))
