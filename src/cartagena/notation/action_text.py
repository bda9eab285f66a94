"""Actions as text, `play skull 9`, and the action that a player who types in haste means."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from cartagena.notation.names import COLOURS, card_word, place_word, read_card, read_place, read_seat
from cartagena.notation.tokens import AmbiguousAction, NotationError, TextLine, TokenReader, nearest_word
from cartagena.rules.actions import ACTIONS, Action, Kind, action_of, code_of
from cartagena.rules.codes import codes_of
from cartagena.rules.play import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, NEST, Ruleset, family_of

KINDS: Final[dict[str, dict[str, Kind]]] = {
    ESCAPE: {kind.value: kind for kind in (Kind.PLAY, Kind.RETREAT, Kind.DECLINE, Kind.END_TURN)},
    NEST: {kind.value: kind for kind in Kind if kind not in (Kind.RETREAT, Kind.DECLINE)},
}
"""The words an action of a family may begin with."""

_WITH_CARD: Final = (Kind.PLAY, Kind.TRIM)
_WITH_PLACE: Final = (Kind.PLAY, Kind.RETREAT, Kind.DECLINE, Kind.PUSH)


def format_action(game: Ruleset | str, code: int) -> str:
    """The text of an action of a game, named by its ruleset, key or family; ValueError if it is no code.

    >>> format_action("tortuga", 47)
    'play bottle 9'
    """
    family = family_of(game)
    action = action_of(family, code)
    words = [action.kind.value]
    if action.card is not None:
        words.append(card_word(family, action.card))
    if action.crew is not None:
        words.append(COLOURS[action.crew])
    if action.place is not None:
        words.append(place_word(family, action.place))
    return " ".join(words)


def parse_action(game: Ruleset | str, text: str) -> int:
    """The code of an action of a game, written in full; raises NotationError.

    >>> parse_action("nest", "push blue 13")
    621
    """
    words = TokenReader(TextLine(text, 1))
    code = read_action(words, family_of(game))
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
    return {
        code: format_action(ruleset, code)
        for code, action in ACTIONS[ruleset.family].items()
        if code < codes_of(ruleset) and (action.crew is None or action.crew < seats)
    }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Move(Action):
    """An action that a table has, in the words of its game; it equals its text.

    `card` and `place` are the engine's numbers; `card_word` and `place_word` are those of the text.

    >>> from cartagena import Game
    >>> move = Game.start("tortuga", seed=1).moves()[1]
    >>> move, move.kind.value, move.card_word, move.place_word, move.code
    (Move('play pistol start'), 'play', 'pistol', 'start', 190)
    >>> move == "play pistol start"
    True
    """

    code: int
    text: str
    family: str

    @property
    def card_word(self) -> str | None:
        """The card that it names, as it is written."""
        return None if self.card is None else card_word(self.family, self.card)

    @property
    def place_word(self) -> str | None:
        """The place that it names, as it is written."""
        return None if self.place is None else place_word(self.family, self.place)

    def __eq__(self, other: object) -> bool:
        return self.text == (other.text if isinstance(other, Move) else other)

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"


@cache
def every_move(ruleset: Ruleset, seats: int) -> Mapping[int, Move]:
    """Every action that a table has, by its code."""
    moves = {}
    for code, text in every_action(ruleset, seats).items():
        action = action_of(ruleset.family, code)
        moves[code] = Move(
            kind=action.kind,
            card=action.card,
            crew=action.crew,
            place=action.place,
            code=code,
            text=text,
            family=ruleset.family,
        )
    return moves


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
