"""Playing at the prompt: tells the news, draws the table, asks, and does what is asked."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

import click

from cartagena.cli.drawing import Brush, draw_discard, draw_table
from cartagena.cli.match import Match
from cartagena.cli.menu import NoSuchChoice, chosen, menu, refusal_of
from cartagena.cli.style import Unreadable, is_terminal
from cartagena.notation.errors import NotationError
from cartagena.rules.codes import END_TURN
from cartagena.rules.explain import explain
from cartagena.rules.happenings import Happening
from cartagena.rules.play import legal
from cartagena.rules.refusals import Refusal
from cartagena.rules.seen import seen
from cartagena.rules.view import view
from cartagena.words.effects import effects
from cartagena.words.telling import tell

QUIT: Final = "quit"
WIPE: Final = "\r\x1b[K"
"""Makes a terminal empty the line it is on."""
FORGET: Final = "\x1b[3J"
"""Makes a terminal drop the lines above its screen."""


@dataclass(kw_only=True)
class Session:
    """One sitting at one keyboard.

    `keep` is called whenever a person is asked, and at the end; it gives what people must be told of it.
    Everybody who looks at the screen sees what the seat in `looking` may see, so another person's hidden
    hand is covered until that person is there. `happened` holds what each choice did, `told` how many
    choices each audience has heard of.
    """

    match: Match
    brush: Brush
    auto_end: bool
    keep: Callable[[], str]
    looking: int | None = None
    happened: list[list[Happening]] = field(default_factory=list)
    told: dict[int | None, int] = field(default_factory=dict)

    def run(self) -> None:
        """Go on until the game is over or somebody leaves."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Bytes that are no text are then a line that means nothing, not the end of the game.
            sys.stdin.reconfigure(errors="replace")
        while not self.match.position.over:
            if not self._next_choice():
                self.keep()
                self._say("play.left")
                return
        self.keep()
        self._tell_news()
        self._show(draw_table(self.brush, view(self.match.position, None)))

    def _next_choice(self) -> bool:
        """Let the seat to act choose; False when a person leaves."""
        seat = self.match.position.to_act
        if self.match.is_bot(seat):
            with self._thinking(seat):
                code = self.match.choose_for(seat)
            self._do(code)
            return True
        if self.auto_end and legal(self.match.position) == [END_TURN]:
            self._do(END_TURN)
            return True
        return self._ask_person(seat)

    @contextmanager
    def _thinking(self, seat: int) -> Iterator[None]:
        """Say on a terminal that a bot thinks, for it may take a while, and wipe that out again."""
        if not is_terminal(sys.stdout):
            yield
            return
        click.echo(self.brush.say("play.thinking", seat=self.brush.names.crew(seat)), nl=False)
        try:
            yield
        finally:
            click.echo(WIPE, nl=False)

    def _ask_person(self, seat: int) -> bool:
        trouble = self.keep()
        if not self._uncover(seat):
            return False
        self._tell_news()
        self._show_table(seat)
        if trouble:
            click.echo(trouble)
        while True:
            line = self._ask("play.prompt", seat)
            if line is None or line == QUIT:
                return False
            if line and self._obeys(seat, line):
                return True

    def _obeys(self, seat: int, line: str) -> bool:
        """Do what a line asks; whether the game has changed."""
        command, _, rest = line.partition(" ")
        match command:
            case "help":
                self._say("play.help")
            case "table":
                self._show_table(seat)
            case "discard":
                self._show(draw_discard(self.brush, view(self.match.position, seat)))
            case "why":
                self._understand(rest, self._say_why)
            case "undo":
                return self._undo()
            case _:
                return self._understand(line, self._choose)
        return False

    def _understand(self, text: str, answer: Callable[[str], bool]) -> bool:
        """Answer what was typed, or say why it means nothing."""
        try:
            return answer(text)
        except NoSuchChoice as error:
            self._say("play.no_such_choice", last=error.last)
        except NotationError as error:
            self._say("play.not_understood", expected=error.expected)
        return False

    def _choose(self, text: str) -> bool:
        position = self.match.position
        reason = refusal_of(position, text)
        if reason is not None:
            self._say_refusal(reason)
            return False
        self._do(chosen(position, text))
        return True

    def _say_why(self, text: str) -> bool:
        position = self.match.position
        reason = refusal_of(position, text)
        if reason is None:
            effect = ", ".join(effects(self.brush.names, explain(position, chosen(position, text))))
            self._say("play.possible.effect" if effect else "play.possible", effect=effect)
        else:
            self._say_refusal(reason)
        return False

    def _undo(self) -> bool:
        reason = self.match.game.refusal_of_undo()
        if reason is not None:
            self._say_refusal(reason)
            return False
        self.match.game.undo()
        # Before a game was taken up again nothing was told, so there may be nothing to forget.
        del self.happened[-1:]
        self.told = {audience: min(known, len(self.happened)) for audience, known in self.told.items()}
        self._say("play.undone")
        return True

    def _do(self, code: int) -> None:
        self.happened.append(self.match.act(code))

    def _uncover(self, seat: int) -> bool:
        """Let the person of a seat come to the screen; False when that person leaves."""
        hidden = not self.match.headers.ruleset.hands_open
        if hidden and len(self.match.people()) > 1 and seat != self.looking:
            _clear()
            if self._ask("play.cover", seat) in {None, QUIT}:
                return False
        self.looking = seat
        return True

    def _tell_news(self) -> None:
        """Tell what happened since this audience last looked."""
        audience = None if self.match.headers.ruleset.hands_open else self.looking
        for happening in chain.from_iterable(self.happened[self.told.get(audience, 0) :]):
            click.echo(tell(self.brush.names, seen(happening, audience)))
        self.told[audience] = len(self.happened)

    def _show_table(self, seat: int) -> None:
        names, width = self.brush.names, self.brush.width
        self._show(draw_table(self.brush, view(self.match.position, seat)))
        self._show(menu(names, self.match.position, width))

    def _show(self, lines: list[str]) -> None:
        click.echo("\n".join(["", *lines]))

    def _say(self, key: str, **values: object) -> None:
        click.echo(self.brush.say(key, **values))

    def _say_refusal(self, reason: Refusal) -> None:
        self._say(f"refusal.{reason.code}")
        self._say("rules.quoted", number=reason.rule, sentence=self.brush.say(f"rule.{reason.rule}"))

    def _ask(self, key: str, seat: int) -> str | None:
        """A line from the keyboard or a pipe; None at its end."""
        try:
            line = input(self.brush.say(key, seat=self.brush.names.crew(seat))).strip()
        except EOFError:
            click.echo()
            return None
        except (OSError, RuntimeError) as error:
            # Python says RuntimeError of a keyboard or a screen that was closed before the program began.
            raise Unreadable("error.no_input") from error
        if not sys.stdin.isatty():
            click.echo(line)
        return line


def _clear() -> None:
    """Empty the screen, and what could be scrolled back to."""
    click.clear()
    if is_terminal(sys.stdout):
        click.echo(FORGET, nl=False)
