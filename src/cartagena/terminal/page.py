"""A page over the table: help, the log, why not, the end, a question, a file's name."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from cartagena.terminal.drawing import Brush
from cartagena.terminal.panel import Panel, wrapped

WIDEST = 76
_AROUND = 6
"""Columns, and lines, that the frame and its padding take."""


class Page(ModalScreen[str]):
    """Some lines under a title. One of its keys closes it and becomes its result; arrows scroll.

    `foot` stands on the frame below.
    """

    CSS = """
    Page { align: center middle; }
    Page > Panel { padding: 1 2; background: $surface; border: round $accent; }
    Page.ascii > Panel { border: ascii $accent; }
    """

    def __init__(
        self,
        title: str,
        lines: Sequence[Text | str],
        keys: Sequence[str],
        *,
        foot: str = "",
        is_log: bool = False,
    ) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._keys = keys
        self._foot = foot
        self._top = 0
        self._is_log = is_log

    def compose(self) -> ComposeResult:
        """One panel in the middle."""
        yield Panel(self._draw, id="page")

    def on_mount(self) -> None:
        """Begin a log at its end."""
        self.set_class(self.app.has_class("ascii"), "ascii")
        self.query_one(Panel).border_subtitle = self._foot
        self._fit()
        if self._is_log:
            self._scroll(len(self._broken()))

    def on_resize(self) -> None:
        """Take as much of the screen as is needed."""
        self._fit()

    def _fit(self) -> None:
        width = min(WIDEST, self.app.size.width)
        height = min(len(self._broken()) + _AROUND, self.app.size.height)
        panel = self.query_one(Panel)
        panel.styles.width, panel.styles.height = width, height

    def _broken(self) -> list[Text | str]:
        width = min(WIDEST, self.app.size.width) - _AROUND
        broken: list[Text | str] = []
        for line in self._lines:
            broken.extend([line] if isinstance(line, Text) else wrapped([line], width))
        return broken

    def _draw(self, _: int, height: int) -> list[Text | str]:
        shown = self._broken()[self._top : self._top + height - 2]
        return [Text(self._title, "bold"), "", *shown]

    def on_key(self, event: events.Key) -> None:
        """Close, or scroll."""
        event.stop()
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -9999, "end": 9999}
        key = event.key.lower()
        if key in self._keys:
            _ = self.dismiss(key)
        elif key in steps:
            self._scroll(steps[key])

    def on_click(self, event: events.Click) -> None:
        """A click does what the first key does."""
        event.stop()
        _ = self.dismiss(self._keys[0])

    def _scroll(self, lines: int) -> None:
        room = max(1, min(len(self._broken()), self.app.size.height - _AROUND))
        self._top = min(max(0, self._top + lines), max(0, len(self._broken()) - room))
        self.query_one(Panel).redraw()


class SavePage(ModalScreen[str]):
    """Asks where to save a game; it closes with the name, which is empty if nothing is to be saved."""

    CSS = """
    SavePage { align: center middle; }
    SavePage > Vertical {
        width: 76; max-width: 100%; height: auto; padding: 1 2; background: $surface; border: round $accent;
    }
    SavePage.ascii > Vertical { border: ascii $accent; }
    SavePage Panel { height: 3; }
    """

    def __init__(self, brush: Brush, name: str) -> None:
        super().__init__()
        self._brush = brush
        self._name_before = name

    def compose(self) -> ComposeResult:
        """The question above one line to answer it."""
        with Vertical(id="question"):
            yield Panel(lambda width, _: wrapped([self._brush.say("terminal.save.where")], width), id="where")
            yield Input(self._name_before, compact=True, id="name")

    def on_mount(self) -> None:
        """Begin in the line."""
        self.set_class(self.app.has_class("ascii"), "ascii")
        self.query_one("#question").border_subtitle = self._brush.say("terminal.save.keys")
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter saves."""
        event.stop()
        _ = self.dismiss(event.value.strip())

    def on_key(self, event: events.Key) -> None:
        """Escape goes back."""
        if event.key == "escape":
            event.stop()
            _ = self.dismiss("")
