"""Typed actions: the action that a player means who types in haste, `p sk` or `r`."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from cartagena.notation.action_text import KINDS, every_action
from cartagena.notation.tokens import AmbiguousAction, NotationError, nearest_word
from cartagena.rules.legality import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset

_TYPED: Final = re.compile(r"(?:(?:gold|captain|end)[ \t-]+(?=[a-z]))?\S+", re.IGNORECASE)
"""A word as it may be typed: `gold map` is one."""

_PARTED: Final = re.compile(r"[ \t-]+")
_SHOWN: Final = 6


def find_action(position: Position, text: str) -> int:
    """The code of the action that a short text means: each word may be cut short, later ones left out.

    A legal action is preferred, so that `r` will do if only one retreat is possible. If none fits, the
    one action that the text names is given even though the rules refuse it; ask `refusal` why. Raises
    NotationError if nothing fits, AmbiguousAction if several do.
    """
    return find_code(position.ruleset, position.seats, legal(position), text)


def find_code(ruleset: Ruleset, seats: int, legal_codes: Iterable[int], text: str) -> int:
    """Like `find_action`, for a reader who knows what is legal and not the whole position."""
    found = list(_TYPED.finditer(text))
    typed = [_PARTED.sub("_", match.group().lower()) for match in found]
    actions = every_action(ruleset, seats)
    possible = {code: actions[code] for code in legal_codes}
    fitting = _fitting(possible, typed) or _fitting(actions, typed)
    if not typed or not fitting:
        # Of all actions of the table, legal or not: so that an error tells nothing of anybody's hand.
        at = _first_wrong(actions, typed)
        word, column = (found[at].group(), found[at].start() + 1) if found else ("", 1)
        words = _words_at(at, (actions[code] for code in _fitting(actions, typed[:at])))
        kinds = [kind for kind in KINDS[ruleset.family] if kind in words]
        expected = _listed(words) if at else f"an action ({', '.join(kinds)})"
        raise NotationError(word, 1, column, expected, nearest_word("".join(typed[at : at + 1]), words))
    if len(fitting) > 1:
        shown = [actions[code] for code in fitting[:_SHOWN]]
        more = f" or {len(fitting) - _SHOWN} others" if len(fitting) > _SHOWN else ""
        raise AmbiguousAction(text.strip(), f"one of {', '.join(shown)}{more}", tuple(fitting))
    return fitting[0]


def _first_wrong(actions: Mapping[int, str], typed: list[str]) -> int:
    """The first word after which no action is left."""
    return next((at for at in range(len(typed)) if not _fitting(actions, typed[: at + 1])), 0)


def _words_at(at: int, actions: Iterable[str]) -> list[str]:
    """The different words that actions have there, in their order."""
    return list(dict.fromkeys(words[at] for action in actions if len(words := action.split()) > at))


def _listed(words: list[str]) -> str:
    """What may be written: the words, and the numbers from the first to the last."""
    numbers = [word for word in words if word.isdigit()]
    several = f"{numbers[0]} to {numbers[-1]}" if numbers else ""
    shown = dict.fromkeys(several if word in numbers else word for word in words)
    return ", ".join(shown) or "the end of the action"


def _fitting(actions: Mapping[int, str], typed: list[str]) -> list[int]:
    return [code for code, text in actions.items() if _fits(text.split(), typed)]


def _fits(words: list[str], typed: list[str]) -> bool:
    """Whether what was typed cuts these words short; a number is never cut short."""
    if len(typed) > len(words):
        return False
    pairs = zip(words, typed, strict=False)
    return all(word == given if given.isdigit() else word.startswith(given) for word, given in pairs)
