"""A table on the screen: keys, clicks, undo, tips, reasons, covered hands, records."""

import asyncio
import threading
from pathlib import Path

import pytest

from cartagena.bots.players.registry import LEVELS
from cartagena.cli.kept_games import Sitting
from cartagena.cli.main import entrance
from cartagena.cli.match import Match, resumed
from cartagena.cli.screen import LocalTables
from cartagena.notation.record_reader import parse_record
from cartagena.rules.play import legal
from cartagena.terminal.app import TerminalApp, glyphs_for
from cartagena.terminal.glyphs import ASCII, UNICODE
from cartagena.terminal.local import LocalTable, RecordedTable
from cartagena.terminal.setting_screen import Opened, Page, SavePage, Setting, SettingScreen
from cartagena.terminal.source import Tip
from cartagena.terminal.table_screen import TableScreen
from cartagena.words import Words
from tests.terminal.keyboard import (
    app_of,
    brush_for,
    do,
    furthest,
    is_waiting,
    match_of,
    press,
    screen_of,
    settled,
    shows,
    table_of,
    text_of,
    until,
)

RECORDS = Path(__file__).parents[1] / "records"
SIZE = (80, 24)


async def test_undo_takes_back_and_what_was_revealed_stays() -> None:
    match = match_of("jamaica", 2, 1)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = screen_of(app)
        await until(lambda: is_waiting(screen))
        events, log = len(match.events), screen.desk.moment.log
        await do(pilot, screen, legal(match.position)[0])
        assert len(match.events) == events + 1
        assert screen.desk.moment.log != log
        await press(pilot, "z")
        await until(lambda: len(match.events) == events)
        await until(lambda: screen.desk.moment.log == log)
        await press(pilot, "z")
        await until(lambda: isinstance(app.screen, Page))
        await shows(app, brush.say("refusal.nothing_to_undo"))
        await shows(app, "R8.2:")


