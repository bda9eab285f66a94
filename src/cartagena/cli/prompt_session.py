"""Playing at the prompt: tells the news, draws the table, asks, and does what is asked; perhaps once more."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Final

import click

from cartagena.cli.board_text import WIDTH, PlainBrush, draw_discard, paint
from cartagena.cli.kept_games import Sitting
from cartagena.cli.match import Match
from cartagena.cli.prompt import QUIT, Choices, Lines, forgive_bytes, meanwhile, read_line
from cartagena.cli.style import is_terminal, say, words
from cartagena.messages.wishes import wishes_message
from cartagena.rules.codes import END_TURN
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import seen, view
from cartagena.rules.play import legal
from cartagena.rules.ruleset import Ruleset
from cartagena.words.sentences import Names, tell, tip_words

FORGET: Final = "\x1b[3J"
"""Makes a terminal drop the lines above its screen."""


@dataclass(kw_only=True)
class PromptSession:
    """One sitting at one keyboard.

    `keep` is called after every choice; it returns what people must be told, usually nothing.
    Everybody who looks at the screen sees what the seat in `looking` may see, so another person's hidden
    hand is covered until that person is there. `happened` holds what each choice did, `told` how many
    choices each audience has heard of.
    """

    match: Match
    lines: Lines
    auto_end: bool
    keep: Callable[[], str]
    looking: int | None = None
    happened: list[list[Happening]] = field(default_factory=list)
    told: dict[int | None, int] = field(default_factory=dict)
    trouble: str = ""

    def run(self) -> None:
        """Go on until the game is over or a player leaves."""
        forgive_bytes()
        while not self.match.position.over:
            if not self._next_choice():
                self.keep()
                self.lines.say("play.left")
                return
        self.keep()
        self._tell_news()
        self.lines.show_table(view(self.match.position, None), None)

    @property
    def _names(self) -> Names:
        return self.lines.brush.names

    def _next_choice(self) -> bool:
        """Let the seat to act choose; False when a person leaves."""
        seat = self.match.position.to_act
        if self.match.is_bot(seat):
            with meanwhile(self.lines.brush.say("play.thinking", seat=self._names.crew(seat))):
                code = self.match.choose_for(seat)
            self._do(code)
            return True
        if self.auto_end and legal(self.match.position) == [END_TURN]:
            self._do(END_TURN)
            return True
        return self._ask_person(seat)

    def _ask_person(self, seat: int) -> bool:
        if not self._uncover(seat):
            return False
        self._tell_news()
        self._show_table(seat)
        if self.trouble:
            click.echo(self.trouble)
            self.trouble = ""
        while True:
            line = self._ask("play.prompt", seat)
            if line is None or line == QUIT:
                return False
            if line and self._obeys(seat, line):
                return True

    def _obeys(self, seat: int, line: str) -> bool:
        """Do what a line asks; return whether the game has changed."""
        command, _, rest = line.partition(" ")
        match command:
            case "help":
                self.lines.say("play.help")
            case "table":
                self._show_table(seat)
            case "discard":
                self.lines.show(draw_discard(self.lines.brush, view(self.match.position, seat)))
            case "why":
                self.lines.say_why(self._choices(), rest)
            case "tip":
                self._tell_tip(seat)
            case "undo":
                return self._undo()
            case _:
                return self._choose(line)
        return False

    def _choices(self) -> Choices:
        position = self.match.position
        return Choices(names=self._names, seats=position.seats, wishes=wishes_message(position))

    def _choose(self, text: str) -> bool:
        code = self.lines.chosen(self._choices(), text)
        if code is not None:
            self._do(code)
        return code is not None

    def _tell_tip(self, seat: int) -> None:
        """Say what a strong player might do here."""
        from cartagena.bots.analysis.comparison import hint  # noqa: PLC0415 - only who asks for a tip waits for it

        with meanwhile(self.lines.brush.say("terminal.tip.thinking")):
            best = hint(view(self.match.position, seat), chance=Random()).best
        click.echo(tip_words(self._names, best.codes, best.chances[seat]))

    def _undo(self) -> bool:
        reason = self.match.refusal_of_undo()
        if reason is not None:
            self.lines.refuse(reason)
            return False
        self.match.undo()
        # What happened before the game was resumed was not kept, so there may be nothing to forget.
        del self.happened[-1:]
        self.told = {audience: min(known, len(self.happened)) for audience, known in self.told.items()}
        self._keep()
        self.lines.say("play.undone")
        return True

    def _do(self, code: int) -> None:
        self.happened.append(self.match.push(code))
        # Bots alone could play it all again.
        if self.match.people():
            self._keep()

    def _keep(self) -> None:
        self.trouble = self.keep() or self.trouble

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
            click.echo(tell(self._names, seen(happening, audience)))
        self.told[audience] = len(self.happened)

    def _show_table(self, seat: int) -> None:
        self.lines.show_table(view(self.match.position, seat), self._choices())

    def _ask(self, key: str, seat: int) -> str | None:
        """A line from the keyboard or a pipe; None at its end."""
        return read_line(self.lines.brush.say(key, seat=self._names.crew(seat)))


def _clear() -> None:
    """Empty the screen, and what could be scrolled back to."""
    click.clear()
    if is_terminal(sys.stdout):
        click.echo(FORGET, nl=False)


def lines_of(ruleset: Ruleset) -> Lines:
    """The prompt of a game, as wide as this terminal."""
    width = max(WIDTH, shutil.get_terminal_size().columns)
    return Lines(PlainBrush(names=Names(words(), ruleset), paint=paint, width=width))


def play_lines(sitting: Sitting, *, auto_end: bool) -> Sitting:
    """Play a game, again as often as a person at a terminal wants; returns the last one."""
    while True:
        _play(sitting, auto_end=auto_end)
        is_played_out = sitting.match.position.over and sitting.match.people()
        if not is_played_out or not wants_another(sitting.save):
            return sitting
        sitting = sitting.again()


def _play(sitting: Sitting, *, auto_end: bool) -> None:
    match = sitting.match
    ruleset = words().say(f"ruleset.{match.headers.ruleset.key}")
    say("play.welcome", ruleset=ruleset, seats=len(match.headers.names), people=len(match.people()))
    lines = lines_of(match.headers.ruleset)
    PromptSession(match=match, lines=lines, auto_end=auto_end, keep=sitting.keep).run()


def wants_another(save: Callable[[str], str]) -> bool:
    """Ask a person at a terminal what to do after the end; `save` saves a copy. A pipe wants nothing."""
    while is_terminal(sys.stdin):
        line = read_line(words().say("play.after_end"))
        command, _, name = (line or QUIT).partition(" ")
        if command == "again":
            return True
        if command == QUIT:
            return False
        if command == "save" and name:
            click.echo(save(name))
    return False
