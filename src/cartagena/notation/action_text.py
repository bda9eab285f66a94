"""Actions as text: `play skull 9`, `retreat sloop`, `push blue 13`, `trim map`, `end_turn`."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from cartagena.notation.names import COLOURS, card_word, place_word, read_card, read_place, read_seat
from cartagena.notation.reading import Line, Words
from cartagena.rules.actions import Action, Kind, action_of, code_of
from cartagena.rules.codes import CODES
from cartagena.rules.ruleset import ESCAPE, NEST

KINDS: Final[dict[str, dict[str, Kind]]] = {
    ESCAPE: {kind.value: kind for kind in (Kind.PLAY, Kind.RETREAT, Kind.END_TURN)},
    NEST: {kind.value: kind for kind in Kind if kind is not Kind.RETREAT},
}
"""The words an action of a family may begin with."""

_WITH_CARD: Final = (Kind.PLAY, Kind.TRIM)
_WITH_PLACE: Final = (Kind.PLAY, Kind.RETREAT, Kind.PUSH)


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
    words = Words(Line(text, 1))
    code = read_action(words, family)
    words.end("the end of the action")
    return code


def read_action(words: Words, family: str) -> int:
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
def every_action(family: str, seats: int) -> Mapping[int, str]:
    """The text of every action that can be named at a table of `seats` seats, by its code."""
    return {
        code: format_action(family, code)
        for code in range(CODES[family])
        if (action := action_of(family, code)) is not None and (action.crew is None or action.crew < seats)
    }
