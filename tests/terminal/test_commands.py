"""The commands that lead to the screen: when it is drawn, what they refuse, and how soon it is there."""

import re
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cartagena.cli.last_game import FILE, keep_last, last_game
from cartagena.cli.match import fresh, names_of_seats
from cartagena.install import install_command, installed_from
from cartagena.notation.record import Ending
from cartagena.notation.record_reader import parse_record
from cartagena.rules.ruleset import TORTUGA
from tests.cli.scripts import run
from tests.terminal.shown import Shown

RECORD = str(Path(__file__).parents[1] / "records" / "tortuga-2.record")
TABLE = "http://127.0.0.1:9/table/019a4b1c-7d33-7012-9abc-0123456789ab"
YARDSTICK = "import textual.app; from textual.widgets import Button, Input, Static"
FIRST_SCREEN = 2.5
"""The first screen takes so many times what loading the toolkit alone takes: 0.9 s where that is 0.36 s."""


def seconds(done: Callable[[], object]) -> float:
    """How much of the processor the children need for this, at best; other tests run beside."""
    needed = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        needed.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(needed)


def test_the_drawn_screen_is_there_soon() -> None:
    toolkit = seconds(lambda: subprocess.run([sys.executable, "-c", YARDSTICK], check=True))  # noqa: S603 - ours
    assert seconds(lambda: Shown("play").until("Arrow keys choose").end()) < FIRST_SCREEN * toolkit
    assert seconds(lambda: Shown("play", "--seats", "2").until("sloop").end()) < FIRST_SCREEN * toolkit


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--plain", "--bots", "2", "--level", "random"]])
def test_who_looks_at_no_screen_does_not_wait_for_it(arguments: list[str]) -> None:
    program = (
        "import sys; from cartagena.cli.main import entrance\n"
        f"entrance({arguments!r}, standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith(('textual', 'httpx'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {}])
def test_a_terminal_that_cannot_be_drawn_on_gets_the_prompt(environment: dict[str, str]) -> None:
    arguments = ["play", "--bots", "0"] if environment else ["play", "--bots", "0", "--plain"]
    shown = Shown(*arguments, **environment).until("> ")
    shown.end()
    assert "\x1b[?1049h" not in shown.text


def test_a_screen_without_our_letters_is_drawn_in_ascii() -> None:
    for arguments, environment in (
        (["play", "--seats", "2", "--ascii"], {}),
        (["play", "--seats", "2"], {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}),
    ):
        shown = Shown(*arguments, **environment).until("sloop")
        shown.end()
        assert shown.text.isascii()


def inks(text: str) -> set[int]:
    """The colours that are asked for, by their numbers."""
    numbers = {
        int(number) for code in re.findall(r"\x1b\[([0-9;]*)m", text) for number in code.split(";") if number
    }
    return {number for number in numbers if number in range(30, 50) or number in range(90, 108)} - {39, 49}


def test_no_color_means_none() -> None:
    for environment, is_painted in (({}, True), ({"NO_COLOR": "1"}, False)):
        shown = Shown("play", "--seats", "2", **environment).until("sloop")
        shown.end()
        assert bool(inks(shown.text)) == is_painted


@pytest.mark.parametrize("command", [["join", TABLE], ["watch", RECORD], ["watch", TABLE]])
def test_without_a_terminal_one_is_told_so(command: list[str]) -> None:
    result = run(*command)
    assert (result.exit_code, "`cartagena replay`" in result.output) == (1, True)


@pytest.mark.parametrize("command", ["join", "watch"])
def test_an_address_that_leads_to_no_table_is_a_wrong_use(command: str) -> None:
    result = run(command, "http://localhost:8000/")
    assert (result.exit_code, "is no address of a table" in " ".join(result.output.split())) == (2, True)


def test_only_a_new_table_is_told_its_seats() -> None:
    result = run("join", TABLE, "--seats", "3")
    assert (result.exit_code, "--new" in result.output) == (2, True)


@pytest.mark.parametrize("command", ["join", "watch"])
def test_a_missing_library_is_named_with_what_to_install(command: str) -> None:
    program = (
        "import os, sys; sys.modules['httpx'] = None\n"
        "import cartagena.cli.screen_flags as flags; flags.has_screen = lambda: True\n"
        f"from cartagena.cli.main import entrance; entrance([{command!r}, {TABLE!r}])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, "httpx is missing" in done.stderr) == (1, True), done.stderr
    assert install_command("client", installed_from()) in done.stderr


def test_a_service_that_is_not_there_is_told_in_one_line() -> None:
    shown = Shown("join", TABLE).until("You cannot sit down there")
    shown.end()
    assert "Traceback" not in shown.text


def test_a_record_that_cannot_be_read_is_no_screen(tmp_path: Path) -> None:
    file = tmp_path / "none.txt"
    assert run("watch", str(file)).exit_code == 3
    assert run("watch", RECORD, "--seat", "violet").exit_code == 2


def test_a_record_is_shown() -> None:
    shown = Shown("watch", RECORD, "--lang", "nl").until("stap 0 van")
    shown.end()
    assert "\x1b[?1049h" in shown.text


def test_a_game_is_kept_by_itself_and_the_first_screen_goes_on_with_it(home: Path) -> None:
    playing = Shown("play", "--bots", "0", "--seed", "1672").until("Turn 1: Red has 3").press(b"q")
    playing.until("Leave the game?").press(b"y")
    assert (playing.until_ended(), (home / FILE).exists()) == (0, False)
    playing = Shown("play", "--bots", "0", "--seed", "1672").until("Turn 1: Red has 3")
    playing.press(b"\r").until("2 actions").press(b"q").until("Leave the game?").press(b"y")
    playing.until("Your game is kept")
    assert (playing.until_ended(), stat.S_IMODE((home / FILE).stat().st_mode)) == (0, 0o600)
    again = Shown("play").until("G goes on with the last game: Tortuga, turn 1.")
    again.press(b"g").until("2 actions").end()


def test_a_last_game_that_is_over_or_broken_is_none(home: Path) -> None:
    match = fresh(TORTUGA, names_of_seats(2, 2, "random"), "1672")
    assert (keep_last(match), last_game()) == ("", None)
    while not match.position.over:
        match.act(match.choose_for(match.position.to_act))
        if match.position.turn == 3:
            keep_last(match)
    kept = last_game()
    assert kept is not None
    assert kept.position.turn == 3
    text = (home / FILE).read_text(encoding="utf-8")
    for broken in ("", text.replace("bot:random", "bot:somebody:else"), text.replace("play", "retreat", 1)):
        (home / FILE).write_text(broken, encoding="utf-8")
        assert last_game() is None
    keep_last(match)
    assert not (home / FILE).exists()


def test_a_game_is_left_kept_and_taken_up_again_on_the_screen(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    playing = Shown("play", "--bots", "0", "--seed", "1672", "--save", str(file)).until("Turn 1: Red has 3")
    playing.press(b"\r").until("2 actions").press(b"q").until("Leave the game?").press(b"y").until("--resume")
    assert playing.until_ended() == 0
    record = parse_record(file.read_text(encoding="utf-8"))
    assert (len(record.steps), record.result.ending) == (1, Ending.RUNNING)
    Shown("play", "--resume", str(file)).until("2 actions").end()
    refused = Shown("play", "--save", str(file)).until("exists already")
    assert refused.until_ended() == 3
