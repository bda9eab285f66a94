"""The program on the screen: the first screen, then the table; it ends with its terminal."""

import os
import select
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Thread
from typing import ClassVar, Final, TextIO

from textual.app import App

from cartagena.terminal.after_end import ANOTHER
from cartagena.terminal.glyphs import ASCII, Glyphs
from cartagena.terminal.setting_screen import Deal, Opened, Setting, SettingScreen
from cartagena.terminal.table_screen import TableScreen
from cartagena.words import Words

LOOK_EVERY: Final = 1000
"""Milliseconds between two looks: a terminal that closes does not wake every program that waits for it."""
HUNG_UP: Final = 129
"""The exit code of a program that SIGHUP ends."""


def end_with_terminal(terminal: TextIO) -> None:
    """End this program as soon as its terminal is closed, whatever it is doing.

    Most programs get a signal. One that was started outside the session of its terminal does not: it would
    read nothing, again and again, and keep a processor busy.
    """
    if hasattr(select, "poll"):
        Thread(target=watch, args=(terminal.fileno(), lambda: os._exit(HUNG_UP)), daemon=True).start()


def watch(descriptor: int, end: Callable[[], None]) -> None:
    """Call `end` when the terminal of a descriptor is closed; never, if that cannot be detected."""
    looking = select.poll()
    looking.register(descriptor, 0)
    found: list[tuple[int, int]] = []
    while not found:
        found = looking.poll(LOOK_EVERY)
    if any(event & select.POLLHUP for _, event in found):
        end()


class TerminalApp(App[None]):
    """Shows one table after another: the one it is given, or those that `deal` opens."""

    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    CSS = "Screen { overflow: hidden; }"

    def __init__(  # noqa: PLR0913 - all but the first two by name
        self,
        words: Words,
        glyphs: Glyphs,
        *,
        opened: Opened | None = None,
        deal: Deal | None = None,
        usual: Setting | None = None,
        levels: tuple[str, ...] = (),
        last: Callable[[], str] = str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Without colours Textual would show greys; this keeps the terminal's own foreground and background.
        super().__init__(ansi_color=bool(os.environ.get("NO_COLOR")))
        self.words = words
        self.glyphs = glyphs
        self._opened = opened
        self._deal = deal
        self._usual = usual
        self._levels = levels
        self._last = last
        self._clock = clock

    def on_mount(self) -> None:
        """Show the table, or ask for one first."""
        self.set_class(self.glyphs is ASCII, "ascii")
        if self._opened is not None:
            self._show(self._opened)
        else:
            self._ask()

    def _ask(self, *, is_wished: bool = False) -> None:
        assert self._usual is not None, "who may ask knows what is usual"
        screen = SettingScreen(
            self.words, self.glyphs, self._levels, self._usual, last=self._last(), is_wished=is_wished
        )
        self.call_later(self.push_screen, screen, self._answered)

    def _answered(self, setting: Setting | None) -> None:
        if setting is None or self._deal is None:
            self.exit()
        else:
            self._usual = replace(setting, goes_on=False)
            self._show(self._deal(setting))

    def _show(self, opened: Opened) -> None:
        screen = TableScreen(opened, another=self._deal is not None, clock=self._clock)
        self.call_later(self.push_screen, screen, self._ended)

    def _ended(self, how: Opened | str | None) -> None:
        if isinstance(how, Opened):
            self._show(how)
        elif how == ANOTHER:
            self._ask(is_wished=True)
        else:
            self.exit()
