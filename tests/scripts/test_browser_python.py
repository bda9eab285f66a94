"""Python for browsers in Node.js: it finds the checkout, and its exit code is the module's."""

import json
import shutil
import subprocess

import pytest

from scripts import browser_python
from scripts.browser_pages import ROOT

pytestmark = pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node.js on this machine")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(browser_python.command(*words), capture_output=True, text=True, check=False)  # noqa: S603 - our own


def test_a_module_of_the_checkout_plays_there() -> None:
    done = run("harness.bot_games", "random", "5", "6")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["number"] == 5


def test_the_exit_code_is_the_modules() -> None:
    done = run("pytest", "--no-such-option")
    assert done.returncode == 4
    assert f"rootdir: {ROOT}" in done.stderr


def test_an_error_is_told_as_python_tells_it() -> None:
    done = run("no_such_module")
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("No module named no_such_module")
