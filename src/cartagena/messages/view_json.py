"""Views as JSON, written straight from a view: byte for byte a ViewMessage, but several times sooner.

Every move is told to several audiences, so this is the longest part of its path; it is compiled.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from cartagena.messages.cards import WORDS, letters_of
from cartagena.messages.memories import log_text
from cartagena.messages.views import ENDINGS, ruleset_message
from cartagena.notation.names import place_word
from cartagena.rules.board import Board, spaces_of
from cartagena.rules.places import PLACES, bit
from cartagena.rules.position import CHANCE, NOBODY
from cartagena.rules.ruleset import NEST, Ruleset
from cartagena.rules.view import View

QUOTED: Final = {family: [f'"{word}"' for word in words] for family, words in WORDS.items()}
"""The words of a family's cards by number, as JSON."""

ENDINGS_JSON: Final = {ending: f'"{word}"' if word else "null" for ending, word in ENDINGS.items()}


class ViewJson:
    """A view in three pieces, between which its seat and its choices belong.

    A spectator of a game with open hands sees all that a seat sees, so one view serves every audience.
    """

    def __init__(self, view: View) -> None:
        self.public = _between_seat_and_choices(view)
        self.memory = _memory(view)

    def seen_by(self, seat: int | None, choices: Iterable[int] | None) -> str:
        """The view of one audience."""
        legal = "null" if choices is None else numbers(choices)
        return f'{{"seat":{or_null(seat)}{self.public},"legal":{legal}{self.memory}'


def _between_seat_and_choices(view: View) -> str:
    words, in_nest = QUOTED[view.ruleset.family], view.ruleset.family == NEST
    hands = [listed(words, hand) for hand in view.hands]
    trims = [f'{{"seat":{seat},"card":{word(words, card)}}}' for seat, card in view.trimmed]
    return (
        f',"ruleset":{_ruleset(view.ruleset)}'
        f',"board":{_board(view.board)}'
        f',"pirates":[{",".join([numbers(places) for places in view.pirates])}]'
        f',"most_home":{numbers(view.most_home)}'
        f',"dock":{view.dock if in_nest else "null"}'
        f',"hand_sizes":{numbers(view.hand_sizes)}'
        f',"hands":[{",".join(hands)}]'
        f',"row":{listed(words, view.row)}'
        f',"stock_size":{view.stock_size}'
        f',"stock":{listed(words, view.stock)}'
        f',"discard":{listed(words, view.discard)}'
        f',"renewals":{view.renewals}'
        f',"to_act":{_party(view.to_act)}'
        f',"turn_seat":{view.turn_seat}'
        f',"actions_used":{view.actions_used}'
        f',"crossing_open":{"true" if view.crossing_open else "false"}'
        f',"owed":{view.owed}'
        f',"trimmed":[{",".join(trims)}]'
        f',"surplus":{numbers(view.surplus)}'
        f',"turn":{view.turn}'
        f',"last_progress":{view.last_progress}'
        f',"quiet_turns":{view.quiet_turns}'
        f',"ending":{ENDINGS_JSON[view.ending]}'
        f',"winner":{or_null(view.winner)}'
    )


def _memory(view: View) -> str:
    memory = view.memory
    hands = ["null" if hand is None else f'"{letters_of(hand)}"' for hand in memory.hands]
    return (
        f',"memory":{{"discard":"{letters_of(memory.discard)}"'
        f',"hands":[{",".join(hands)}]'
        f',"log":"{log_text(memory.log) if memory.log else ""}"}}}}'
    )


def _party(to_act: int) -> str:
    if to_act == CHANCE:
        return '"chance"'
    return "null" if to_act == NOBODY else str(to_act)


@lru_cache(maxsize=256)
def _ruleset(ruleset: Ruleset) -> str:
    return msgspec.json.encode(ruleset_message(ruleset)).decode()


def _board(board: Board) -> str:
    """What is at each place; not cached by value, since there are too many games."""
    words = QUOTED[board.family]
    signs = iter([words[sign] for sign in board.signs])
    return f"[{','.join([other or next(signs) for other in _OTHER_PLACES[board.family]])}]"


def _other_places(family: str) -> list[str]:
    """The word of each place that is no space, as JSON; nothing for a space."""
    spaces = spaces_of(family)
    return ["" if spaces & bit(place) else f'"{place_word(family, place)}"' for place in range(PLACES)]


_OTHER_PLACES: Final = {family: _other_places(family) for family in WORDS}


# Pieces of JSON.


def numbers(values: Iterable[int]) -> str:
    """A list of numbers."""
    return f"[{','.join([str(value) for value in values])}]"


def listed(words: list[str], cards: tuple[int, ...] | None) -> str:
    """A list of cards, null if they are hidden."""
    return "null" if cards is None else f"[{','.join([words[card] for card in cards])}]"


def word(words: list[str], card: int | None) -> str:
    """A card, null if it is hidden."""
    return "null" if card is None else words[card]


def or_null(value: int | None) -> str:
    """A number, or null."""
    return "null" if value is None else str(value)
