"""The first screen: what to play, against whom, or whether to go on with the last game."""

import pytest

from cartagena.bots.players.registry import LEVELS
from cartagena.cli.kept_games import Sitting
from cartagena.cli.screen import LocalTables
from cartagena.terminal.app import TerminalApp
from cartagena.terminal.glyphs import UNICODE
from cartagena.terminal.setting_screen import Opened, Page, Setting, SettingScreen
from cartagena.terminal.table_screen import TableScreen
from cartagena.words import Words
from tests.terminal.keyboard import (
    awaited,
    before_the_end,
    brush_for,
    click,
    do,
    match_of,
    press,
    settled,
    shows,
    table_of,
    text_of,
    until,
)

SIZE = (80, 24)


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


async def test_the_first_screen_says_what_the_chosen_level_is_like() -> None:
    usual = Setting(level="sailor")
    app = TerminalApp(Words("en"), UNICODE, usual=usual, levels=("random", "sailor", "somebody's"))
    async with app.run_test(size=SIZE) as pilot:
        await shows(app, "Makes the most of each turn, but thinks no further.")
        await press(pilot, "down", "down", "down", "left")
        await shows(app, "Moves at random.")
        await press(pilot, "left")
        await shows(app, "[somebody's]")
        assert "Moves at random." not in text_of(app)


@pytest.mark.parametrize("keys", [("enter",), ("down", "enter"), ("down", "up", "enter")])
async def test_the_first_screen_proposes_the_last_game_before_a_new_one(keys: tuple[str, ...]) -> None:
    asked: list[Setting] = []
    tables = LocalTables(Words("en"), UNICODE, auto_end=False)

    def deal(setting: Setting) -> Opened:
        asked.append(setting)
        return tables.opened(Sitting(before_the_end()[0], None))

    app = TerminalApp(
        Words("en"),
        UNICODE,
        deal=deal,
        usual=Setting(level="sailor"),
        levels=tuple(LEVELS),
        last=lambda: "Tortuga, turn 12",
    )
    async with app.run_test(size=SIZE) as pilot:
        await shows(app, "Go on     [Tortuga, turn 12]", "Enter goes on with this game.")
        await press(pilot, *keys)
        await until(lambda: isinstance(app.screen, TableScreen))
        assert [setting.goes_on for setting in asked] == [keys != ("down", "enter")]
        # Another game is wished for after an end: then the new one comes first.
        await do(pilot, await awaited(app), before_the_end()[1])
        await until(lambda: isinstance(app.screen, Page))
        await press(pilot, "n")
        await until(lambda: isinstance(app.screen, SettingScreen))
        await shows(app, "Enter begins a new game, G goes on with the last one")
        await press(pilot, "g")
        await until(lambda: len(asked) == 2)
    assert asked[1].goes_on


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
        await click(pilot, "#seats", (12 + 3 * 3 + 1, 0))
        assert screen.setting().seats == 5
