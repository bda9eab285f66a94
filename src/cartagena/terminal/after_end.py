"""What can be done with a game that has ended: each by a key, also offered on a page of its own."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from cartagena.terminal.desk import end_lines
from cartagena.terminal.pages import TablePages
from cartagena.terminal.setting_screen import CLOSING, Analyse, Opened, Page, Save, SavePage, page_width

if TYPE_CHECKING:
    from cartagena.terminal.table_screen import TableScreen

ANOTHER: Final = "another"
LEFT: Final = "left"
_TOLD: Final = {
    "r": "terminal.end.replay",
    "w": "terminal.end.analyse",
    "a": "terminal.end.again",
    "n": "terminal.end.another",
    "s": "terminal.end.save",
    "enter": "terminal.end.table",
    "q": "terminal.end.leave",
}
"""What is said of each key."""


class AfterEnd:
    """The page that opens at the end of a game on a table screen, and what its keys do."""

    def __init__(self, table: "TableScreen", pages: TablePages, opened: Opened, *, another: bool) -> None:
        self._table = table
        self._pages = pages
        self._opened = opened
        self._another = another

    def commands(self) -> dict[str, Callable[[], object]]:
        """What can be done besides looking at the table, by key."""
        opened, table = self._opened, self._table
        offered: dict[str, Callable[[], object] | None] = {
            "r": opened.replay and partial(self._show_replay, opened.replay),
            "w": opened.analyse and partial(self._ask_analysis, opened.analyse),
            "a": opened.again and partial(self._play_again, opened.again),
            "n": partial(table.dismiss, ANOTHER) if self._another else None,
            "s": opened.save and partial(self._open_save, opened.save),
        }
        return {key: command for key, command in offered.items() if command is not None}

    def open(self) -> None:
        """Open the page."""
        desk, offered = self._table.desk, self.commands()
        told = [_TOLD[key] for key in (*offered, "enter", "q")]
        lines = list(end_lines(desk.brush, desk.moment, told))
        page = Page(desk.brush.say("terminal.page.end"), lines, (*CLOSING, "q", *offered))
        self._pages.open(page, self._closed)

    def _closed(self, key: str | None) -> None:
        if key == "q":
            _ = self._table.dismiss(LEFT)
        elif key is not None:
            self.commands().get(key, self._table.redraw)()

    def _back(self, _: object) -> None:
        self.open()

    # What the keys do.

    def _show_replay(self, replay: Callable[[], Opened]) -> None:
        """Step through the game on a screen above; closing that leads back to the page."""
        table = self._table
        table.call_later(table.app.push_screen, table.another_screen(replay()), self._back)

    def _ask_analysis(self, analyse: Analyse) -> None:
        self._table.look_up(self._analyse(analyse))

    async def _analyse(self, analyse: Analyse) -> None:
        table, loop = self._table, asyncio.get_running_loop()
        say = table.desk.brush.say

        def told(done: int, actions: int) -> None:
            # The screen may be closed by now.
            with suppress(RuntimeError):
                text = say("terminal.analysis.progress", done=done, actions=actions)
                loop.call_soon_threadsafe(table.say, text)

        table.say(say("analysis.progress"))
        lines = await analyse(page_width(table.app.size.width), told)
        table.say("")
        page = Page(say("terminal.analysis"), lines, CLOSING, foot=say("terminal.page.close"))
        self._pages.open(page, self._back)

    def _play_again(self, again: Callable[[], Awaitable[Opened]]) -> None:
        self._table.ask(self._open_again(again))

    async def _open_again(self, again: Callable[[], Awaitable[Opened]]) -> None:
        _ = self._table.dismiss(await again())

    def _open_save(self, save: Save) -> None:
        ruleset = self._opened.source.ruleset
        name = f"{ruleset.key}-{dt.date.today().isoformat()}.txt"  # noqa: DTZ011 - the day here

        def chosen(name: str | None) -> None:
            if name:
                self._table.ask(self._save(save, name))

        self._pages.open(SavePage(self._table.desk.brush, name), chosen)

    async def _save(self, save: Save, name: str) -> None:
        self._table.say(await save(name))
