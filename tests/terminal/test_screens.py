"""The main screens as pictures: what is drawn now is what was looked at and found good.

`CARTAGENA_SCREENS=write pytest tests/terminal/test_screens.py` draws them anew; look before you keep them.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from cartagena.bots.players.registry import LEVELS
from cartagena.cli.kept_games import Sitting
from cartagena.cli.screen import LocalTables
from cartagena.rules.ruleset import PRESETS
from cartagena.terminal.app import TerminalApp
from cartagena.terminal.glyphs import UNICODE
from cartagena.terminal.setting_screen import Page, Setting
from cartagena.words import Words
from tests.terminal.keyboard import (
    app_of,
    awaited,
    before_the_end,
    brush_for,
    do,
    match_of,
    press,
    settled,
    table_of,
    text_of,
    until,
)

PICTURES = Path(__file__).parent / "screens"
SIZES = [(80, 24), (140, 40)]
SCREENS: list[tuple[str, Sequence[str]]] = [
    ("menu", ()),
    ("tortuga", ("enter", "right", "enter", "right")),
    ("jamaica", ("enter", "enter", "right")),
    ("nest", ("enter", "down", "enter", "right")),
    ("why", ("r", "enter")),
    ("play", ("question_mark",)),
    ("help", ("question_mark", "question_mark")),
    ("end", ()),
]
"""Each screen with the keys that lead there."""
FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Fonts that a viewer would fetch from elsewhere."""
PAGES = {"why", "play", "help", "end"}
"""Those that lie over a table."""
LATE = 20
"""Seconds that a drawing may be late."""


def app_for(name: str) -> TerminalApp:
    """The program before those keys; people alone play, so that no bot's taste is in the picture."""
    if name == "menu":
        usual = Setting(level="sailor")
        return TerminalApp(Words("en"), UNICODE, usual=usual, levels=tuple(LEVELS))
    if name == "end":
        tables = LocalTables(Words("en"), UNICODE, auto_end=False)
        opened = tables.opened(Sitting(before_the_end()[0], None))
        return TerminalApp(tables.words, tables.glyphs, opened=opened)
    match = match_of(name if name in PRESETS else "tortuga", 3, 0)
    brush = brush_for(match)
    return app_of(table_of(match, brush), brush)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ink", ["colour", "no_color"])
@pytest.mark.parametrize(("name", "keys"), SCREENS)
async def test_a_screen_is_drawn_as_before(
    name: str, keys: Sequence[str], ink: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if ink == "no_color":
        monkeypatch.setenv("NO_COLOR", "1")
    app = app_for(name)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        if name == "end":
            await do(pilot, await awaited(app), before_the_end()[1])
        elif name != "menu":
            await awaited(app)
        for key in keys:
            await (press(pilot, key) if name not in PRESETS else play(pilot, app, key))
            await settled(pilot)
        await until(lambda: isinstance(app.screen, Page) == (name in PAGES))
        await settled(pilot)
        picture = PICTURES / f"{name}-{size[0]}x{size[1]}-{ink}.svg"
        if os.environ.get("CARTAGENA_SCREENS") == "write":
            PICTURES.mkdir(exist_ok=True)
            picture.write_text(drawing_of(app), encoding="utf-8")
        kept = picture.read_text(encoding="utf-8")
        # A busy machine may be late with a layout that was asked for; what is wrong stays wrong.
        await until(
            lambda: drawing_of(app) == kept,
            patience=LATE,
            what=lambda: f"{picture.name}; it looks different now:\n{text_of(app)}",
        )


async def play(pilot: Pilot[None], app: TerminalApp, key: str) -> None:
    """Press a key at a table that waits for somebody; what Enter does there is done when it is shown."""
    screen = await awaited(app)
    before = screen.desk.moment
    await press(pilot, key)
    await until(lambda: key != "enter" or screen.desk.moment is not before)


def drawing_of(app: TerminalApp) -> str:
    """The screen as a picture, drawn without waiting for the timer."""
    text_of(app)
    return FONT.sub("", app.export_screenshot(title="Cartagena"))
