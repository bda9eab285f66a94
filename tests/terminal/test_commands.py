"""The commands that lead to the screen: when it is drawn, what they refuse, and how soon it is there."""

import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cartagena import Game
from cartagena.cli.kept_games import Autosave, kept_games
from cartagena.install import install_command, installed_from
from cartagena.notation.names import COLOURS
from cartagena.notation.record import Ending
from cartagena.notation.record_reader import parse_record
from cartagena.rules.ruleset import TORTUGA
from cartagena.terminal.app import HUNG_UP
from cartagena.words import Words, languages
from tests.cli.scripts import run
from tests.terminal.shown import Shown

RECORD = str(Path(__file__).parents[1] / "records" / "tortuga-2.record")
TABLE = "http://127.0.0.1:9/table/019a4b1c-7d33-7012-9abc-0123456789ab"
YARDSTICK = "import textual.app; from textual.widgets import Button, Input, Static"
PASSING = "pass_allowed=true"
FIRST_SCREEN = 2.5
"""The first screen may take this many times what loading the toolkit takes: 0.9 s where that is 0.36 s."""


def seconds(done: Callable[[], object]) -> float:
    """The CPU time that child processes need for `done`, at best; other tests run at the same time."""
    needed = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        needed.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(needed)


@pytest.mark.long  # nine programs are started for a measurement
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


@pytest.mark.parametrize("language", languages())
def test_ascii_is_ascii_in_every_language(language: str) -> None:
    words = Words(language, ascii_only=True)
    shown = Shown("play", "--seats", "3", "--ascii", "--lang", language).until(words.say("table.home.escape"))
    shown.press(b"?").until("cartagena rules")
    shown.press(b"?").until(words.say("terminal.help").splitlines()[-3]).end()
    assert shown.text.isascii()
    told = run("play", "--ascii", "--lang", language, "--bots", "0", typed=["help", "quit"]).output
    assert told.isascii()
    assert words.say("play.left") in told


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


def test_without_a_terminal_a_record_is_told_in_words() -> None:
    told = run("watch", RECORD)
    assert (told.exit_code, told.output) == (0, run("replay", RECORD).output)
    seen = run("watch", RECORD, "--seat", "red", "--plain")
    assert seen.output == run("replay", RECORD, "--seat", "red").output


@pytest.mark.parametrize(("command", "told"), [("join", "cannot sit down"), ("watch", "cannot watch")])
def test_without_a_terminal_a_service_that_is_away_is_told_so(command: str, told: str) -> None:
    result = run(command, TABLE)
    assert (result.exit_code, told in result.output) == (1, True)


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
    assert (done.returncode, "httpx is missing" in done.stderr) == (4, True), done.stderr
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


def test_a_game_is_kept_by_itself_and_the_first_screen_goes_on_with_it() -> None:
    playing = Shown("play", "--bots", "0", "--seed", "1672").until("Turn 1: Red has 3").press(b"q")
    playing.until("Leave the game?").press(b"y")
    assert (playing.until_ended(), kept_games()) == (0, [])
    playing = Shown("play", "--bots", "0", "--seed", "1672").until("Turn 1: Red has 3")
    playing.press(b"\r").until("2 actions").press(b"q").until("Leave the game?").press(b"y")
    playing.until("To go on: cartagena games resume")
    assert playing.until_ended() == 0
    again = Shown("play").until("Tortuga, turn 1", "Enter goes on with this game.")
    again.press(b"\r").until("2 actions").press(b"\r").until("1 action left").end()
    again = Shown("play").until("Enter goes on").press(b"\x1b[B").until("G goes on with the last one")
    again.press(b"g").until("1 action left").end()
    [game] = kept_games()
    record = game.record()
    assert record is not None
    assert len(record.steps) == 2


def test_a_program_that_is_killed_has_lost_no_choice() -> None:
    playing = Shown("play", "--bots", "1", "--level", "random", "--seed", "3").until("Red has 3")
    playing.press(b"\r").until("Red has 2").end()
    [game] = kept_games()
    record = game.record()
    assert record is not None
    assert COLOURS[record.steps[-1].seat] == "red"


def test_the_prompt_keeps_games_too_and_offers_to_go_on() -> None:
    flags = ("--plain", "--bots", "0", "--seed", "1672")
    playing = Shown("play", *flags).until("Red> ").press(b"1\n").until("Red> ", "2 actions").press(b"quit\n")
    playing.until("To go on: cartagena games resume")
    assert playing.until_ended() == 0
    going_on = Shown("play", "--plain").until("Your last game: Tortuga, turn 1.").press(b"\n")
    going_on.until("2 actions").end()
    new = Shown("play", "--plain").until("Your last game: Tortuga, turn 1.").press(b"new\n")
    new.until("Tortuga, 2 seats, 1 of them at this keyboard.").end()


def test_after_the_end_the_prompt_plays_again_and_saves_a_copy(tmp_path: Path) -> None:
    file = tmp_path / "copy.txt"
    flags = ("--plain", "--bots", "0", "--seed", "1", "--option", "quiet_rounds=1", "--option", PASSING)
    playing = Shown("play", *flags).until("Red> ").press(b"end\n").until("Blue> ").press(b"end\n")
    playing.until("ends without a winner.", "Type again").press(f"save {file}\n".encode())
    playing.until(f"kept in {file}").press(f"save {file}\n".encode()).until("exists already")
    playing.press(b"again\n").until("2 of them at this keyboard", "> ").press(b"quit\n")
    assert playing.until_ended() == 0
    assert parse_record(file.read_text(encoding="utf-8")).result.ending is Ending.QUIET


def test_a_kept_game_is_stepped_through_on_the_screen() -> None:
    game, keeper = Game.start(TORTUGA, seed="1672"), Autosave()
    game.push(game.choice_of("random"))
    keeper.keep(game.record())
    shown = Shown("games", "replay", str(keeper.id)).until("step 0 of 1", "Page ten steps")
    assert shown.press(b"q").until_ended() == 0


def test_a_program_whose_terminal_is_gone_ends() -> None:
    assert Shown("watch", RECORD).until("step 0 of").hang_up() == HUNG_UP


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
