"""The first screen: which game, how many seats, how many bots, and how strong they are."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS, TORTUGA
from cartagena.terminal.drawing import Brush
from cartagena.terminal.glyphs import Glyphs
from cartagena.terminal.panel import Panel
from cartagena.terminal.source import Source
from cartagena.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The answers of the first screen."""

    preset: str = TORTUGA.key
    seats: int = FEWEST_SEATS
    bots: int = FEWEST_SEATS - 1
    level: str
    goes_on: bool = False
    """Whether to go on with the last game instead."""


Save: TypeAlias = Callable[[str], Awaitable[str]]
"""Saves a copy of a game in a file of this name; returns what people must be told about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A table that can be shown, and what to draw it with.

    After the end `again` opens the table once more, and `save` keeps a copy of the game; None where that
    is not possible.
    """

    source: Source
    brush: Brush
    again: Callable[[], Awaitable["Opened"]] | None = None
    save: Save | None = None


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
    """Asks everything that a new table needs; Enter begins.

    `last` are the words for going on with the last game, empty if there is none.
    """

    CSS = """
    SettingScreen { align: center middle; }
    #form { width: 100%; max-width: 76; height: auto; }
    #title { height: 3; }
    #hint { height: 2; color: $text-muted; }
    """

    def __init__(
        self, words: Words, glyphs: Glyphs, levels: Sequence[str], usual: Setting, last: str = ""
    ) -> None:
        super().__init__()
        self._words = words
        self._glyphs = glyphs
        self._levels = levels
        self._usual = usual
        self._last = last

    def compose(self) -> ComposeResult:
        """One picker under the other."""
        say, glyphs = self._words.say, self._glyphs
        presets = [(key, say(f"ruleset.{key}")) for key in PRESETS]
        with Vertical(id="form"):
            yield Panel(
                lambda *_: [Text(say("terminal.title"), "bold"), say("terminal.subtitle")], id="title"
            )
            yield Picker(say("terminal.game"), presets, glyphs, id="preset")
            yield Picker(say("terminal.seats"), _numbers(FEWEST_SEATS, MOST_SEATS), glyphs, id="seats")
            yield Picker(say("terminal.bots"), _numbers(0, FEWEST_SEATS), glyphs, id="bots")
            yield Picker(
                say("terminal.level"), [(level, level) for level in self._levels], glyphs, id="level"
            )
            yield Panel(lambda *_: filter(None, [say("terminal.begin"), self._last]), id="hint")

    def on_mount(self) -> None:
        """Begin with the usual answers."""
        for name in ("preset", "seats", "bots", "level"):
            self._picker(name).choose(str(getattr(self._usual, name)))
        self.on_picker_changed()
        self._picker("bots").choose(str(self._usual.bots))
        self._picker("preset").focus()

    def _picker(self, name: str) -> Picker:
        return self.query_one(f"#{name}", Picker)

    def on_picker_changed(self) -> None:
        """No more bots than seats."""
        self._picker("bots").offer(_numbers(0, int(self._picker("seats").value)))

    def on_key(self, event: events.Key) -> None:
        """Up and down go to another question, Enter begins, G goes on, Escape and Q leave."""
        match event.key:
            case "down":
                self.focus_next()
            case "up":
                self.focus_previous()
            case "enter":
                _ = self.dismiss(self.setting())
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
