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

from cartagena.rules.actions import Kind
from cartagena.terminal.after_end import LEFT, AfterEnd
from cartagena.terminal.board import Drawing
from cartagena.terminal.choices import Choosing
from cartagena.terminal.cover_guard import CoverGuard
from cartagena.terminal.desk import Desk, Panel, wrapped
from cartagena.terminal.layout import ScreenLayout, lay_out, least_sizes
from cartagena.terminal.pages import TablePages
from cartagena.terminal.setting_screen import CLOSING, Opened, Page
from cartagena.terminal.source import Moment, Role, declined
from cartagena.words.sentences import Reason, refusal_lines

HELP: Final = ("question_mark", "f1")
_JUMP: Final = 10
"""How many steps of a record Page Up and Page Down go."""
_ENDS: Final = 100_000


class TableScreen(Screen[Opened | str]):
    """One table from its first moment to its last.

    It ends with the table that was opened again, with ANOTHER if another game is wished for, else with LEFT.
    """

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

    def __init__(self, opened: Opened, *, another: bool = False, clock: Callable[[], float]) -> None:
        super().__init__()
        self.source = opened.source
        self.desk = Desk(opened.brush, opened.source.role)
        self._clock = clock
        self._pages = TablePages(self)
        self._after_end = AfterEnd(self, self._pages, opened, another=another)
        self._cover_guard = CoverGuard(clock)
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

    def another_screen(self, opened: Opened) -> "TableScreen":
        """A screen for another table, with the same clock."""
        return TableScreen(opened, clock=self._clock)

    def on_mount(self) -> None:
        """Begin to follow the table."""
        self.run_worker(self._answered(self.source.run(self.show)))

    # Drawing.

    def show(self, moment: Moment) -> None:
        """Draw a moment, and when the game has ended say so once."""
        self.desk.show(moment)
        self._pages.turn_to(moment.audience)
        self._cover_guard.take(moment)
        self.redraw()
        if self.desk.is_over and moment.view is not None and not self._is_ended:
            self._is_ended = True
            self._after_end.open()

    def on_resize(self) -> None:
        """Lay everything out for the new size."""
        self.redraw()

    def redraw(self) -> None:
        """Draw everything anew, where there is room for it."""
        # The size of the program, not of a widget: that is known before anything was laid out.
        layout = lay_out(self.desk, *self.app.size)
        self.set_class(layout is None, "small")
        if layout is not None:
            # While the screen opens or closes, parts of it are missing, but it is not visible then.
            with suppress(NoMatches):
                self._arrange(layout)
        for panel in self.query(Panel):
            panel.redraw()

    def _arrange(self, layout: ScreenLayout) -> None:
        self._drawing = layout.drawing
        self.set_class(layout.is_stacked, "stacked")
        left = self.query_one("#left")
        left.styles.width, left.styles.height = layout.left, "1fr"
        for name, lines in layout.heights.items():
            self.query_one(f"#{name}").styles.height = lines

    def _too_small(self, width: int) -> list[str]:
        """How large the screen must be, and what helps, if it is too small."""
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

    def say(self, text: str) -> None:
        """Say something beside the board until the next key."""
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
            **dict.fromkeys(HELP, self._open_help),
            "q": self._leave,
        }
        return pages | self._commands_of_role()

    def _commands_of_role(self) -> dict[str, Callable[[], object]]:
        match self.source.role:
            case Role.FOLLOWING:
                return self._commands_of_record()
            case Role.WATCHING:
                return {}
            case Role.PLAYING if self.desk.is_over:
                return {"enter": self._after_end.open, **self._after_end.commands()}
            case Role.PLAYING if self.desk.moment.covered is not None:
                return {"enter": self._uncover_hand}
            case Role.PLAYING:
                return self._commands_of_game()

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
            "z": lambda: self.ask(self.source.undo()),
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

    def _uncover_hand(self) -> None:
        if self._cover_guard.is_meant():
            self.ask(self.source.uncover())

    def _do(self) -> None:
        code = self.desk.do()
        if code is not None:
            self.ask(self.source.act(code))
        elif self.desk.wish is not None:
            self._open_why()

    def ask(self, asked: Coroutine[Any, Any, None]) -> None:
        """Ask for a change of the table, or for something about it, one at a time."""
        if self._is_busy:
            asked.close()
            return
        self._is_busy = True
        self.run_worker(self._wait_for(asked, self.desk.moment.audience))

    async def _wait_for(self, asked: Coroutine[Any, Any, None], audience: int | None) -> None:
        try:
            await self._answered(asked, audience)
        finally:
            self._is_busy = False

    async def _answered(self, asked: Coroutine[Any, Any, None], audience: int | None = None) -> None:
        why = await declined(asked, self.desk.brush.names.words)
        if why is not None and why.refusal is not None:
            # It may name a card, and another person may look by now.
            if self.desk.moment.audience == audience:
                self._open_refusal(why.refusal)
        elif why is not None:
            self.say(str(why))

    def look_up(self, asked: Coroutine[Any, Any, None]) -> None:
        """Ask for what may take a while: people go on meanwhile, and another such question ends this one."""
        self.run_worker(self._answered(asked), group="looked up", exclusive=True)

    def _ask_tip(self) -> None:
        """Ask for a tip, once for each moment; the player may go on choosing meanwhile."""
        if self.desk.choosing is None:
            return
        self.say(self.desk.brush.say("terminal.tip.thinking"))
        if self._tip_for is not self.desk.moment:
            self._tip_for = self.desk.moment
            self.look_up(self._find_tip())

    async def _find_tip(self) -> None:
        asked = self.desk.moment
        try:
            tip = await self.source.tip()
        finally:
            self._tip_for = None if self._tip_for is asked else self._tip_for
        if self.desk.moment is asked:
            self.desk.follow(tip)
            self.redraw()

    # Pages.

    def _open(
        self, key: str, lines: list[Text | str], keys: tuple[str, ...] = CLOSING, *, is_log: bool = False
    ) -> None:
        say = self.desk.brush.say
        foot = say("terminal.page.close") if keys == CLOSING else ""
        page = Page(say(key), lines, keys, foot=foot, is_log=is_log)
        self._pages.open(page, self._page_closed)

    def _page_closed(self, key: str | None) -> None:
        if key in {"y", "q"}:
            _ = self.dismiss(LEFT)

    def _open_why(self) -> None:
        wish = self.desk.wish
        if wish is not None and wish.refusal is not None:
            self._open_refusal(wish.refusal, wish.action.card)
        elif wish is not None:
            self._open("terminal.page.why", [*self.desk.note(60), "", self.desk.brush.say("play.possible")])

    def _open_refusal(self, refusal: Reason, card: int | None = None) -> None:
        reason, sentence = refusal_lines(self.desk.brush.names, refusal, card)
        self._open("terminal.page.why", [reason, "", sentence])

    def _open_log(self) -> None:
        self._open("terminal.page.log", list(self.desk.moment.log), is_log=True)

    def _open_help(self) -> None:
        self._tell_help(tells_play=self.source.role is Role.PLAYING)

    def _tell_help(self, *, tells_play: bool) -> None:
        """Show how the game is played, or the keys; the key for help leads from one to the other."""
        say, desk = self.desk.brush.say, self.desk
        text = desk.how_to_play() if tells_play else desk.help()
        title = "terminal.page.play" if tells_play else "terminal.page.help"
        other = "terminal.page.to_help" if tells_play else "terminal.page.to_play"
        foot = say(other, close=say("terminal.page.close"))

        def closed(key: str | None) -> None:
            if key in HELP:
                self._tell_help(tells_play=not tells_play)

        page = Page(say(title), text.splitlines(), (*CLOSING, *HELP), foot=foot)
        self._pages.open(page, closed)

    def _leave(self) -> None:
        if self.source.role is not Role.PLAYING or self.desk.is_over:
            _ = self.dismiss(LEFT)
        else:
            self._open("terminal.page.leave", [self.desk.brush.say("terminal.leave")], ("escape", "y", "q"))
