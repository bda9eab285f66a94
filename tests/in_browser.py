"""A plugin of pytest for Python in a browser: what cannot run there is left out, and named at the end."""

import pytest

ABSENT = ("asyncio_default_fixture_loop_scope", "asyncio_mode", "timeout", "timeout_method")
"""Settings in pyproject.toml of plugins that need threads or are not needed there."""
LEFT_OUT = pytest.StashKey[list[tuple[str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the settings of what is not there."""
    for setting in ABSENT:
        parser.addini(setting, "has no effect in a browser")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked, and remember why."""
    marks = {item: item.get_closest_marker("native") for item in items}
    left = [(item, mark.args[0]) for item, mark in marks.items() if mark is not None]
    config.stash[LEFT_OUT] = [(item.nodeid, reason) for item, reason in left]
    config.hook.pytest_deselected(items=[item for item, _ in left])
    items[:] = [item for item in items if marks[item] is None]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Name what was left out."""
    del exitstatus
    terminalreporter.section("left out in a browser")
    for name, reason in config.stash.get(LEFT_OUT, []):
        terminalreporter.line(f"{name}: {reason}")
