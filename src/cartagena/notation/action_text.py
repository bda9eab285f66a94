"""Actions as text: `play skull 9`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from cartagena.notation.names import COLOURS, card_word, place_word, read_card, read_place, read_seat
from cartagena.notation.tokens import TextLine, TokenReader
from cartagena.rules.actions import ACTIONS, Action, Kind, action_of, code_of
from cartagena.rules.codes import codes_of
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
