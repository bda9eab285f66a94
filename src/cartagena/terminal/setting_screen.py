"""The first screen: which game, how many seats, how many bots, and how strong they are."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS, TORTUGA
from cartagena.terminal.desk import Panel, wrapped
from cartagena.terminal.glyphs import Brush, Glyphs
from cartagena.terminal.source import Source
from cartagena.words import Words

# A page over the table: help, the log, why not, the end, a question, a file's name.

CLOSING: Final = ("enter", "escape", "space")
"""The keys that close a page."""
WIDEST = 76
_AROUND = 6
"""Columns, and lines, that the frame and its padding take."""


def page_width(columns: int) -> int:
    """How many columns the lines of a page have on a screen with `columns`."""
    return min(WIDEST, columns) - _AROUND


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
        width = page_width(self.app.size.width)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The answers of the first screen."""

    preset: str = TORTUGA.key
    seats: int = FEWEST_SEATS
    bots: int = FEWEST_SEATS - 1
    level: str
    goes_on: bool = False
    """Whether to go on with the last game instead."""


Analyse: TypeAlias = Callable[[int, Callable[[int, int], None]], Awaitable[list[Text]]]
"""Tells what the turns of a game were worth, in lines of a width; tells its progress."""
Save: TypeAlias = Callable[[str], Awaitable[str]]
"""Saves a copy of a game in a file of this name; returns what people must be told about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A table that can be shown, and what to draw it with.

    After the end `again` opens the table once more, `save` keeps a copy of the game, `replay` opens it step
    by step, and `analyse` tells what its turns were worth; None where that is not possible.
    """

    source: Source
    brush: Brush
    again: Callable[[], Awaitable["Opened"]] | None = None
    save: Save | None = None
    replay: Callable[[], "Opened"] | None = None
    analyse: Analyse | None = None


Deal: TypeAlias = Callable[[Setting], Opened]
"""Opens a new table with these settings."""

_LABEL: Final = 10


class Picker(Widget, can_focus=True):
    """One question with all its answers in a line; left and right, or a click, choose another."""

    class Changed(Message):
        """Another answer was chosen."""

    DEFAULT_CSS = "Picker { height: 2; } Picker:focus { text-style: bold; }"

    def __init__(self, label: str, answers: Sequence[tuple[str, str]], glyphs: Glyphs, *, id: str) -> None:  # noqa: A002
        """The answers are pairs of a value and its words."""
        super().__init__(id=id)
        self._label = label
        self._glyphs = glyphs
        self.answers = list(answers)
        self.at = 0

    @property
    def value(self) -> str:
        """The answer that is chosen."""
        return self.answers[self.at][0]

    def choose(self, value: str) -> None:
        """Take this answer if there is one like it, else the last."""
        values = [each for each, _ in self.answers]
        self.at = values.index(value) if value in values else len(values) - 1
        self.refresh()

    def offer(self, answers: Sequence[tuple[str, str]]) -> None:
        """Other answers; what was chosen stays chosen if it can."""
        chosen = self.value
        self.answers = list(answers)
        self.choose(chosen)

    def render(self) -> Text:
        """The question, and its answers with the chosen one set apart."""
        line = Text(f"{self._glyphs.here if self.has_focus else ' '} {self._label:<{_LABEL}}", no_wrap=True)
        for at, (_, words) in enumerate(self.answers):
            line.append("[" if at == self.at else " ")
            line.append(words, "reverse" if at == self.at else "")
            line.append("]" if at == self.at else " ")
        return line

    def on_key(self, event: events.Key) -> None:
        """Left and right choose."""
        step = {"left": -1, "right": 1}.get(event.key)
        if step is not None:
            event.stop()
            self._take((self.at + step) % len(self.answers))

    def on_click(self, event: events.Click) -> None:
        """The answer that was clicked on."""
        column = _LABEL + 2
        for at, (_, words) in enumerate(self.answers):
            if column <= event.x < column + len(words) + 2:
                self._take(at)
            column += len(words) + 2

    def _take(self, at: int) -> None:
        self.at = at
        self.refresh()
        self.post_message(self.Changed())


