"""A part of the screen that draws itself anew from what is known now."""

import textwrap
from collections.abc import Callable, Iterable
from typing import TypeAlias

from rich.text import Text
from textual.geometry import Size
from textual.widget import Widget

from cartagena.words.ascii import in_columns

Draw: TypeAlias = Callable[[int, int], Iterable[Text | str]]
"""Gives the lines of a panel for a width and a height."""


class Panel(Widget):
    """Lines of text, as many as there is room for."""

    def __init__(self, draw: Draw, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._draw = draw
        self._drawn = Text()
        self._drawn_for: Size | None = None

    def render(self) -> Text:
        """The lines as they were last drawn, or drawn anew for another size."""
        if self._drawn_for != self.size:
            self._take(self._lines_now())
        return self._drawn

    def redraw(self) -> None:
        """Draw anew if anything has changed; most keys change little of the screen."""
        lines = self._lines_now()
        if lines != self._drawn:
            self._take(lines)
            self.refresh()

    def _take(self, lines: Text) -> None:
        self._drawn, self._drawn_for = lines, self.size

    def _lines_now(self) -> Text:
        width, height = self.size
        lines = [line if isinstance(line, Text) else Text(line) for line in self._draw(width, height)]
        text = Text("\n").join(lines[:height])
        if self.app.has_class("ascii"):
            # Names of players, and what they write, come in letters of their own.
            text.plain = in_columns(text.plain)
        text.no_wrap, text.overflow = True, "crop"
        return text


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Sentences broken to a width, an empty one kept as an empty line."""
    return [part for line in lines for part in textwrap.wrap(line, max(1, width)) or [""]]
