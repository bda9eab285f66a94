"""`cartagena arena`: what it prints, keeps and refuses."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.packages import install
from tests.cli.scripts import run
from tests.cli.test_terminal import PROGRAM, read_all, terminal
from tests.waiting import PATIENCE

RUNNER = "tests.arena.players:Runner"
FLAGS = ("--workers", "1", "--seed", "7")


def answer(*arguments: str) -> dict[str, object]:
    """What the arena tells a program, without the times, which differ in every run."""
    result = run("arena", *arguments, "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, object] = json.loads(result.output)
    assert isinstance(told["bots"], list)
    for bot in told["bots"]:
        assert bot.pop("ms_per_turn")["p95"] > 0
    return told


def test_a_table_tells_rates_times_and_chairs() -> None:
    output = run("arena", RUNNER, "random", "--seats", "3", "--games", "7", *FLAGS).output
    title, *lines = output.splitlines()
    assert title.startswith("Tortuga, 3 seats: 9 games, 3 of each deal; ")
    assert title.endswith("; seed 7")
    cells = [line.split() for line in lines if line.strip()]
    assert cells[0][:5] == ["bot", "chairs", "wins", "no", "winner"]
    (first,) = [row for row in cells if row[0] == RUNNER]
    (other,) = [row for row in cells if row[0] == "random"]
    assert (first[1], other[1]) == ("1", "2")
    assert (first[-5], other[-5]) == ("33.3", "66.7")
    assert [row[0] for row in cells[-3:]] == ["1", "2", "3"]


def test_markdown_holds_the_same_tables() -> None:
    output = run(
        "arena", RUNNER, "random", "--games", "4", "--option", "quiet_rounds=9", *FLAGS, "--markdown"
    )
    title, _, head, ruler, first, second, _, order, *_ = output.output.splitlines()
    assert title.startswith("Tortuga quiet_rounds=9, 2 seats: 4 games, 2 of each deal")
    assert head.startswith("| bot | chairs | wins | no winner | win rate [95 %] | par |")
    assert ruler.startswith("| --- | ---: |")
    assert (first.split()[1], second.split()[1]) == (RUNNER, "random")
    assert order == "| order of play | win rate [95 %] |"


def test_a_seed_that_is_drawn_is_too_long_to_be_found_out() -> None:
    assert len(bytes.fromhex(str(answer("random", "--games", "2", "--workers", "1")["seed"]))) == 16


def test_json_is_the_same_for_a_seed_on_any_number_of_workers() -> None:
    contest = (RUNNER, "random", "--ruleset", "nest", "--games", "6")
    told = answer(*contest, *FLAGS)
    assert told == answer(*contest, "--seed", "7", "--workers", "2")
    assert told != answer(*contest, "--seed", "8", "--workers", "1")
    assert (told["games"], told["line_up"], told["seed"]) == (6, [RUNNER, "random"], "7")
    bots = told["bots"]
    assert isinstance(bots, list)
    assert sum(bot["score"] for bot in bots) == 6
    assert all(bot["interval"][0] <= bot["rate"] <= bot["interval"][1] for bot in bots)


def test_without_a_seed_each_run_has_one_of_its_own_and_tells_it() -> None:
    one, other = (answer("random", "--games", "1", "--ruleset", "nest", "--workers", "1") for _ in range(2))
    assert one["seed"] != other["seed"]


def test_a_contest_can_be_played_in_parts() -> None:
    contest = (RUNNER, "random", "--ruleset", "nest", *FLAGS)
    whole = answer(*contest, "--games", "6")
    parts = [
        answer(*contest, "--games", "2"),
        answer(*contest, "--games", "4", "--first-deal", "1"),
    ]
    scores = [[bot["score"] for bot in told["bots"]] for told in (whole, *parts)]  # type: ignore[attr-defined]
    assert scores[0] == [sum(part) for part in zip(*scores[1:], strict=True)]


def test_the_sequential_test_stops_and_says_what_it_found() -> None:
    contest = ("arena", RUNNER, "random", "--ruleset", "nest", "--games", "200", *FLAGS)
    *_, line = run(*contest, "--sprt", "0.1,0.5").output.splitlines()
    assert line.startswith(f"The win rate of {RUNNER} is rather 0.5 (of 0.1 and 0.5), clear after ")
    *_, line = run(*contest[:-6], "--games", "2", *FLAGS, "--sprt", "0.5,0.51").output.splitlines()
    assert "is not clear after 2 games" in line
    told = json.loads(run(*contest, "--sprt", "0.1,0.5", "--json").output)
    assert (told["sprt"]["verdict"], told["games"] < 200) == (0.5, True)


def test_records_are_kept_verified_and_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    flags = (RUNNER, "random", "--games", "4", "--ruleset", "nest", "--records", str(folder), *FLAGS)
    assert run("arena", *flags).exit_code == 0
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [
        f"deal-0000{deal}-rotation-{rotation}.record" for deal in (0, 1) for rotation in (0, 1)
    ]
    for file in files:
        assert run("verify", str(file)).exit_code == 0
        assert run("replay", str(file)).exit_code == 0
        assert f"Seat: blue {RUNNER}\n" in file.read_text(encoding="utf-8") or file.stem.endswith("0")
    again = run("arena", *flags)
    assert (again.exit_code, "Choose another folder with --records" in again.output) == (3, True)


def test_an_installed_bot_plays_by_its_name_in_every_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "arena_package", "jumper_of_arena = arena_package:LongestJump")
    monkeypatch.syspath_prepend(tmp_path)
    told = answer("jumper_of_arena", "random", "--games", "4", "--ruleset", "nest", "--workers", "2")
    assert told["line_up"] == ["jumper_of_arena", "random"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("admiral", "random"), "there is no bot 'admiral'"),
        (("random", "random", "random", "--seats", "2"), "3 bots are named for 2 seats"),
        (("random",) * 6, "6 bots are named for 5 seats"),
        (("random", "--option", "quiet_rounds=0"), "quiet_rounds=1 or more"),
        (("random", "--sprt", "0.6,0.5"), "the lower one first"),
        (("random", "--sprt", "0.6"), "two rates with a comma"),
        (("random", "--json", "--markdown"), "choose one of --json and --markdown"),
        ((), "BOTS"),
    ],
)
def test_wrong_flags_are_a_wrong_use(arguments: tuple[str, ...], message: str) -> None:
    result = run("arena", *arguments)
    assert (result.exit_code, message in result.output) == (2, True), result.output


def test_a_bot_that_fails_is_named_and_its_game_can_be_played_again() -> None:
    result = run("arena", "random", "tests.arena.players:Cheat", *FLAGS, "--first-deal", "3")
    assert result.exit_code == 1
    assert (
        "The bot tests.arena.players:Cheat on seat Blue failed in deal 3, rotation 0: it chose"
        in result.output
    )
    assert "add --seed 7 --first-deal 3 --games 2 --workers 1" in result.output


@pytest.mark.processes
def test_a_worker_that_dies_is_told_in_one_line() -> None:
    result = run("arena", "random", "tests.arena.players:Crash", "--workers", "2")
    assert (result.exit_code, "a bot crashed, or memory ran out" in result.output) == (1, True)


@pytest.mark.processes
def test_a_terminal_sees_how_far_it_is() -> None:
    with terminal() as (ours, theirs):
        command = [PROGRAM, "arena", "random", "--ruleset", "nest", "--games", "40", "--workers", "2"]
        playing = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)  # noqa: S603 - our own
        os.close(theirs)
        shown = read_all(ours)
        assert playing.wait() == 0
    assert b"/40" in shown
    assert b"random 100.0 % [" in shown


@pytest.mark.processes
def test_an_interrupted_arena_tells_what_it_has() -> None:
    # A shell makes background jobs ignore interrupts, and the processes that they start inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [PROGRAM, "arena", "random", "--ruleset", "nest", "--games", "1000000", "--workers", "2"]
    with terminal() as (ours, theirs):
        playing = subprocess.Popen(  # noqa: S603 - our own
            command, stdout=subprocess.PIPE, stderr=theirs, text=True, start_new_session=True
        )
        os.close(theirs)
        shown = b""
        while not re.search(rb"[1-9]/1000000", shown):
            shown += os.read(ours, 4096)
        os.killpg(playing.pid, signal.SIGINT)
        trouble = read_all(ours)
        told, _ = playing.communicate(timeout=PATIENCE)
    assert playing.returncode == 0, trouble
    assert re.search(rb"Stopped after [1-9]", trouble)
    assert b"Traceback" not in trouble
    assert told.startswith("The Pirate's Nest, 2 seats: ")


def test_the_command_line_answers_at_once_even_if_the_arena_is_not_called() -> None:
    program = "import sys, cartagena.cli.play; print('rich' in sys.modules, 'cartagena.arena' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - our own
    assert done.stdout == "False False\n"
