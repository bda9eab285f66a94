"""The choices of a turn: listed, explained, and found in what a player types."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from cartagena.messages.wishes import LegalMessage, RefusalMessage, WishesMessage, answer_to
from cartagena.notation.action_text import find_code, format_action
from cartagena.rules.actions import action_of
from cartagena.rules.ruleset import ESCAPE
from cartagena.terminal.wishing import explanation_of
from cartagena.words.names import Names
from cartagena.words.sentences import effects

_GAP: Final = 2
_MOST_DIGITS: Final = 9
_FROM_START: Final = ("retreat", "start")


class NoSuchChoice(ValueError):
    """A number beyond the list of choices; `last` is the greatest that is in it."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
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
            return find_code(self._family, self.seats, codes, text)
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
        action = action_of(self._family, self.chosen(text))
        return None if action is None else action.card

    def effect_of(self, text: str) -> str:
        """What a possible choice would do, empty if there is nothing to tell; raises as `chosen` does."""
        code = self.chosen(text)
        return next(self._effect(legal) for legal in self.wishes.legal if legal.code == code)

    def _names_retreat_from_start(self, typed: Sequence[str]) -> bool:
        # A bare s may also mean the sloop, from which a pirate can retreat.
        if self._family != ESCAPE or len(typed) != len(_FROM_START) or typed[1] == "s":
            return False
        return all(word.startswith(given) for word, given in zip(_FROM_START, typed, strict=True))
