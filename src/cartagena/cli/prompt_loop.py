"""A table at the prompt: news as they come, and a question when a choice is due."""

import asyncio
import os
import sys
import textwrap
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from threading import Thread
from typing import Any, Final

import click

from cartagena.cli.board_text import draw_discard
from cartagena.cli.prompt import QUIT, WIPE, Lines, TypedChoices, meanwhile
from cartagena.cli.style import Unreadable, is_terminal
from cartagena.rules.hidden.view import View
from cartagena.terminal.cover_guard import CoverGuard
from cartagena.terminal.source import Moment, Role, Source, declined
from cartagena.words.printable import printable
from cartagena.words.sentences import result_sentence, tip_words

CHUNK: Final = 4096
RECALLED: Final = 10
"""How many lines from an earlier sitting are told when a game goes on."""
FORGET: Final = "\x1b[3J"
"""Makes a terminal drop the lines above its screen."""


class Keyboard:
    """Reads lines while other things go on.

    Not through `sys.stdin`: a program cannot end while that waits for a line. A line that was asked for and
    not waited for in the end is the answer to the next question, unless all that was typed is forgotten.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self._reading: Future[tuple[str | None, int]] | None = None
        self._forgotten = 0
        """How often what was typed has been forgotten."""
        self._line_from = 0

    async def line(self) -> str | None:
        """The next line; None at the end of the input."""
        line, self._line_from = await asyncio.wrap_future(self._begun())
        self._reading = None
        return line

    def wait(self) -> str | None:
        """The next line, for a program that does nothing else meanwhile."""
        line, self._line_from = self._begun().result()
        self._reading = None
        return line

    def forget(self) -> None:
        """Forget what has been typed so far on a terminal; a pipe has all its lines at once."""
        if os.isatty(self._descriptor):
            _flush(self._descriptor)
            self._rest = b""
            self._forgotten += 1

    @property
    def is_forgotten(self) -> bool:
        """Whether the last line was typed before all that was typed has been forgotten."""
        return self._line_from != self._forgotten

    def _begun(self) -> "Future[tuple[str | None, int]]":
        if self._reading is None:
            self._reading = Future()
            # From now on nobody can cancel it.
            self._reading.set_running_or_notify_cancel()
            Thread(
                target=lambda found: found.set_result((self._read(), self._forgotten)),
                args=[self._reading],
                daemon=True,
            ).start()
        return self._reading

    def _read(self) -> str | None:
        while b"\n" not in self._rest:
            chunk = b""
            with suppress(OSError):
                chunk = os.read(self._descriptor, CHUNK)
            if not chunk:
                return None
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace").strip()


def _flush(descriptor: int) -> None:
    """Drop what a terminal has taken and no program has read, where the system can."""
    with suppress(ImportError, OSError):
        import termios  # noqa: PLC0415 - some systems have none

        with suppress(termios.error):
            termios.tcflush(descriptor, termios.TCIFLUSH)


def keyboard() -> Keyboard:
    """The keyboard or pipe that this program reads; raises Unreadable without one, or without a screen."""
    if sys.stdin is None or sys.stdout is None:
        raise Unreadable("error.no_input")
    return Keyboard(sys.stdin.fileno())


class PlainTable:
    """One table from its first news to its last; the end of the input, or `quit`, leaves it.

    Lines of a pipe answer questions, in order. With `is_remote`, where a question may be long in coming,
    `quit` is heeded while others are awaited too, and the table is shown on arrival.
    """

    def __init__(
        self,
        source: Source,
        lines: Lines,
        clock: Callable[[], float] = time.monotonic,
        *,
        is_remote: bool = False,
    ) -> None:
        self._is_remote = is_remote
        self._source = source
        self._lines = lines
        self._guard = CoverGuard(clock)
        self._forget: Callable[[], None] = lambda: None
        self._moment = Moment(view=None)
        self._told: dict[int | None, int] = {}
        """How many lines of the log each audience has heard."""
        self._is_asked = asyncio.Event()
        self._is_settled = asyncio.Event()
        """Set unless the player's own choice is on its way."""
        self._has_arrived = False
        self._asked_of: View | None = None
        self._awaited: tuple[int | None, int] | None = None
        self._shown_turn: tuple[int | None, int] | None = None
        """Whose turn, and which, the table was last drawn for."""
        self._is_prompted = False
        self._is_thinking = False
        """Whether the last line says that another seat thinks."""

    async def run(self, keyboard: Keyboard) -> None:
        """Follow the table until it is over or the player leaves; raises ClientError if the table is lost."""
        self._forget = keyboard.forget
        following = asyncio.create_task(self._source.run(self.show))
        try:
            while not following.done():
                reading = asyncio.create_task(self._next_line(keyboard))
                await asyncio.wait({following, reading}, return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                elif keyboard.is_forgotten and reading.result() is not None:
                    pass
                elif not await self._obeys(reading.result()):
                    return
            following.result()
        finally:
            following.cancel()

    async def _next_line(self, keyboard: Keyboard) -> str | None:
        if is_terminal(sys.stdin):
            return await keyboard.line()
        # A pipe has all its lines at once: each is kept until it is asked for.
        if not self._is_remote:
            await self._is_asked.wait()
            return await keyboard.line()
        line = await keyboard.line()
        await (self._is_settled if line == QUIT else self._is_asked).wait()
        return line

    # What is told.

    def show(self, moment: Moment) -> None:
        """Tell what is new, and ask if a choice is due."""
        before = self._moment
        # The player's own choice is acknowledged before the stream tells of it.
        if (moment.audience, len(moment.log)) == self._awaited:
            moment = replace(before, note=moment.note)
            self._tell(self._news(before, moment))
            self._moment = moment
            return
        self._moment, self._awaited = moment, None
        self._is_settled.set()
        self._guard.take(moment)
        if moment.covered is not None:
            self._cover()
            return
        self._tell(self._news(before, moment))
        if moment.is_over and not before.is_over and moment.view is not None:
            self._begin_line()
            self._lines.show_table(moment.view, None)
            click.echo(result_sentence(self._lines.brush.names, moment.winner))
        if moment.wishes is None:
            self._is_asked.clear()
            self._arrive()
            self._say_who_thinks()
        elif moment.view != self._asked_of:
            self._ask()

    def _arrive(self) -> None:
        """Show who sits at a table of a service, and once how it stands: the next question may take long."""
        view = self._moment.view
        if view is None or self._has_arrived or self._moment.is_over or not self._is_remote:
            return
        self._has_arrived = True
        self._begin_line()
        names = self._lines.brush.names
        players = map(printable, self._moment.players)
        self._lines.show([f"{names.crew(seat)}: {name}" for seat, name in enumerate(players)])
        self._lines.show_table(view, None)

    def _cover(self) -> None:
        """Empty the screen, and what could be scrolled back to, and ask for the player to act."""
        # It was meant for what lay there before: an empty line would uncover the hand.
        self._forget()
        # What else must be told waits for the player as well.
        self._moment = replace(self._moment, note="")
        click.clear()
        if is_terminal(sys.stdout):
            click.echo(FORGET, nl=False)
        self._is_prompted = self._is_thinking = False
        self._shown_turn = None
        self._is_asked.set()
        self._prompt()

    def _news(self, before: Moment, moment: Moment) -> list[str]:
        news = list(self._moves_from(moment, self._told.get(moment.audience, moment.recalled - RECALLED)))
        self._told[moment.audience] = len(moment.log)
        if moment.note and moment.note != before.note:
            news.append(moment.note)
        if moment.link and moment.link != before.link:
            news += [self._lines.brush.say("terminal.invite"), printable(moment.link)]
        return news

    def _moves_from(self, moment: Moment, first: int) -> Iterator[str]:
        """Each move in a line of its own, from a line of the log on."""
        starts = sorted({max(0, first), *(start for start in moment.moves if start > first)})
        for start, end in pairwise([*starts, len(moment.log)]):
            told = " ".join(moment.log[start:end])
            if told:
                yield textwrap.fill(told, self._lines.brush.width) if is_terminal(sys.stdout) else told

    def _tell(self, news: list[str]) -> None:
        if news:
            self._begin_line()
        for line in news:
            click.echo(line)

    def _begin_line(self) -> None:
        """Leave a prompt where it stands, and wipe out that somebody thinks."""
        if is_terminal(sys.stdout) and self._is_thinking:
            click.echo(WIPE, nl=False)
        elif is_terminal(sys.stdout) and self._is_prompted:
            click.echo()
        self._is_prompted = self._is_thinking = False

    def _say_who_thinks(self) -> None:
        view = self._moment.view
        if view is None or self._moment.is_over or not is_terminal(sys.stdout) or self._is_thinking:
            return
        self._begin_line()
        seat = self._lines.brush.names.crew(view.to_act)
        click.echo(self._lines.brush.say("play.thinking", seat=seat), nl=False)
        self._is_thinking = True

    def _ask(self) -> None:
        # Wishes come with a view.
        assert self._moment.view is not None
        self._asked_of = self._moment.view
        self._begin_line()
        self._show_question(self._asked_of)
        self._is_asked.set()
        self._prompt()

    def _show_question(self, view: View) -> None:
        """Draw the table when a turn begins; after each action of the player its sentence will do."""
        turn = view.seat, view.turn
        if turn == self._shown_turn:
            self._lines.show_choices(view, self._choices())
        else:
            self._lines.show_table(view, self._choices())
        self._shown_turn = turn

    def _prompt(self) -> None:
        view, covered = self._moment.view, self._moment.covered
        if view is None or self._is_prompted or not self._is_asked.is_set():
            return
        key, seat = ("play.prompt", view.seat or 0) if covered is None else ("play.cover", covered)
        names = self._lines.brush.names
        click.echo(self._lines.brush.say(key, seat=names.crew(seat)), nl=False)
        self._is_prompted = True

    def _choices(self) -> TypedChoices | None:
        view, wishes = self._moment.view, self._moment.wishes
        if view is None or wishes is None:
            return None
        return TypedChoices(names=self._lines.brush.names, seats=view.seats, wishes=wishes)

    # What is asked for.

    async def _obeys(self, line: str | None) -> bool:
        """Do what a line asks; False if it is to leave."""
        self._is_prompted = self._is_thinking = False
        if line is None or not is_terminal(sys.stdin):
            click.echo(line or "")
        if line is None or line == QUIT:
            return False
        if self._moment.covered is not None:
            # A line of a pipe was meant for the question that it answers.
            if self._guard.is_meant() or not is_terminal(sys.stdin):
                await self._change(self._source.uncover())
        elif line:
            await self._do(line)
        self._prompt()
        return True

    async def _do(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        view = self._moment.view
        match command:
            case "help":
                key = "play.help.watch" if self._source.role is Role.WATCHING else "play.help"
                self._lines.say(key)
            case "table" if view is not None:
                self._lines.show_table(view, self._choices())
            case "discard" if view is not None:
                self._lines.show(draw_discard(self._lines.brush, view))
            case "undo":
                await self._change(self._source.undo())
            case "tip":
                await self._granted(self._tell_tip())
            case _:
                await self._choose(command, rest, line)

    async def _choose(self, command: str, rest: str, line: str) -> None:
        choices = self._choices()
        if choices is None:
            watching = self._source.role is Role.WATCHING
            self._lines.say("terminal.only_watching" if watching else "terminal.not_your_turn")
        elif command == "why":
            self._lines.say_why(choices, rest)
        else:
            code = self._lines.chosen(choices, line)
            if code is not None:
                await self._change(self._source.act(code))

    async def _change(self, asked: Coroutine[Any, Any, None]) -> None:
        """Ask for a change; the stream tells the result, and only then is the player asked again."""
        self._awaited = self._moment.audience, len(self._moment.log)
        self._is_asked.clear()
        self._is_settled.clear()
        if not await self._granted(asked):
            self._awaited = None
            self._is_settled.set()
            if self._moment.wishes is not None or self._moment.covered is not None:
                self._is_asked.set()

    async def _granted(self, asked: Coroutine[Any, Any, None]) -> bool:
        why = await declined(asked, self._lines.brush.names.words)
        if why is not None and why.refusal is not None:
            self._lines.refuse(why.refusal)
        elif why is not None:
            click.echo(str(why))
        return why is None

    async def _tell_tip(self) -> None:
        with meanwhile(self._lines.brush.say("terminal.tip.thinking")):
            tip = await self._source.tip()
        click.echo(tip_words(self._lines.brush.names, tip.codes, tip.chance))