async def test_why_not_quotes_the_rule_and_its_number() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await press(pilot, "r")
        await shows(app, "A pirate in the fort has")
        await shows(app, "W shows rule R4.7.")
        await press(pilot, "w")
        await settled(pilot)
        await shows(app, "R4.7: A pirate at the start cannot retreat")
        await press(pilot, "escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert match.events == ()


async def test_a_tip_is_looked_at_and_can_be_done() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = screen_of(app)
        await press(pilot, "t")
        await until(lambda: "Tip: " in text_of(app))
        assert "Chance to win:" in screen.desk.said
        assert "from the fort" in screen.desk.said
        wish = screen.desk.wish
        assert wish is not None
        await press(pilot, "enter")
        await until(lambda: len(match.events) == 1)
        assert match.events[0].code == wish.code


async def test_one_may_act_while_a_tip_is_sought_and_an_old_tip_is_not_told() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    table = table_of(match, brush)
    found = asyncio.Event()
    sought = []

    async def slowly() -> Tip:
        sought.append(match.position.seat)
        await found.wait()
        return Tip(codes=(legal(match.position)[0],), chance=0.5)

    table.tip = slowly  # type: ignore[method-assign] # this tip waits for the test
    app = app_of(table, brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await press(pilot, "t", "t", "t", "enter")
        await until(lambda: len(match.events) == 1)
        found.set()
        await settled(pilot)
        assert screen_of(app).desk.said == ""
        assert len(sought) == 1


async def test_a_mouse_does_the_same() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        screen = screen_of(app)
        choosing = screen.desk.choosing
        assert choosing is not None
        await pilot.click("#wishes", offset=(4, 2))
        assert choosing.line == 1
        target = next(wish.explanation.target for wish in choosing.wishes[2:] if wish.explanation)
        spot = next(spot for spot in screen._drawing.spots if spot.place == target)
        await pilot.click("#board", offset=(spot.left + 3, spot.top))
        assert choosing.wish is not None
        assert choosing.wish.explanation is not None
        assert choosing.wish.explanation.target == target
        assert match.events == ()
        await pilot.click("#board", offset=(spot.left + 3, spot.top + 1))
        await until(lambda: len(match.events) == 1)
        assert target in match.position.crews[match.position.seat].places(15)


async def test_a_hidden_hand_is_covered_until_its_owner_comes() -> None:
    match = match_of("jamaica", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = screen_of(app)
        await settled(pilot)
        first = match.position.to_act
        await shows(app, "come to the keyboard")
        await until(lambda: text_of(app).count("6 cards") == 2)
        await press(pilot, "t", "z", "down", "e")
        assert screen.desk.moment.covered == first
        await press(pilot, "enter")
        await settled(pilot)
        await until(lambda: text_of(app).count("6 cards") == 1)
        while match.position.to_act == first:
            await do(pilot, screen, furthest(screen.desk))
        assert screen.desk.moment.covered == match.position.to_act
        assert screen.desk.moment.view is not None
        assert screen.desk.moment.view.hands == (None, None)
        assert not any("draws the" in line for line in screen.desk.moment.log)


async def test_the_screen_lives_while_a_bot_thinks() -> None:
    match = match_of("tortuga", 2, 2)
    brush = brush_for(match)
    thinking, done = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    choose = match.choose_for

    def slowly(seat: int) -> int:
        loop.call_soon_threadsafe(thinking.set)
        done.wait()
        return choose(seat)

    match.choose_for = slowly  # type: ignore[method-assign] # this bot waits for the test
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await thinking.wait()
        await press(pilot, "question_mark")
        await settled(pilot)
        assert isinstance(app.screen, Page)
        assert match.events == ()
        done.set()
        await until(lambda: len(match.events) > 3)


async def test_a_record_is_followed_step_by_step() -> None:
    record = parse_record((RECORDS / "jamaica-3.record").read_text(encoding="utf-8"))
    brush = brush_for(match_of("jamaica", 3, 0))
    app = app_of(RecordedTable(record=record, names=brush.names), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        last = len(record.steps)
        await shows(app, f"step 0 of {last}")
        assert " cards" not in text_of(app)
        await press(pilot, "right", "right", "left")
        await shows(app, f"step 1 of {last}")
        await press(pilot, "end", "right")
        await shows(app, f"step {last} of {last}")
        await press(pilot, "enter", "home", "left")
        await shows(app, f"step 0 of {last}")


def test_a_record_told_to_a_seat_hides_the_other_hands() -> None:
    record = parse_record((RECORDS / "jamaica-3.record").read_text(encoding="utf-8"))
    table = RecordedTable(record=record, names=brush_for(match_of("jamaica", 3, 0)).names, seat=1)
    table.go(len(record.steps) - 1)
    moment = table.moment()
    assert moment.view is not None
    assert [hand is None for hand in moment.view.hands] == [True, False, True]
    assert any(line.endswith("draws a card.") for line in moment.log)


async def test_the_first_screen_asks_everything_and_a_game_begins() -> None:
    asked: list[Setting] = []

    def deal(setting: Setting) -> Opened:
        asked.append(setting)
        match = match_of(setting.preset, setting.seats, setting.bots, level=setting.level)
        brush = brush_for(match)
        return Opened(source=table_of(match, brush), brush=brush)

    usual = Setting(level="sailor")
    app = TerminalApp(Words("en"), UNICODE, deal=deal, usual=usual, levels=tuple(LEVELS))
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await shows(app, "[sailor]")
        await press(pilot, "left", "down", "right", "right", "down", "right", "right", "down", "left", "left")
        await shows(app, "[The Pirate's Nest]")
        await press(pilot, "enter")
        await until(lambda: isinstance(app.screen, TableScreen))
    assert asked == [Setting(preset="nest", seats=4, bots=3, level="random")]


async def test_no_more_bots_than_seats_can_be_asked_for() -> None:
    app = TerminalApp(
        Words("en"), UNICODE, usual=Setting(seats=4, bots=4, level="sailor"), levels=tuple(LEVELS)
    )
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SettingScreen)
        assert (screen.setting().seats, screen.setting().bots) == (4, 4)
        await press(pilot, "down", "left", "left")
        assert (screen.setting().seats, screen.setting().bots) == (2, 2)
        await pilot.click("#seats", offset=(12 + 3 * 3 + 1, 0))
        assert screen.setting().seats == 5


async def test_leaving_a_running_game_is_asked_twice() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await press(pilot, "q")
        await settled(pilot)
        await shows(app, "Leave the game?")
        await press(pilot, "escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        await press(pilot, "q")
        await until(lambda: isinstance(app.screen, Page))
        await press(pilot, "y")
        await until(lambda: not app.is_running)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (200, 60), (50, 44)])
async def test_nothing_is_drawn_beyond_the_screen(size: tuple[int, int]) -> None:
    match = match_of("nest", 5, 0)
    brush = brush_for(match, "de")
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, "enter")
        await settled(pilot)
        shown = text_of(app)
        assert len(shown.splitlines()) == size[1]
        for seat in range(5):
            assert brush.names.crew(seat) in shown
        assert brush.say("table.home.nest") in shown


async def test_a_screen_that_is_too_small_says_what_it_needs_and_a_larger_one_shows_the_table() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=(60, 20)) as pilot:
        await until(lambda: "60 columns and 20 lines" in text_of(app))
        await shows(app, "needs 73 columns and 21 lines, or 42 and ")
        for size in ((73, 21), (60, 36)):
            await pilot.resize_terminal(*size)
            await until(lambda: "end the turn" in text_of(app))
            await shows(app, "sloop")
            await shows(app, brush.names.crew(1))


