"""Take the picture of the terminal client that the README shows: a real game on the real screen.

python -m scripts.terminal_picture docs/pictures/terminal.svg
"""

import argparse
import asyncio
import re
from pathlib import Path
from typing import Final

from cartagena import Game
from cartagena.rules.ruleset import TORTUGA
from cartagena.terminal.app import TerminalApp
from cartagena.terminal.glyphs import UNICODE, Brush
from cartagena.terminal.local import LocalTable
from cartagena.terminal.setting_screen import Opened
from cartagena.words import Words
from cartagena.words.sentences import Names

SIZE: Final = (100, 27)
SEATS: Final = 3
SEED: Final = "1672"
TURNS: Final = 13
"""How many turns bots play before the picture, so that there is something to see."""
FONT: Final = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Fonts that a viewer would fetch from elsewhere."""


def app() -> TerminalApp:
    """The program with a game that is well under way."""
    game = Game.start(TORTUGA, seats=SEATS, seed=SEED, names=("You", "sailor", "sailor"))
    while game.turn < TURNS or game.to_act != 0:
        game.push(game.choice_of("sailor"))
    brush = Brush(names=Names(Words("en"), TORTUGA), glyphs=UNICODE)
    # No bot may think while the picture is taken.
    table = LocalTable(game.record(), brush.names, levels=(None,) * SEATS, pace=0)
    return TerminalApp(brush.names.words, brush.glyphs, opened=Opened(source=table, brush=brush))


async def picture() -> str:
    """The screen as SVG, a pirate and a card chosen."""
    shown = app()
    async with shown.run_test(size=SIZE) as pilot:
        await pilot.pause(0.3)
        for key in ("enter", "right", "down"):
            await pilot.press(key)
            await pilot.pause(0.1)
        return FONT.sub("", shown.export_screenshot(title="cartagena play"))


def main() -> None:
    """Take it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.parse_args().file.write_text(asyncio.run(picture()), encoding="utf-8")


if __name__ == "__main__":
    main()
