"""A table of a service at the prompt: news as they come, and a question when a choice is due."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

import click

from cartagena.cli.board_text import draw_discard
from cartagena.cli.prompt import QUIT, Choices, Lines
from cartagena.cli.style import Unreadable, is_terminal
from cartagena.rules.hidden.view import View
from cartagena.terminal.app import in_background
from cartagena.terminal.source import Moment, Role, Source, declined, printable
from cartagena.words.sentences import result_sentence, tip_words

CHUNK: Final = 4096


class Keyboard:
    """Reads lines while other things go on.

    Not through `sys.stdin`: a program cannot end while that waits for a line.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""

    async def line(self) -> str | None:
        """The next line; None at the end of the input."""
        return await in_background(self._read)

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


def keyboard() -> Keyboard:
    """The keyboard or the pipe that this program reads; raises Unreadable if there is none."""
    if sys.stdin is None:
        raise Unreadable("error.no_input")
    return Keyboard(sys.stdin.fileno())


class PlainTable:
    """One table from its first news to its last; the end of the input, or `quit`, leaves it."""

    def __init__(self, source: Source, lines: Lines) -> None:
        self._source = source
        self._lines = lines
        self._moment = Moment(view=None)
        self._told = 0
        self._is_asked = asyncio.Event()
        self._asked_of: View | None = None
        self._awaited: int | None = None

    async def run(self, keyboard: Keyboard) -> None:
        """Follow the table until it is over or the player leaves; raises ClientError if the table is lost."""
        following = asyncio.create_task(self._source.run(self.show))
        try:
            while not following.done():
                reading = asyncio.create_task(self._next_line(keyboard))
                await asyncio.wait({following, reading}, return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                elif not await self._obeys(reading.result()):
                    return
            following.result()
        finally:
            following.cancel()

    async def _next_line(self, keyboard: Keyboard) -> str | None:
        # A pipe has all its lines at once: each is kept until it is asked for.
        if not is_terminal(sys.stdin):
            await self._is_asked.wait()
        return await keyboard.line()

    # What is told.

    def show(self, moment: Moment) -> None:
        """Tell what is new, and ask if a choice is due."""
        before, self._moment = self._moment, moment
        self._tell(self._news(before))
        if moment.is_over and not before.is_over and moment.view is not None:
            self._lines.show_table(moment.view, None)
            click.echo(result_sentence(self._lines.brush.names, moment.winner))
        # The player's own choice is acknowledged before the stream tells of it.
        if len(moment.log) == self._awaited:
            return
        self._awaited = None
        if moment.wishes is None:
            self._is_asked.clear()
        elif moment.view != self._asked_of:
            self._ask()

    def _news(self, before: Moment) -> list[str]:
        moment = self._moment
        news = list(moment.log[self._told :])
        self._told = len(moment.log)
        if moment.note and moment.note != before.note:
            news.append(moment.note)
        if moment.link and moment.link != before.link:
            news += [self._lines.brush.say("terminal.invite"), printable(moment.link)]
        return news

    def _tell(self, news: list[str]) -> None:
        if news and self._is_asked.is_set() and is_terminal(sys.stdout):
            # The prompt stands there already.
            click.echo()
        for line in news:
            click.echo(line)

    def _ask(self) -> None:
        # Wishes come with a view.
        assert self._moment.view is not None
        self._asked_of = self._moment.view
        self._lines.show_table(self._asked_of, self._choices())
        self._is_asked.set()
        self._prompt()

    def _prompt(self) -> None:
        view = self._moment.view
        if view is not None and self._is_asked.is_set():
            seat = self._lines.brush.names.crew(view.seat or 0)
            click.echo(self._lines.brush.say("play.prompt", seat=seat), nl=False)

    def _choices(self) -> Choices | None:
        view, wishes = self._moment.view, self._moment.wishes
        if view is None or wishes is None:
            return None
        return Choices(names=self._lines.brush.names, seats=view.seats, wishes=wishes)

    # What is asked for.

    async def _obeys(self, line: str | None) -> bool:
        """Do what a line asks; False if it is to leave."""
        if line is None or line == QUIT:
            click.echo()
            return False
        if not is_terminal(sys.stdin):
            click.echo(line)
        if line:
            await self._do(line)
        if self._awaited is None:
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
        self._awaited = len(self._moment.log)
        self._is_asked.clear()
        if not await self._granted(asked):
            self._awaited = None
            if self._moment.wishes is not None:
                self._is_asked.set()

    async def _granted(self, asked: Coroutine[Any, Any, None]) -> bool:
        why = await declined(asked, self._lines.brush.names.words)
        if why is not None and why.refusal is not None:
            self._lines.refuse(why.refusal)
        elif why is not None:
            click.echo(str(why))
        return why is None

    async def _tell_tip(self) -> None:
        tip = await self._source.tip()
        click.echo(tip_words(self._lines.brush.names, tip.codes, tip.chance))