async def test_words_stand_near_the_board_on_a_wide_screen() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=(200, 50)):
        await until(lambda: "end the turn" in text_of(app))
        line = next(line for line in text_of(app).splitlines() if "Turn 1:" in line)
        assert line.index("Turn 1:") - screen_of(app)._drawing.width < 6


async def test_another_size_is_another_layout() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await shows(app, " 2 ⚷K")
        await pilot.resize_terminal(140, 40)
        await settled(pilot)
        await shows(app, " 2 ⚷K key")


def test_letters_of_this_screen_decide_what_is_drawn() -> None:
    assert glyphs_for("utf-8", ascii_only=False) is UNICODE
    assert glyphs_for("UTF8", ascii_only=True) is ASCII
    assert glyphs_for("iso-8859-1", ascii_only=False) is ASCII


async def test_after_the_end_one_plays_again_at_the_same_table() -> None:
    app, match = ended()
    async with app.run_test(size=SIZE) as pilot:
        await shows(app, "A      play again", "S      save a copy")
        assert "begin another game" not in text_of(app)
        await press(pilot, "a")
        await until(lambda: any("Turn 1:" in line for line in text_of(app).splitlines()))
        source = screen_of(app).source
        assert isinstance(source, LocalTable)
        assert id(source.match) != id(match)
        assert source.match.headers.ruleset == match.headers.ruleset
        assert source.match.headers.names == match.headers.names


async def test_after_the_end_a_copy_is_saved_where_one_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app, match = ended()
    with entrance.make_context("cartagena", ["rules", "--lang", "en"]):
        async with app.run_test(size=SIZE) as pilot:
            await until(lambda: isinstance(app.screen, Page))
            await press(pilot, "s")
            await until(lambda: isinstance(app.screen, SavePage))
            await press(pilot, "home", *"my-", "enter")
            await until(lambda: len(saved_in(tmp_path)) == 1)
            [file] = saved_in(tmp_path)
            assert file.name.startswith("my-tortuga-")
            assert parse_record(file.read_text(encoding="utf-8")) == match.record()
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


def ended() -> tuple[TerminalApp, Match]:
    """The program after the end of a game."""
    record = parse_record((RECORDS / "tortuga-2.record").read_text(encoding="utf-8"))
    match = resumed(record, [""] * record.headers.seats)
    tables = LocalTables(Words("en"), UNICODE, auto_end=False)
    opened = tables.opened(Sitting(match, None))
    return TerminalApp(tables.words, tables.glyphs, opened=opened), match


async def test_a_record_that_was_only_dealt_is_followed_with_its_own_keys() -> None:
    match = match_of("jamaica", 2, 0)
    brush = brush_for(match)
    app = app_of(RecordedTable(record=match.record(), names=brush.names), brush)
    async with app.run_test(size=SIZE) as pilot:
        await shows(app, "step 0 of 0", "Page ten steps")
        assert "undo" not in text_of(app)
        await press(pilot, "question_mark")
        await shows(app, "one step back, one step on")
        await press(pilot, "escape", "q")
        await until(lambda: not app.is_running)
