"""Actions as text, `play skull 9`, and the action that a player who types in haste means."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from cartagena.notation.names import COLOURS, card_word, place_word, read_card, read_place, read_seat
from cartagena.notation.tokens import AmbiguousAction, NotationError, TextLine, TokenReader
from cartagena.rules.actions import Action, Kind, action_of, code_of
from cartagena.rules.codes import codes_of
from cartagena.rules.play import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, NEST, Ruleset

KINDS: Final[dict[str, dict[str, Kind]]] = {
    ESCAPE: {kind.value: kind for kind in (Kind.PLAY, Kind.RETREAT, Kind.DECLINE, Kind.END_TURN)},
    NEST: {kind.value: kind for kind in Kind if kind not in (Kind.RETREAT, Kind.DECLINE)},
}
"""The words an action of a family may begin with."""

_WITH_CARD: Final = (Kind.PLAY, Kind.TRIM)
_WITH_PLACE: Final = (Kind.PLAY, Kind.RETREAT, Kind.DECLINE, Kind.PUSH)


def format_action(family: str, code: int) -> str:
    """The text of an action; raises ValueError for a number that is no code.

    >>> format_action("escape", 47)
    'play bottle 9'
    """
    action = action_of(family, code)
    if action is None:
        raise ValueError(f"no action of the family {family} has the code {code}")
    words = [action.kind.value]
    if action.card is not None:
        words.append(card_word(family, action.card))
    if action.crew is not None:
        words.append(COLOURS[action.crew])
    if action.place is not None:
        words.append(place_word(family, action.place))
    return " ".join(words)


def parse_action(family: str, text: str) -> int:
    """The code of an action written in full; raises NotationError.

    >>> parse_action("nest", "push blue 13")
    621
    """
    words = TokenReader(TextLine(text, 1))
    code = read_action(words, family)
    words.end("the end of the action")
    return code


def read_action(words: TokenReader, family: str) -> int:
    """Read one action."""
    kind = words.one_of(KINDS[family], f"an action ({', '.join(KINDS[family])})")
    if kind is Kind.RETREAT and words.peek() == "start":
        raise words.error("1 to 36 or sloop, for nobody retreats from the start (R4.7)")
    action = Action(
        kind=kind,
        card=read_card(words, family) if kind in _WITH_CARD else None,
        crew=read_seat(words) if kind is Kind.PUSH else None,
        place=read_place(words, family) if kind in _WITH_PLACE else None,
    )
    code = code_of(action)
    assert code is not None
    return code


@cache
def every_action(ruleset: Ruleset, seats: int) -> Mapping[int, str]:
    """The text of every action that can be named at a table of `seats` seats, by its code."""
    family = ruleset.family
    return {
        code: format_action(family, code)
        for code in range(codes_of(ruleset))
        if (action := action_of(family, code)) is not None and (action.crew is None or action.crew < seats)
    }


_TWO_WORDS: Final = re.compile(r"\b(gold|captain|end)[ \t-]+(?=[a-z])")
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
    typed = _TWO_WORDS.sub(r"\1_", text.strip().lower()).split()
    actions = every_action(ruleset, seats)
    possible = {code: actions[code] for code in legal_codes}
    fitting = _fitting(possible, typed) or _fitting(actions, typed)
    if not typed or not fitting:
        named = {action.partition(" ")[0] for action in actions.values()}
        kinds = [kind for kind in KINDS[ruleset.family] if kind in named]
        raise NotationError(text.strip(), 1, 1, f"an action ({', '.join(kinds)})")
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
