"""A table line by line: the lines of a pipe play a whole game, and every question is answered."""

import asyncio
import itertools
import os
import pty
import re
import tty
from collections.abc import Iterator, Sequence

import pytest

from cartagena import Game
from cartagena.cli.board_text import PlainBrush
from cartagena.cli.deal import fresh, names_of_seats
from cartagena.cli.kept_games import Sitting
from cartagena.cli.prompt import Lines
from cartagena.cli.prompt_loop import Keyboard, PlainTable
from cartagena.notation.record import Ending, Record, format_record
from cartagena.rules.ruleset import PRESETS
from cartagena.terminal.cover_guard import PAUSE
from cartagena.terminal.local import LocalTable
from cartagena.terminal.source import Moment, ReadOnlyTable, Role, Show
from cartagena.words import Words
from cartagena.words.sentences import Names
from tests.cli.scripts import by_notation, script
from tests.waiting import PATIENCE, until

BOARD = "\nfort  "


def typed(*lines: str) -> Keyboard:
    """A keyboard on which `lines` have already been typed."""
    ours, theirs = os.pipe()
    os.write(theirs, "".join(f"{line}\n" for line in lines).encode())
    os.close(theirs)
    return Keyboard(ours)


def play(lines: Sequence[str], *, preset: str = "tortuga", seed: str = "1672", bots: int = 1) -> Record:
    """Play at a table of two line by line; return the record."""
    sitting = Sitting(fresh(PRESETS[preset], names_of_seats(2, bots, "random"), seed), None, seed)
    names = Names(Words("en"), sitting.record.headers.ruleset)
    table = LocalTable(
        sitting.record, names, levels=sitting.levels, keep=sitting.keep, seed=sitting.seed, pace=0
    )
    plain = PlainTable(table, Lines(PlainBrush(names=names)))
    asyncio.run(asyncio.wait_for(plain.run(typed(*lines)), PATIENCE))
    return sitting.record


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_game_is_played_by_lines(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = script(preset, 2, 1, by_notation)
    assert format_record(play(game.lines, preset=preset)) == game.record
    told = capsys.readouterr().out
    assert told.count("> ") >= len(game.lines)
    assert told.rstrip().endswith(("has won.", "Nobody has won."))


def test_every_question_is_answered_and_what_is_wrong_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    record = play(
        [
            "help",
            "why retreat start",
            "why 1",
            "retreat 7",
            "99",
            "dance",
            "p hut 3",
            "table",
            "discard",
            "tip",
        ]
    )
    told = capsys.readouterr().out
    assert not any(step.seat == 0 for step in record.steps)
    assert "Type one of these:" in told
    assert "R4.7: A pirate at the start cannot retreat" in told
    assert "That is possible: to space" in told
    assert "No such pirate stands there." in told
    assert "The choices are numbered from 1 to" in told
    assert "Expected: an action (play, retreat, end_turn)" in told
    assert "Did you mean hat? Type help for more." in told
    assert "The discard, oldest card first: " in told
    assert "Tip: play the " in told
    assert told.count("Red> ") == 11


def test_what_was_done_is_told_before_the_next_question(capsys: pytest.CaptureFixture[str]) -> None:
    record = play(["1", "undo", "undo", "2", "quit", "1"])
    told = capsys.readouterr().out
    assert len([step for step in record.steps if step.seat == 0]) == 1
    assert "R8.2: Undo" in told
    first, *_ = told.split("Red> 1\n")[1].split("Red> ")
    assert "Red plays the " in first


def test_a_move_is_one_line_and_the_table_is_drawn_once_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    play(["1", "3", "table", "quit"])
    told = capsys.readouterr().out
    first, second, third, fourth, _ = told.split("Red> ")
    assert [BOARD in part for part in (first, second, third, fourth)] == [True, False, False, True]
    assert [line for line in second.splitlines() if line.startswith("Red plays the ")] == [
        second.splitlines()[1]
    ]
    assert " A pirate of Red goes from the fort to " in second.splitlines()[1]
    assert len(second.splitlines()) < 18
    assert "2 actions" in second
    assert re.search(r"^Red +5 cards: ", second, re.MULTILINE)


def test_a_game_that_goes_on_tells_the_last_moves_only(capsys: pytest.CaptureFixture[str]) -> None:
    record = Game.start("tortuga", seed="1672", names=("", "bot:random"))
    for _ in range(40):
        record.push(record.choice_of("random"))
    going_on = Sitting(record.record(), None)
    names = Names(Words("en"), going_on.record.headers.ruleset)
    table = LocalTable(going_on.record, names, levels=going_on.levels, pace=0)
    plain = PlainTable(table, Lines(PlainBrush(names=names)))
    asyncio.run(asyncio.wait_for(plain.run(typed("quit")), PATIENCE))
    before, _, _ = capsys.readouterr().out.partition(BOARD)
    assert 3 <= len(before.splitlines()) <= 30
    assert "The turn goes to Red" in before or "The turn goes from" in before


def test_who_only_looks_on_is_told_everything_and_chooses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert play([], bots=2).result.ending is not Ending.RUNNING
    told = capsys.readouterr().out
    assert "> " not in told
    assert told.rstrip().endswith(("has won.", "Nobody has won."))


@pytest.fixture
def terminal() -> Iterator[tuple[int, Keyboard]]:
    """A terminal that echoes nothing: where keys are pressed, and the keyboard that reads them."""
    pressed, reads = pty.openpty()
    tty.setcbreak(reads)
    yield pressed, Keyboard(reads)
    os.close(pressed)
    os.close(reads)


async def test_what_was_typed_on_a_terminal_can_be_forgotten(terminal: tuple[int, Keyboard]) -> None:
    pressed, keyboard = terminal
    first = asyncio.create_task(keyboard.line())
    os.write(pressed, b"one\n")
    assert (await first, keyboard.is_forgotten) == ("one", False)
    keyboard.forget()
    assert [keyboard.is_forgotten] == [True]
    # What is typed while somebody waits for a line is meant.
    second = asyncio.create_task(keyboard.line())
    await asyncio.sleep(0)
    keyboard.forget()
    os.write(pressed, b"two\n")
    assert (await second, keyboard.is_forgotten) == ("two", False)
    # What nobody has read yet is gone.
    os.write(pressed, b"three\n")
    keyboard.forget()
    os.write(pressed, b"four\n")
    assert (await keyboard.line(), keyboard.is_forgotten) == ("four", False)


async def test_the_lines_of_a_pipe_are_not_forgotten() -> None:
    keyboard = typed("one", "two")
    assert await keyboard.line() == "one"
    keyboard.forget()
    assert (await keyboard.line(), keyboard.is_forgotten) == ("two", False)


class Waiting(ReadOnlyTable):
    """A table of a service at which somebody else is to act, and never does."""

    role = Role.PLAYING
    ruleset = PRESETS["jamaica"]

    def __init__(self, moment: Moment) -> None:
        super().__init__(Words("en"))
        self._moment = moment

    async def run(self, show: Show) -> None:
        show(self._moment)
        await asyncio.Event().wait()

    def go(self, steps: int) -> None:
        """Nothing is followed step by step."""


@pytest.mark.parametrize("is_dealt", [True, False])
async def test_a_table_of_a_service_is_shown_on_arrival_and_left_by_a_pipe(
    capsys: pytest.CaptureFixture[str], *, is_dealt: bool
) -> None:
    game = Game.start("jamaica", seats=2, seed=1672)
    view = game.view(1 - game.to_act) if is_dealt else None
    source = Waiting(Moment(view=view, players=("Anne", "Terry (guest)"), note="One seat is free."))
    names = Names(Words("en"), source.ruleset)
    plain = PlainTable(source, Lines(PlainBrush(names=names)), is_remote=True)
    await asyncio.wait_for(plain.run(typed("quit")), PATIENCE)
    told = capsys.readouterr().out
    assert told.endswith("quit\n")
    assert (BOARD in told, "\nRed: Anne\nBlue: Terry (guest)\n" in told) == (is_dealt, is_dealt)


class Shared(LocalTable):
    """A table of two people at one keyboard that counts how often a hand was uncovered."""

    uncovered = 0

    async def uncover(self) -> None:
        self.uncovered += 1
        await super().uncover()


class Told:
    """What the program has told since it was asked last."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._text = ""

    async def until(self, end: str) -> None:
        """Wait until the program waits with these words."""
        self._text = ""
        await until(lambda: self._has_told(end), seconds=10, what=lambda: f"{end!r} after {self._text!r}")

    def _has_told(self, end: str) -> bool:
        self._text += self._capsys.readouterr().out
        return self._text.endswith(end)


@pytest.mark.parametrize("ending", [b"1\n\n", b"1\n"], ids=["typed ahead", "pressed twice"])
async def test_enter_that_ends_a_turn_does_not_uncover_the_next_hand(
    ending: bytes,
    terminal: tuple[int, Keyboard],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cartagena.cli.prompt_loop.is_terminal", lambda _: True)
    pressed, keyboard = terminal
    sitting = Sitting(fresh(PRESETS["jamaica"], names_of_seats(2, 0, "random"), "1672"), None, "1672")
    names = Names(Words("en"), sitting.record.headers.ruleset)
    table = Shared(sitting.record, names, levels=sitting.levels, seed="1672", pace=0)
    moment, told, cover = [0.0], Told(capsys), Words("en").say("play.cover", seat="")[2:]
    # Only for who types ahead time passes between any two keys.
    clock = itertools.count().__next__ if ending == b"1\n\n" else lambda: moment[0]
    playing = asyncio.create_task(PlainTable(table, Lines(PlainBrush(names=names)), clock).run(keyboard))
    await told.until(cover)
    moment[0] += PAUSE
    for line in (b"\n", b"1\n"):
        os.write(pressed, line)
        await told.until("Blue> ")
    os.write(pressed, ending)
    await told.until(cover)
    if ending == b"1\n":
        os.write(pressed, b"\n")
        await told.until(cover)
    os.write(pressed, b"quit\n")
    await playing
    assert table.uncovered == 1
