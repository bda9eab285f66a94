"""The prompt: the choices of a turn, how they are typed, and what is answered."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

import click

from cartagena.cli.board_text import PlainBrush, draw_table, draw_turn
from cartagena.cli.style import is_terminal
from cartagena.messages.wishes import LegalMessage, RefusalMessage, WishesMessage, answer_to
from cartagena.notation.action_text import format_action
from cartagena.notation.tokens import NotationError
from cartagena.notation.typed_action import find_code
from cartagena.rules.actions import action_of
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.terminal.choices import explanation_of
from cartagena.words.sentences import Names, Reason, effects, refusal_lines

QUIT: Final = "quit"
WIPE: Final = "\r\x1b[K"
"""Makes a terminal empty the line it is on."""


@contextmanager
def meanwhile(text: str) -> Iterator[None]:
    """Say on a terminal what is being waited for, and then wipe it out."""
    if not is_terminal(sys.stdout):
        yield
        return
    click.echo(text, nl=False)
    try:
        yield
    finally:
        click.echo(WIPE, nl=False)


_GAP: Final = 2
_MOST_DIGITS: Final = 9
_FROM_START: Final = ("retreat", "start")


class NoSuchChoice(ValueError):
    """A number beyond the list of choices; `last` is the greatest that is in it."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedChoices:
    """What the seat to act may choose at a table of some seats: everything is looked up in the wish table."""

    names: Names
    seats: int
    wishes: WishesMessage

    def menu(self, width: int) -> list[str]:
        """The legal choices with their numbers, in two columns if they fit."""
        entries = [
            f"{number:>3}  {self._entry(legal)}" for number, legal in enumerate(self.wishes.legal, start=1)
        ]
        widest = max(map(len, entries), default=0)
        if 2 * widest + _GAP > width:
            return entries
        half = (len(entries) + 1) // 2
        pairs = zip_longest(entries[:half], entries[half:], fillvalue="")
        return [f"{left:<{widest + _GAP}}{right}".rstrip() for left, right in pairs]

    def _entry(self, legal: LegalMessage) -> str:
        effect = self._effect(legal)
        action = format_action(self._family, legal.code)
        return f"{action}: {effect}" if effect else action

    def _effect(self, legal: LegalMessage) -> str:
        return ", ".join(effects(self.names, explanation_of(legal)))

    @property
    def _family(self) -> str:
        return self.names.ruleset.family

    def chosen(self, text: str) -> int:
        """The code of a number of the menu, or of a typed action; raises NotationError or NoSuchChoice."""
        codes = [legal.code for legal in self.wishes.legal]
        if not text.isdecimal():
            return find_code(self.names.ruleset, self.seats, codes, text)
        # Python refuses to read a number of thousands of digits.
        number = int(text) if len(text) <= _MOST_DIGITS else 0
        if not 1 <= number <= len(codes):
            raise NoSuchChoice(len(codes))
        return codes[number - 1]

    def refusal_of(self, text: str) -> RefusalMessage | None:
        """Why what was typed is not possible, None if it is; raises as `chosen` does."""
        if self._names_retreat_from_start(text.lower().split()):
            # No code stands for it (R4.7), so it has an answer of its own.
            return self.wishes.retreat_from_start
        answer = answer_to(self.wishes, self.chosen(text))
        if isinstance(answer, LegalMessage):
            return None
        # The wish table knows every code that can be typed.
        assert answer is not None
        return RefusalMessage(code=answer.code, rule=answer.rule)

    def card_in(self, text: str) -> int | None:
        """The card that what was typed would play or give away; None if it names none."""
        if self._names_retreat_from_start(text.lower().split()):
            return None
        return action_of(self._family, self.chosen(text)).card

    def effect_of(self, text: str) -> str:
        """What a possible choice would do, empty if there is nothing to tell; raises as `chosen` does."""
        code = self.chosen(text)
        return next(self._effect(legal) for legal in self.wishes.legal if legal.code == code)

    def _names_retreat_from_start(self, typed: Sequence[str]) -> bool:
        # A bare s may also mean the sloop, from which a pirate can retreat.
        if facts_of(self._family).has_crossing or len(typed) != len(_FROM_START) or typed[1] == "s":
            return False
        return all(word.startswith(given) for word, given in zip(_FROM_START, typed, strict=True))


class Lines:
    """Prints lines in the words of one game."""

    def __init__(self, brush: PlainBrush) -> None:
        self.brush = brush

    def say(self, key: str, **values: object) -> None:
        """Print the words of a key."""
        click.echo(self.brush.say(key, **values))

    def show(self, lines: list[str]) -> None:
        """Print some lines, set apart from those before."""
        click.echo("\n".join(["", *lines]))

    def show_table(self, view: View, choices: TypedChoices | None) -> None:
        """Draw a view, and list what can be chosen."""
        self.show(draw_table(self.brush, view))
        if choices is not None:
            self.show(choices.menu(self.brush.width))

    def show_choices(self, view: View, choices: TypedChoices | None) -> None:
        """Tell what is left of the turn and the hand, and list what can be chosen."""
        self.show(draw_turn(self.brush, view))
        if choices is not None:
            self.show(choices.menu(self.brush.width))

    def refuse(self, reason: Reason, card: int | None = None) -> None:
        """Say why something is refused, with the sentence of the rulebook; `card` is the one wished for."""
        click.echo("\n".join(refusal_lines(self.brush.names, reason, card)))

    def chosen(self, choices: TypedChoices, text: str) -> int | None:
        """The code that was typed; None, after saying so, if it is refused or means nothing."""
        try:
            reason = choices.refusal_of(text)
            if reason is None:
                return choices.chosen(text)
            self.refuse(reason, choices.card_in(text))
        except (NoSuchChoice, NotationError) as error:
            self._not_understood(error)
        return None

    def say_why(self, choices: TypedChoices, text: str) -> None:
        """Say what a choice would do, or why it is not possible."""
        try:
            reason = choices.refusal_of(text)
            if reason is None:
                effect = choices.effect_of(text)
                self.say("play.possible.effect" if effect else "play.possible", effect=effect)
            else:
                self.refuse(reason, choices.card_in(text))
        except (NoSuchChoice, NotationError) as error:
            self._not_understood(error)

    def _not_understood(self, error: NoSuchChoice | NotationError) -> None:
        if isinstance(error, NoSuchChoice):
            self.say("play.no_such_choice", last=error.last)
        elif error.nearest:
            self.say("play.did_you_mean", word=error.nearest)
        else:
            self.say("play.not_understood", expected=error.expected)
