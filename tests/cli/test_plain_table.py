"""A table line by line: the lines of a pipe play a whole game, and every question is answered."""

import asyncio
import os
from collections.abc import Sequence

import pytest

from cartagena.cli.board_text import PlainBrush
from cartagena.cli.match import fresh, names_of_seats
from cartagena.cli.prompt import Lines
from cartagena.cli.service_prompt import Keyboard, PlainTable
from cartagena.notation.record import Record, format_record
from cartagena.rules.ruleset import PRESETS
from cartagena.terminal.local import LocalTable
from cartagena.words import Words
from cartagena.words.sentences import Names
from tests.cli.scripts import by_notation, script
from tests.waiting import PATIENCE


def typed(*lines: str) -> Keyboard:
    """A keyboard on which `lines` have already been typed."""
    ours, theirs = os.pipe()
    os.write(theirs, "".join(f"{line}\n" for line in lines).encode())
    os.close(theirs)
    return Keyboard(ours)


def play(lines: Sequence[str], *, preset: str = "tortuga", seed: str = "1672", bots: int = 1) -> Record:
    """Play at a table of one person line by line; return the record."""
    match = fresh(PRESETS[preset], names_of_seats(2, bots, "random"), seed)
    names = Names(Words("en"), match.headers.ruleset)
    table = LocalTable(match=match, names=names, pace=0)
    asyncio.run(
        asyncio.wait_for(PlainTable(table, Lines(PlainBrush(names=names))).run(typed(*lines)), PATIENCE)
    )
    return match.record()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_game_is_played_by_lines(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = script(preset, 2, 1, by_notation)
    assert format_record(play(game.lines, preset=preset)) == game.record
    told = capsys.readouterr().out
    assert told.count("> ") >= len(game.lines)
    assert told.rstrip().endswith(("has won.", "Nobody has won."))


def test_every_question_is_answered_and_what_is_wrong_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    record = play(
        ["help", "why retreat start", "why 1", "retreat 7", "99", "dance", "table", "discard", "tip"]
    )
    told = capsys.readouterr().out
    assert not any(step.seat == 0 for step in record.steps)
    assert "Type one of these:" in told
    assert "R4.7: A pirate at the start cannot retreat" in told
    assert "That is possible: to space" in told
    assert "No such pirate stands there." in told
    assert "The choices are numbered from 1 to" in told
    assert "Expected: an action (play, retreat, end_turn)" in told
    assert "The discard, oldest card first: " in told
    assert "Tip: play the " in told
    assert told.count("Red> ") == 10


def test_what_was_done_is_told_before_the_next_question(capsys: pytest.CaptureFixture[str]) -> None:
    record = play(["1", "undo", "undo", "2", "quit", "1"])
    told = capsys.readouterr().out
    assert len([step for step in record.steps if step.seat == 0]) == 1
    assert "R8.2: Undo" in told
    first, *_ = told.split("Red> 1\n")[1].split("Red> ")
    assert "Red plays the " in first


def test_who_only_looks_on_is_told_everything_and_chooses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    match = fresh(PRESETS["tortuga"], names_of_seats(2, 2, "random"), "1672")
    names = Names(Words("en"), match.headers.ruleset)
    table = LocalTable(match=match, names=names, pace=0)
    asyncio.run(PlainTable(table, Lines(PlainBrush(names=names))).run(typed()))
    told = capsys.readouterr().out
    assert match.position.over
    assert "> " not in told
    assert told.rstrip().endswith(("has won.", "Nobody has won."))
