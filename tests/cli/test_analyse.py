"""`cartagena analyse`: what it tells people and programs, and what it refuses."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click import unstyle

from cartagena.cli.analyse import ASCII_BLOCKS, BLOCKS, Point, blocks_for, draw_line
from cartagena.notation.record_reader import parse_record
from tests.cli.scripts import run
from tests.cli.test_terminal import PROGRAM, read_all, terminal

TESTS = Path(__file__).parents[1]
RACE = TESTS / "bots" / "race.record"
QUICK = ("--simulations", "12")


def from_the_end(file: Path, turns: int = 2) -> tuple[str, ...]:
    """The flags for a quick look at the last turns of a record."""
    last = parse_record(file.read_text(encoding="utf-8")).steps[-1].turn
    return (str(file), *QUICK, "--from-turn", str(last - turns + 1))


def test_the_turns_are_told_with_chances_marks_and_a_chart() -> None:
    result = run("analyse", *from_the_end(RACE))
    assert result.exit_code == 0, result.output
    assert result.output == (
        "Game: Tortuga\n"
        "Seats: Red (Anne), Blue (Mary)\n"
        "\n"
        "               R   B\n"
        "    before     0 100\n"
        " 24 Blue     100   0  retreat 36, play bottle 24, retreat 30 ??\n"
        "                      ?? better: play key 36 (100 % instead of 0 %)\n"
        " 25 Red      100   0  play key 24, play key 26, play key 34\n"
        "\n"
        "Chances after the turns 24 to 25:\n"
        "Red     ██ 100 %\n"
        "Blue    ▁▁ 0 %\n"
        "        ?\n"
        "? costly  ?? blunder  ! find\n"
        "Result: red wins\n"
    )


@pytest.mark.parametrize("name", ["jamaica-4", "nest-5", "tortuga-5-running"])
def test_no_line_is_wider_than_a_screen(name: str) -> None:
    lines = run("analyse", *from_the_end(TESTS / "records" / f"{name}.record", 4)).output.splitlines()
    assert len(lines) > 15
    assert max(map(len, lines)) <= 80


def test_what_others_trim_in_a_turn_stands_below_it() -> None:
    file = TESTS / "records" / "nest-4.record"
    record = parse_record(file.read_text(encoding="utf-8"))
    turn = next(step.turn for step in reversed(record.steps) if step.code in range(3, 17))
    seats = {step.seat for step in record.steps if step.turn == turn}
    flags = (str(file), "--simulations", "2", "--from-turn", str(turn))
    lines = [line for line in run("analyse", *flags).output.splitlines() if line.startswith(f"{turn:>3} ")]
    assert len(lines) == len(seats)
    assert any(" trim " in line for line in lines)


def test_a_program_is_told_every_chance_and_every_decision() -> None:
    result = run("analyse", *from_the_end(RACE), "--json")
    told = json.loads(result.output)
    assert {key: told[key] for key in told if key not in ("ruleset", "steps")} == {
        "game": None,
        "seats": ["Anne", "Mary"],
        "simulations": 12,
        "seed": "1672",
        "before": [0.0, 1.0],
        "result": "red wins",
    }
    assert told["ruleset"].startswith("tortuga ")
    first, second, *_, last = told["steps"]
    assert first == {
        "seq": 92,
        "turn": 24,
        "seat": "blue",
        "action": "retreat 36",
        "chances": first["chances"],
        "decision": {
            "mark": "??",
            "cost": 1.0,
            "luck": 0.0,
            "actions": ["retreat 36", "play bottle 24", "retreat 30", "end_turn"],
            "chances": [1.0, 0.0],
            "alternatives": first["decision"]["alternatives"],
        },
    }
    assert first["decision"]["alternatives"][0] == {"actions": ["play key 36"], "chances": [0.0, 1.0]}
    assert 1 <= len(first["decision"]["alternatives"]) <= 4
    assert second["decision"] is None
    assert (last["seq"], last["chances"], last["action"]) == (98, [1.0, 0.0], "play key 34")


def test_a_seed_and_a_number_of_simulations_give_one_analysis() -> None:
    flags = from_the_end(TESTS / "records" / "nest-2.record", 4)
    once = run("analyse", *flags, "--seed", "7", "--json").output
    assert run("analyse", *flags, "--seed", "7", "--json").output == once
    assert run("analyse", *flags, "--seed", "8", "--json").output != once


def test_a_game_that_has_not_begun_has_chances_but_no_chart(tmp_path: Path) -> None:
    file = tmp_path / "new.record"
    file.write_text(run("new", "--ruleset", "nest", "--seats", "3", "--seed", "1").output, encoding="utf-8")
    output = run("analyse", str(file), *QUICK).output
    assert "\n    before " in output
    assert "Chances after" not in output
    assert output.endswith("Result: running\n")


def test_the_record_of_a_view_is_refused() -> None:
    result = run("analyse", str(TESTS / "records" / "jamaica-3-blue.record"))
    assert result.exit_code == 1
    assert "cannot be played: the deal is not fully known: this is the record of a view" in result.output


def test_what_is_no_record_or_not_there_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    assert run("analyse", str(file)).exit_code == 3
    file.write_text("Dear Anne,\n", encoding="utf-8")
    assert run("analyse", str(file)).exit_code == 3
    assert run("analyse", str(RACE), "--simulations", "0").exit_code == 2


def test_a_screen_without_blocks_gets_letters() -> None:
    command = [PROGRAM, "analyse", *from_the_end(RACE)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    shown = subprocess.run(command, capture_output=True, check=True, env=environment).stdout  # noqa: S603 - our own
    assert b"\nRed     ## 100 %\nBlue    __ 0 %\n" in shown


def test_a_terminal_shows_colours_and_a_bar_that_goes_away() -> None:
    with terminal() as (ours, theirs):
        command = [PROGRAM, "analyse", *from_the_end(RACE)]
        environment = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
        playing = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment)  # noqa: S603 - our own
        os.close(theirs)
        shown = read_all(ours).decode()
        assert playing.wait() == 0
    assert "analysing" in shown
    assert "\x1b[34mBlue    \x1b[0m" in shown
    assert "\x1b[31m?? better: play key 36 (100 % instead of 0 %)\x1b[0m" in shown
    assert "Result: red wins" in unstyle(shown)


def test_a_terminal_that_draws_no_bar_is_told_that_there_is_work() -> None:
    with terminal() as (ours, theirs):
        command = [PROGRAM, "analyse", *from_the_end(RACE)]
        environment = {**os.environ, "TERM": "dumb"}
        playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment)  # noqa: S603 - our own
        os.close(theirs)
        shown = read_all(ours).decode()
        told, _ = playing.communicate()
    assert (playing.returncode, shown) == (0, "analysing\r\n")
    assert b"Result: red wins" in told


# The chart.


def test_a_long_game_is_drawn_shorter_and_keeps_its_marks() -> None:
    points = [Point(number / 200) for number in range(200)]
    points[150] = Point(0.0, "?")
    line, marks = draw_line(points, width=50, blocks=BLOCKS)
    assert (len(line), line[0], line[-1]) == (50, BLOCKS[0], BLOCKS[-1])
    assert list(line) == sorted(line)
    assert marks == f"{'?':>38}"


def test_every_height_has_its_block() -> None:
    heights = [Point((step + 0.5) / 8) for step in range(8)]
    assert draw_line(heights, width=8, blocks=BLOCKS) == [BLOCKS]
    assert draw_line([Point(0.0), Point(1.0)], width=8, blocks=ASCII_BLOCKS) == ["_#"]


def test_blocks_are_drawn_only_where_they_can_be_seen() -> None:
    assert blocks_for("utf-8") == BLOCKS
    assert blocks_for("latin-1") == blocks_for("no such thing") == ASCII_BLOCKS