class SettingScreen(Screen[Setting | None]):
    """Asks everything that a new table needs, or goes on with the last game; Enter does what is looked at.

    `last` are the words for the last game, empty if there is none. The screen begins with it, unless another
    game `is_wished`.
    """

    CSS = """
    SettingScreen { align: center middle; }
    #form { width: 100%; max-width: 76; height: auto; }
    #title { height: 3; }
    #level { height: 1; }
    #meaning { height: 2; padding-left: 13; color: $text-muted; }
    #hint { height: 2; color: $text-muted; }
    """

    def __init__(
        self,
        words: Words,
        glyphs: Glyphs,
        levels: Sequence[str],
        usual: Setting,
        *,
        last: str = "",
        is_wished: bool = False,
    ) -> None:
        super().__init__()
        self._words = words
        self._glyphs = glyphs
        self._levels = levels
        self._usual = usual
        self._last = last
        self._first = "last" if last and not is_wished else "preset"

    def compose(self) -> ComposeResult:
        """One picker under the other."""
        say, glyphs = self._words.say, self._glyphs
        presets = [(key, say(f"ruleset.{key}")) for key in PRESETS]
        with Vertical(id="form"):
            yield Panel(lambda *_: [Text("Cartagena", "bold"), say("terminal.subtitle")], id="title")
            if self._last:
                yield Picker(say("terminal.last"), [("last", self._last)], glyphs, id="last")
            yield Picker(say("terminal.game"), presets, glyphs, id="preset")
            yield Picker(say("terminal.seats"), _numbers(FEWEST_SEATS, MOST_SEATS), glyphs, id="seats")
            yield Picker(say("terminal.bots"), _numbers(0, FEWEST_SEATS), glyphs, id="bots")
            yield Picker(
                say("terminal.level"), [(level, level) for level in self._levels], glyphs, id="level"
            )
            yield Panel(lambda width, _: wrapped([self._meaning()], width), id="meaning")
            yield Panel(lambda width, _: wrapped([self._hint()], width), id="hint")

    def on_mount(self) -> None:
        """Begin with the usual answers."""
        for name in ("preset", "seats", "bots", "level"):
            self._picker(name).choose(str(getattr(self._usual, name)))
        self.on_picker_changed()
        self._picker("bots").choose(str(self._usual.bots))
        self._picker(self._first).focus()

    def on_descendant_focus(self) -> None:
        """Say what Enter does now."""
        self.query_one("#hint", Panel).redraw()

    def _hint(self) -> str:
        if self._goes_on:
            return self._words.say("terminal.begin.goes_on")
        return self._words.say("terminal.begin.or_go_on" if self._last else "terminal.begin")

    def _meaning(self) -> str:
        """What the chosen level is like; nothing is known of a bot that somebody installed."""
        key = f"terminal.level.{self._picker('level').value}"
        return self._words.say(key) if key in self._words.keys(key) else ""

    @property
    def _goes_on(self) -> bool:
        """Whether the last game is looked at."""
        return self.focused is not None and self.focused.id == "last"

    def _picker(self, name: str) -> Picker:
        return self.query_one(f"#{name}", Picker)

    def on_picker_changed(self) -> None:
        """No more bots than seats; and what the level is like."""
        self._picker("bots").offer(_numbers(0, int(self._picker("seats").value)))
        self.query_one("#meaning", Panel).redraw()

    def on_key(self, event: events.Key) -> None:
        """Up and down go to another question, Enter begins or goes on, G goes on, Escape and Q leave."""
        match event.key:
            case "down":
                self.focus_next()
            case "up":
                self.focus_previous()
            case "enter":
                _ = self.dismiss(replace(self.setting(), goes_on=self._goes_on))
            case "g" if self._last:
                _ = self.dismiss(replace(self.setting(), goes_on=True))
            case "escape" | "q":
                _ = self.dismiss(None)

    def setting(self) -> Setting:
        """The answers as they are now."""
        return Setting(
            preset=self._picker("preset").value,
            seats=int(self._picker("seats").value),
            bots=int(self._picker("bots").value),
            level=self._picker("level").value,
        )


def _numbers(first: int, last: int) -> list[tuple[str, str]]:
    return [(str(number), str(number)) for number in range(first, last + 1)]
