"""What a program is told that lacks a library, a beginning of an address, or a service."""

import subprocess
import sys

import pytest

from cartagena.client import sample_bot

WITHOUT = "import sys, runpy; sys.modules[{library!r}] = None; "


def told_without(library: str, program: str) -> tuple[int, str]:
    """The exit code of a program that cannot import a library, and what it writes."""
    code = WITHOUT.format(library=library) + program
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603 - our own
    return done.returncode, done.stdout + done.stderr


@pytest.mark.native("starts processes")
def test_a_bot_without_its_library_says_what_to_install() -> None:
    program = "sys.argv[1:] = ['http://localhost:1']; "
    run = "runpy.run_module('cartagena.client.sample_bot', run_name='__main__')"
    code, told = told_without("httpx", program + run)
    assert (code, told.count("\n")) == (1, 1)
    assert told.startswith("Tables of a service need one more library (httpx is missing): pip install ")


@pytest.mark.native("starts processes")
@pytest.mark.parametrize(
    ("library", "module"),
    [
        ("gymnasium", "cartagena_v0"),
        ("pettingzoo", "cartagena_v0"),
        ("gymnasium", "single"),
        ("numpy", "batch"),
    ],
)
def test_an_environment_without_its_library_says_what_to_install(library: str, module: str) -> None:
    code, told = told_without(library, f"from cartagena.envs import {module}")
    assert code == 1
    assert f"need one more library ({library} is missing): pip install " in told.splitlines()[-1]


def test_an_address_without_its_beginning_is_a_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sample_bot.main(["localhost:8123"])
    assert "write http:// before it" in capsys.readouterr().err


def test_a_bot_that_waits_says_so_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    assert sample_bot.main(["http://localhost:1"]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first == "http://localhost:1 does not answer; asking again for a while"
    assert last.startswith("Unreachable: ")
    assert slept
