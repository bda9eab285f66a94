"""After the end of a game: again, another look, what the turns were worth, a copy."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from cartagena.cli.kept_games import Sitting
from cartagena.cli.main import entrance
from cartagena.cli.screen import LocalTables
from cartagena.notation.record_reader import parse_record
from cartagena.terminal.app import TerminalApp
from cartagena.terminal.glyphs import UNICODE
from cartagena.terminal.setting_screen import Page, SavePage
from cartagena.terminal.table_screen import TableScreen
from cartagena.words import Words
from tests.terminal.keyboard import (
    awaited,
    before_the_end,
    do,
    press,
    screen_of,
    shows,
    text_of,
    until,
)

SIZE = (80, 24)


async def test_after_the_end_one_plays_again_at_the_same_table() -> None:
    app, tables = nearly_ended()
    async with app.run_test(size=SIZE) as pilot:
        await end(pilot, app)
        before = tables.last
        await shows(app, "A      play again", "S      save a copy")
        assert "begin another game" not in text_of(app)
        await press(pilot, "a")
        await until(lambda: any("Turn 1:" in line for line in text_of(app).splitlines()))
        assert before is not None
        assert tables.last is not None
        old, new = before.record.headers, tables.last.record.headers
        assert (old.ruleset, old.names) == (new.ruleset, new.names)
        assert old.deal != new.deal


async def test_after_the_end_one_steps_through_the_game_and_comes_back() -> None:
    app, tables = nearly_ended()
    async with app.run_test(size=SIZE) as pilot:
        await end(pilot, app)
        ended = app.screen_stack[-2]
        await shows(app, "R      step through the game")
        await press(pilot, "r")
        await until(lambda: isinstance(app.screen, TableScreen) and app.screen is not ended)
        replay = app.screen
        assert isinstance(replay, TableScreen)
        assert tables.last is not None
        steps = len(tables.last.record.steps)
        await until(lambda: (replay.desk.moment.step, replay.desk.moment.steps) == (0, steps))
        await press(pilot, "right")
        await until(lambda: replay.desk.moment.step == 1)
        await press(pilot, "q")
        await until(lambda: isinstance(app.screen, Page))
        assert app.screen_stack[-2] is ended
        await shows(app, "R      step through the game")


async def test_after_the_end_one_is_told_what_each_turn_was_worth() -> None:
    app, _ = nearly_ended()
    async with app.run_test(size=SIZE) as pilot:
        await end(pilot, app)
        await press(pilot, "w")
        await until(lambda: isinstance(app.screen, Page) and "What each turn was worth" in text_of(app))
        await press(pilot, "end")
        await shows(app, "? costly  ?? blunder  ! find", "Result: ")
        assert all(len(line) <= SIZE[0] for line in text_of(app).splitlines())
        await press(pilot, "escape")
        await shows(app, "W      what each turn was worth")


async def test_after_the_end_a_copy_is_saved_where_one_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app, tables = nearly_ended()
    with entrance.make_context("cartagena", ["rules", "--lang", "en"]):
        async with app.run_test(size=SIZE) as pilot:
            await end(pilot, app)
            await press(pilot, "s")
            await until(lambda: isinstance(app.screen, SavePage))
            await press(pilot, "home", *"my-", "enter")
            await until(lambda: len(saved_in(tmp_path)) == 1)
            [file] = saved_in(tmp_path)
            assert file.name.startswith("my-tortuga-")
            assert tables.last is not None
            assert parse_record(file.read_text(encoding="utf-8")) == tables.last.record
            await until(lambda: file.name in screen_of(app).desk.said)
            await press(pilot, "s")
            await until(lambda: isinstance(app.screen, SavePage))
            await press(pilot, "escape")
            await until(lambda: isinstance(app.screen, TableScreen))
            await press(pilot, "enter")
            await until(lambda: isinstance(app.screen, Page))
    assert saved_in(tmp_path) == [file]


def saved_in(folder: Path) -> list[Path]:
    return list(folder.glob("*.txt"))


def nearly_ended() -> tuple[TerminalApp, LocalTables]:
    """The program before the last choice of a game; analyses take as few simulations as they can."""
    tables = LocalTables(Words("en"), UNICODE, auto_end=False, simulations=1)
    opened = tables.opened(Sitting(before_the_end()[0], None))
    return TerminalApp(tables.words, tables.glyphs, opened=opened), tables


async def end(pilot: Pilot[None], app: TerminalApp) -> None:
    """Make the last choice, which wins."""
    screen = await awaited(app)
    await do(pilot, screen, before_the_end()[1])
    await until(lambda: isinstance(app.screen, Page))
