"""The words for places, cards and crews."""

from typing import Final

from cartagena.notation.tokens import TokenReader
from cartagena.rules.board import space_of_place
from cartagena.rules.families.facts import facts_of
from cartagena.rules.places import HOME, PLACES, START
from cartagena.rules.ruleset import DECKS, ESCAPE, GOLD, NEST, SIGNS

COLOURS: Final = ("red", "blue", "yellow", "green", "violet")
"""The crews, by seat."""

UNKNOWN: Final = "?"
"""Stands for a card that the reader of a view may not know."""

NONE: Final = "none"
"""Stands for no card at all."""


def place_word(family: str, place: int) -> str:
    """The word for a place: start, the printed number of its space, sloop or nest.

    >>> place_word("escape", 37), place_word("nest", 37), place_word("nest", 16)
    ('sloop', 'nest', '15')
    """
    if place == START:
        return "start"
    if place == HOME:
        return "nest" if facts_of(family).has_crossing else "sloop"
    if place == facts_of(family).sloop:
        return "sloop"
    return str(space_of_place(family, place))


def card_word(family: str, card: int | None) -> str:
    """The word for a card: its sign, with gold_ before it for a gold one.

    >>> card_word("nest", 2), card_word("nest", 9)
    ('compass', 'gold_compass')
    """
    if card is None:
        return UNKNOWN
    signs = SIGNS[family]
    return f"gold_{signs[card - GOLD]}" if card >= GOLD else signs[card]


SEAT_BY_COLOUR: Final = {colour: seat for seat, colour in enumerate(COLOURS)}
PLACE_BY_WORD: Final = {
    family: {place_word(family, place): place for place in range(PLACES)} for family in (ESCAPE, NEST)
}
CARD_BY_WORD: Final[dict[str, dict[str, int]]] = {
    family: {card_word(family, card): card for card in deck} for family, deck in DECKS.items()
}


def read_place(words: TokenReader, family: str) -> int:
    """Read the word for a place."""
    return words.one_of(PLACE_BY_WORD[family], places_expected(family))


def read_card(words: TokenReader, family: str) -> int:
    """Read the word for a card."""
    return words.one_of(CARD_BY_WORD[family], cards_expected(family))


def read_seat(words: TokenReader) -> int:
    """Read the colour of a crew."""
    return words.one_of(SEAT_BY_COLOUR, f"a crew ({', '.join(COLOURS)})")


def read_playing_seat(words: TokenReader, seats: int) -> int:
    """Read the colour of one of the crews that play."""
    playing = {colour: SEAT_BY_COLOUR[colour] for colour in COLOURS[:seats]}
    return words.one_of(playing, f"a crew that plays ({', '.join(playing)})")


def cards_expected(family: str) -> str:
    """The cards that may be named, for error messages."""
    gold = ", or gold_ and a sign" if facts_of(family).has_gold else ""
    return f"a card ({', '.join(SIGNS[family])}{gold})"


def places_expected(family: str) -> str:
    """The places that may be named, for error messages."""
    numbered = "1 to 35, sloop, nest" if facts_of(family).has_crossing else "1 to 36, sloop"
    return f"a place (start, {numbered})"
