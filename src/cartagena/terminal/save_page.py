"""A page over the table that asks for the name of a file."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from cartagena.terminal.brush import Brush
from cartagena.terminal.panel import Panel, wrapped


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
