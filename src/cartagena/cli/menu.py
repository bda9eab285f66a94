"""The choices of a turn: listed, explained, and found again in what somebody types."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from cartagena.notation.action_text import format_action
from cartagena.notation.prompt import find_action
from cartagena.rules.actions import code_of
from cartagena.rules.explain import explain, wishes
from cartagena.rules.play import legal, refusal
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.words.effects import effects
from cartagena.words.naming import Names

_GAP: Final = 2
_MOST_DIGITS: Final = 9
_FROM_START: Final = ("retreat", "start")


class NoSuchChoice(ValueError):
    """A number beyond the list of choices; `last` is the greatest that is in it."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


def menu(names: Names, position: Position, width: int) -> list[str]:
    """The legal choices with their numbers, in two columns if they fit."""
    entries = [
        f"{number:>3}  {format_action(position.ruleset.family, code)}{_consequence(names, position, code)}"
        for number, code in enumerate(legal(position), start=1)
    ]
    widest = max(map(len, entries), default=0)
    if 2 * widest + _GAP > width:
        return entries
    half = (len(entries) + 1) // 2
    pairs = zip_longest(entries[:half], entries[half:], fillvalue="")
    return [f"{left:<{widest + _GAP}}{right}".rstrip() for left, right in pairs]


def _consequence(names: Names, position: Position, code: int) -> str:
    effect = ", ".join(effects(names, explain(position, code)))
    return f": {effect}" if effect else ""


def chosen(position: Position, text: str) -> int:
    """The code that a number of the menu or a typed action means; NotationError or NoSuchChoice if none."""
    codes = legal(position)
    if not text.isdecimal():
        return find_action(position, text)
    # Python refuses to read a number of thousands of digits.
    number = int(text) if len(text) <= _MOST_DIGITS else 0
    if not 1 <= number <= len(codes):
        raise NoSuchChoice(len(codes))
    return codes[number - 1]


def refusal_of(position: Position, text: str) -> Refusal | None:
    """Why what was typed is not possible, None if it is; raises as `chosen` does."""
    if _names_retreat_from_start(position, text.lower().split()):
        # No code stands for it (R4.7), so only the wish table knows it.
        return next(wish.refusal for wish in wishes(position) if code_of(wish.action) is None)
    return refusal(position, chosen(position, text))


def _names_retreat_from_start(position: Position, typed: Sequence[str]) -> bool:
    # A bare s may as well be the sloop, from which one can retreat.
    if position.in_nest or len(typed) != len(_FROM_START) or typed[1] == "s":
        return False
    return all(word.startswith(given) for word, given in zip(_FROM_START, typed, strict=True))
