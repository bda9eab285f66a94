"""A whole game in a real terminal: keys sent through tmux, the screen read from its pane."""

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartagena.notation.record import format_record
from cartagena.notation.record_reader import parse_record
from cartagena.terminal.desk import Desk
from tests.terminal.keyboard import brush_for, furthest, keys_for, match_of, table_of, until
from tests.waiting import PATIENCE, until_sync

PROGRAM = str(Path(sys.executable).with_name("cartagena"))
NAMES = {"left": "Left", "right": "Right", "down": "Down", "enter": "Enter"}
LEFT = 49
"""Columns of the board on a screen of 80."""

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed: apt-get install tmux"),
]


class Terminal:
    """A session of tmux on a server of its own, so that nobody else's is touched."""

    def __init__(self, socket: Path, *command: str) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._run("new-session", "-d", "-x", "80", "-y", "24", *command)

    def _run(self, *words: str) -> str:
        done = subprocess.run([*self._tmux, *words], capture_output=True, text=True, check=True)  # noqa: S603 - tmux
        return done.stdout

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self._run("send-keys", *(NAMES.get(key, key) for key in keys))

    def screen(self) -> str:
        """What stands on the screen now."""
        return self._run("capture-pane", "-p")

    def wait_for(self, *parts: str) -> str:
        """Wait until all of these stand on the screen."""

        def shown() -> str:
            screen = self.screen()
            return screen if all(part in screen for part in parts) else ""

        return until_sync(shown, seconds=PATIENCE, what=lambda: f"{parts} on this screen:\n{self.screen()}")

    def close(self) -> None:
        """End the session and its server."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)  # noqa: S603 - as above


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """The program in a terminal, playing a game that is known beforehand."""
    command = [PROGRAM, "play", "--seed", "1672", "--level", "sailor", "--save", str(tmp_path / "game.txt")]
    opened = Terminal(tmp_path / "socket", "env", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", *command)
    yield opened
    opened.close()


def expected(desk: Desk) -> list[str]:
    """What must stand on the screen: the board and the cards as they are worked out without one."""
    lines = [*desk.board(LEFT, 14).lines, *desk.cards(LEFT)]
    return [line.plain.rstrip() for line in lines]


async def test_a_whole_game_is_played_through_tmux(terminal: Terminal, tmp_path: Path) -> None:
    match = match_of("tortuga", 2, 1)
    brush = brush_for(match)
    # The same game without a screen: it tells what must stand on the screen.
    desk, table = Desk(brush), table_of(match, brush)
    playing = asyncio.create_task(table.run(desk.show))
    while not match.is_over:
        await until(lambda: desk.choosing is not None or match.is_over)
        if desk.choosing is None:
            break
        await asyncio.to_thread(terminal.wait_for, *expected(desk))
        code = furthest(desk)
        # A key looks at the first line that fits; every card of Tortuga has one line.
        terminal.press(*keys_for(desk, code))
        assert desk.choosing.to_code(code)
        await asyncio.to_thread(terminal.wait_for, *expected(desk))
        terminal.press("enter")
        desk.choosing = None
        await table.act(code)
    await playing
    shown = terminal.wait_for("The game is over")
    assert re.search(r"(Red|Blue) has won\.", shown)
    kept = (tmp_path / "game.txt").read_text(encoding="utf-8")
    assert kept == format_record(match.record)
    assert parse_record(kept).result.winner == match.position.winner
    terminal.press("q")
