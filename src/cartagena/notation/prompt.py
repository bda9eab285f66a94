"""Finding the action that a player who types in haste means."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from cartagena.notation.action_text import KINDS, every_action
from cartagena.notation.errors import AmbiguousAction, NotationError
from cartagena.rules.play import legal
from cartagena.rules.position import Position

_TWO_WORDS: Final = re.compile(r"\b(gold|captain|end)[ \t-]+(?=[a-z])")
_SHOWN: Final = 6


def find_action(position: Position, text: str) -> int:
    """The code of the action that a short text means: each word may be cut short, later ones left out.

    A legal action is preferred, so that `r` will do if only one retreat is possible. If none fits, the
    one action that the text names is given even though the rules refuse it; ask `refusal` why. Raises
    NotationError if nothing fits, AmbiguousAction if several do.
    """
    return find_code(position.ruleset.family, position.seats, legal(position), text)


def find_code(family: str, seats: int, legal_codes: Iterable[int], text: str) -> int:
    """Like `find_action`, for a reader who knows what is legal and not the whole position."""
    typed = _TWO_WORDS.sub(r"\1_", text.strip().lower()).split()
    actions = every_action(family, seats)
    possible = {code: actions[code] for code in legal_codes}
    fitting = _fitting(possible, typed) or _fitting(actions, typed)
    if not typed or not fitting:
        raise NotationError(text.strip(), 1, 1, f"an action ({', '.join(KINDS[family])})")
    if len(fitting) > 1:
        shown = [actions[code] for code in fitting[:_SHOWN]]
        more = f" or {len(fitting) - _SHOWN} others" if len(fitting) > _SHOWN else ""
        raise AmbiguousAction(text.strip(), f"one of {', '.join(shown)}{more}", tuple(fitting))
    return fitting[0]


def _fitting(actions: Mapping[int, str], typed: list[str]) -> list[int]:
    return [code for code, text in actions.items() if _fits(text.split(), typed)]


def _fits(words: list[str], typed: list[str]) -> bool:
    """Whether what was typed cuts these words short; a number is never cut short."""
    if len(typed) > len(words):
        return False
    pairs = zip(words, typed, strict=False)
    return all(word == given if given.isdigit() else word.startswith(given) for word, given in pairs)
