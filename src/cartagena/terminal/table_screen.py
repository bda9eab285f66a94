"""The table on the screen: draws moments, and makes wishes of keys and clicks."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.css.query import NoMatches
from textual.screen import Screen

from cartagena.messages.wishes import RefusalMessage
from cartagena.rules.actions import Kind
from cartagena.rules.refusals import CartagenaError
from cartagena.terminal.board import Drawing
from cartagena.terminal.brush import Brush
from cartagena.terminal.desk import Desk
from cartagena.terminal.layout import Layout, lay_out, least_sizes
from cartagena.terminal.page import Page
from cartagena.terminal.panel import Panel, wrapped
from cartagena.terminal.source import Declined, Moment, Source
from cartagena.terminal.telling import end_lines, refusal_lines, tip_line
from cartagena.terminal.wishing import Choosing

CLOSING: Final = ("enter", "escape", "space")
AGAIN: Final = "again"
LEFT: Final = "left"
_JUMP: Final = 10
"""Steps of a record that a page of it has."""
_ENDS: Final = 100_000


class TableScreen(Screen[str]):
    """One table from its first moment to its last; it ends with AGAIN if another game is wished for."""

    CSS = """
    TableScreen { layout: vertical; }
    #head, #foot { height: 1; background: $panel; }
    #right { width: 1fr; padding-left: 1; }
    TableScreen.stacked #table { layout: vertical; }
    TableScreen.stacked #log { display: none; }
    #small { display: none; height: 1fr; padding: 1; }
    TableScreen.small #small { display: block; }
    TableScreen.small #table, TableScreen.small #foot { display: none; }
    #board, #cards { height: 1; }
    #log { height: 1fr; color: $text-muted; }
    #turn, #wishes { height: 1; margin-bottom: 1; }
    #note { height: 1fr; }
    """

    def __init__(self, source: Source, brush: Brush, *, again: bool = False) -> None:
        super().__init__()
        self.source = source
        self.desk = Desk(brush)
        self._again = again
        self._drawing = Drawing()
        self._tip_for: Moment | None = None
        self._is_busy = False
        self._is_ended = False

    def compose(self) -> ComposeResult:
        """The board with the cards and the log below it; at its right the turn and what can be wished."""
        desk = self.desk
        yield Panel(lambda *_: [desk.head()], id="head")
        yield Panel(lambda width, _: self._too_small(width), id="small")
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Panel(lambda *_: self._drawing.lines, id="board")
                yield Panel(lambda width, _: desk.cards(width), id="cards")
                yield Panel(desk.log, id="log")
            with Vertical(id="right"):
                yield Panel(lambda width, _: desk.turn(width), id="turn")
                yield Panel(lambda _, height: desk.wishes(height), id="wishes")
                yield Panel(lambda width, _: desk.note(width), id="note")
        yield Panel(lambda width, _: desk.keys(width), id="foot")

    def on_mount(self) -> None:
        """Begin to follow the table."""
        self.run_worker(self._follow())

    async def _follow(self) -> None:
        try:
            await self.source.run(self.show)
        except CartagenaError as error:
            self._say(self.desk.brush.say("terminal.lost", reason=error))

    # Drawing.

    def show(self, moment: Moment) -> None:
        """Draw a moment, and when the game has ended say so once."""
        self.desk.show(moment)
        self.redraw()
        if moment.view is not None and moment.view.over and not moment.steps and not self._is_ended:
            self._is_ended = True
            self._open_end()

    def on_resize(self) -> None:
        """Lay everything out for the new size."""
        self.redraw()

    def redraw(self) -> None:
        """Draw everything anew, where there is room for it."""
        # The size of the program, not of a widget: that is known before anything was laid out.
        layout = lay_out(self.desk, *self.app.size)
        self.set_class(layout is None, "small")
        if layout is not None:
            # While the screen opens or closes, parts of it are not there; nobody sees it then.
            with suppress(NoMatches):
                self._arrange(layout)
        for panel in self.query(Panel):
            panel.redraw()

    def _arrange(self, layout: Layout) -> None:
        self._drawing = layout.drawing
        self.set_class(layout.is_stacked, "stacked")
        left = self.query_one("#left")
        left.styles.width, left.styles.height = layout.left, "1fr"
        for name, lines in layout.heights.items():
            self.query_one(f"#{name}").styles.height = lines

    def _too_small(self, width: int) -> list[str]:
        """How large a screen must be, and what helps whose is not."""
        if not self.has_class("small"):
            return []
        (wide, low), (narrow, high) = least_sizes(self.desk)
        here = self.app.size
        told = self.desk.brush.say(
            "terminal.too_small",
            columns=here.width,
            lines=here.height,
            wide=wide,
            low=low,
            narrow=narrow,
            high=high,
        )
        return wrapped(told.splitlines(), width)

    def _say(self, text: str) -> None:
        self.desk.said = text
        self.query_one("#note", Panel).redraw()

    # Keys and clicks.

    def on_key(self, event: events.Key) -> None:
        """Do what a key says: one of the table's own, else the letter of a sign."""
        event.stop()
        self.desk.said = ""
        command = self._commands().get(event.key) or self._commands().get(event.key.lower())
        if command is not None:
            command()
        elif event.character is not None and self.desk.choosing is not None:
            self.desk.choosing.to_cards(self.desk.cards_with(event.character))
        self.redraw()

    def _commands(self) -> dict[str, Callable[[], object]]:
        pages: dict[str, Callable[[], object]] = {
            "l": self._open_log,
            "question_mark": self._open_help,
            "f1": self._open_help,
            "q": self._leave,
        }
        if self.desk.moment.steps:
            return pages | self._commands_of_record()
        return pages | (
            self._commands_of_game() if self.desk.moment.covered is None else {"enter": self.source.uncover}
        )

    def _commands_of_record(self) -> dict[str, Callable[[], object]]:
        steps = {
            "left": -1,
            "right": 1,
            "up": -1,
            "down": 1,
            "space": 1,
            "enter": 1,
            "home": -_ENDS,
            "end": _ENDS,
        }
        steps |= {"pageup": -_JUMP, "pagedown": _JUMP}
        return {key: partial(self.source.go, by) for key, by in steps.items()}

    def _commands_of_game(self) -> dict[str, Callable[[], object]]:
        return {
            "enter": self._do,
            "z": lambda: self._ask(self.source.undo()),
            "t": self._ask_tip,
            "w": self._open_why,
            **self._commands_of_choosing(),
        }

    def _commands_of_choosing(self) -> dict[str, Callable[[], object]]:
        choosing = self.desk.choosing
        if choosing is None:
            return {}
        return {
            "up": lambda: choosing.step(-1),
            "down": lambda: choosing.step(1),
            "left": lambda: choosing.next_pirate(-1),
            "right": lambda: choosing.next_pirate(1),
            "r": lambda: choosing.to_kind(Kind.RETREAT, Kind.PUSH),
            "c": lambda: choosing.to_kind(Kind.SAIL, Kind.CAPTAIN_SAIL),
            "e": lambda: choosing.to_kind(Kind.END_TURN),
        }

    def on_click(self, event: events.Click) -> None:
        """A click on a place or a wish looks at it; on the one that is looked at, it does it."""
        choosing, panel = self.desk.choosing, event.widget
        if choosing is None or panel is None:
            return
        if panel.id == "board":
            self._click_place(choosing, self._drawing.place_at(event.y, event.x))
        elif panel.id == "wishes" and event.y > 0:
            self._click_wish(choosing, event.y - 1 + self.desk.first_wish(panel.size.height))
        self.redraw()

    def _click_place(self, choosing: Choosing, place: int | None) -> None:
        wish = choosing.wish
        if place is None:
            return
        if wish is not None and wish.explanation is not None and wish.explanation.target == place:
            self._do()
        else:
            choosing.to_place(place)

    def _click_wish(self, choosing: Choosing, line: int) -> None:
        if line == choosing.line:
            self._do()
        else:
            choosing.turn_to(line)

    # Wishes.

    def _do(self) -> None:
        wish = self.desk.wish
        if wish is not None and wish.code is not None:
            self._ask(self.source.act(wish.code))
        elif wish is not None:
            self._open_why()

    def _ask(self, asked: Coroutine[Any, Any, None]) -> None:
        """Ask the source for a change, one at a time."""
        if self._is_busy:
            asked.close()
            return
        self._is_busy = True
        self.run_worker(self._wait_for(asked))

    async def _wait_for(self, asked: Coroutine[Any, Any, None]) -> None:
        try:
            await self._answered(asked)
        finally:
            self._is_busy = False

    async def _answered(self, asked: Coroutine[Any, Any, None]) -> None:
        try:
            await asked
        except Declined as declined:
            if declined.refusal is None:
                self._say(str(declined))
            else:
                self._open_refusal(declined.refusal)
        except CartagenaError as error:
            self._say(self.desk.brush.say("terminal.lost", reason=error))

    def _ask_tip(self) -> None:
        """Ask for a tip, once for each moment; one may go on choosing meanwhile."""
        if self.desk.choosing is None:
            return
        self._say(self.desk.brush.say("terminal.tip.thinking"))
        if self._tip_for is not self.desk.moment:
            self._tip_for = self.desk.moment
            self.run_worker(self._answered(self._find_tip()), group="tip", exclusive=True)

    async def _find_tip(self) -> None:
        asked = self.desk.moment
        try:
            tip = await self.source.tip()
        finally:
            self._tip_for = None if self._tip_for is asked else self._tip_for
        choosing = self.desk.choosing
        if self.desk.moment is asked and asked.view is not None and choosing is not None:
            choosing.to_code(tip.codes[0])
            self.redraw()
            self._say(tip_line(self.desk.brush, asked.view, tip))

    # Pages.

    def _open(
        self, key: str, lines: list[Text | str], keys: tuple[str, ...] = CLOSING, *, is_log: bool = False
    ) -> None:
        say = self.desk.brush.say
        foot = say("terminal.page.close") if keys == CLOSING else ""
        page = Page(say(key), lines, keys, foot=foot, is_log=is_log)
        self.call_later(self.app.push_screen, page, self._page_closed)

    def _page_closed(self, key: str | None) -> None:
        if key in {"y", "q"}:
            self._end_with(LEFT)
        elif key == "n":
            self._end_with(AGAIN)

    def _end_with(self, how: str) -> None:
        _ = self.dismiss(how)

    def _open_why(self) -> None:
        if self.desk.refusal is not None:
            self._open_refusal(self.desk.refusal)
        elif self.desk.wish is not None:
            self._open("terminal.page.why", [*self.desk.note(60), "", self.desk.brush.say("play.possible")])

    def _open_refusal(self, refusal: RefusalMessage) -> None:
        reason, sentence = refusal_lines(self.desk.brush, refusal)
        self._open("terminal.page.why", [reason, "", sentence])

    def _open_log(self) -> None:
        self._open("terminal.page.log", list(self.desk.moment.log), is_log=True)

    def _open_help(self) -> None:
        self._open("terminal.page.help", list(self.desk.brush.say("terminal.help").splitlines()))

    def _leave(self) -> None:
        view = self.desk.moment.view
        if self.desk.moment.steps or (view is not None and view.over):
            self._end_with(LEFT)
        else:
            self._open("terminal.page.leave", [self.desk.brush.say("terminal.leave")], ("escape", "y", "q"))

    def _open_end(self) -> None:
        keys = (*CLOSING, "q", "n") if self._again else (*CLOSING, "q")
        lines = list(end_lines(self.desk.brush, self.desk.moment, again=self._again))
        self._open("terminal.page.end", lines, keys)
