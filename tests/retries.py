"""The one layer of retries: in CI a test that drives several processes is run a second time when it fails.

Processes share a busy machine with each other, and one of them may be starved for longer than a test can
wait. No other test is retried. What needed a second try is named at the end, with what went wrong first.
"""

import os

import pytest

OPTION = "--retry-processes"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option; CI=true in the environment stands for it."""
    parser.addoption(
        OPTION,
        action="store_true",
        default=os.environ.get("CI") == "true",
        help="run a failed test a second time if it is marked `processes` (default where CI=true)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give a second try to the marked tests, and to these alone."""
    if config.getoption(OPTION):
        for item in items:
            if item.get_closest_marker("processes") is not None:
                item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each test that was run again, and why; a controller of xdist knows of all its workers."""
    first_tries = terminalreporter.stats.get("rerun", [])
    if not first_tries:
        return
    failed = {report.nodeid for report in terminalreporter.stats.get("failed", [])}
    terminalreporter.section("needed a second try")
    for report in first_tries:
        ending = " (and failed again)" if report.nodeid in failed else ""
        terminalreporter.line(f"SECOND TRY {report.nodeid}{ending}: {reason_of(report)}")


def reason_of(report: pytest.TestReport) -> str:
    """One line that tells what went wrong."""
    crash = getattr(report.longrepr, "reprcrash", None)
    told = crash.message if crash is not None else str(report.longrepr)
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    # Where pytest knows the error, its first line names it; other text ends with it, as a traceback does.
    return lines[0 if crash is not None else -1] if lines else "(nothing was said)"
