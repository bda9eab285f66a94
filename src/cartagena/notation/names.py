"""The words for places, cards and crews, boards and rows of cards: `skull pistol*3`, `?*6`, `none`."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias, TypeVar

from cartagena.notation.tokens import TextLine, TokenReader, whole_number
from cartagena.rules.board import PIECES, Board, BoardError, space_of_place
from cartagena.rules.families.facts import facts_of
from cartagena.rules.places import HOME, PLACES, START
from cartagena.rules.ruleset import DECKS, ESCAPE, GOLD, NEST, SIGNS, Ruleset, family_of

COLOURS: Final = ("red", "blue", "yellow", "green", "violet")
"""The crews, by seat."""

UNKNOWN: Final = "?"
"""Stands for a card that the reader of a view may not know."""

NONE: Final = "none"
"""Stands for no card at all."""


def place_word(game: Ruleset | str, place: int) -> str:
    """The word for a place of a game: start, the printed number of its space, sloop or nest.

    >>> place_word("tortuga", 37), place_word("nest", 37), place_word("nest", 16)
    ('sloop', 'nest', '15')
    """
    family = family_of(game)
    if place == START:
        return "start"
    if place == HOME:
        return "nest" if facts_of(family).has_crossing else "sloop"
    if place == facts_of(family).sloop:
        return "sloop"
    return str(space_of_place(family, place))


def card_word(game: Ruleset | str, card: int | None) -> str:
    """The word for a card of a game: its sign, with gold_ before it for a gold one.

    >>> card_word("nest", 2), card_word("nest", 9)
    ('compass', 'gold_compass')
    """
    if card is None:
        return UNKNOWN
    signs = SIGNS[family_of(game)]
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


Cards: TypeAlias = tuple[int | None, ...]
"""Cards by number; None for one that is unknown."""

_MOST: Final = 200
_ENDS: Final = ("/", "]")
_T = TypeVar("_T")


def in_runs(words: Iterable[str]) -> str:
    """Words with equal neighbours written once.

    >>> in_runs(["key", "skull", "skull", "skull"])
    'key skull*3'
    """
    runs = [(word, len(list(run))) for word, run in groupby(words)]
    return " ".join(word if length == 1 else f"{word}*{length}" for word, length in runs)


def read_runs(words: TokenReader, meanings: Mapping[str, _T], expected: str) -> list[_T]:
    """Read words of `meanings`, each perhaps with *NUMBER behind it, as long as they come."""
    found: list[_T] = []
    while not words.done and words.peek() not in _ENDS:
        word, star, times = words.peek().partition("*")
        if word not in meanings:
            raise words.error(expected)
        number = whole_number(times) if star else 1
        if number is None or not 1 <= number <= _MOST:
            raise words.error(f"{word}*NUMBER, the number from 1 to {_MOST}")
        words.take()
        found.extend([meanings[word]] * number)
    return found


def format_cards(family: str, cards: Sequence[int | None]) -> str:
    """Cards in their order; `none` if there are none."""
    return in_runs(card_word(family, card) for card in cards) or NONE


def read_cards(words: TokenReader, family: str) -> Cards:
    """Read cards up to the end or to the sign that ends them."""
    if words.accept(NONE):
        return ()
    meanings: dict[str, int | None] = {**CARD_BY_WORD[family], UNKNOWN: None}
    cards = read_runs(words, meanings, cards_expected(family))
    if not cards:
        raise words.error(f"cards, or {NONE!r}")
    return tuple(cards)


def in_hand(cards: Iterable[int | None]) -> Cards:
    """The cards of a hand as they are written: sorted by number, the unknown ones behind."""
    return tuple(sorted(cards, key=lambda card: (card is None, card)))


def format_board(board: Board) -> str:
    """The signs of a board in walking order, with a bar between its pieces."""
    signs = SIGNS[board.family]
    return " | ".join(" ".join(signs[sign] for sign in piece) for piece in pieces_of(board))


def pieces_of(board: Board) -> tuple[tuple[int, ...], ...]:
    """The signs of each piece of a board, from the start on."""
    width = len(SIGNS[board.family])
    return tuple(board.signs[first : first + width] for first in range(0, len(board.signs), width))


def read_board(line: TextLine, family: str) -> Board:
    """Read a whole line as a board."""
    words = TokenReader(line)
    signs = SIGNS[family]
    meanings = {sign: number for number, sign in enumerate(signs)}
    expected = f"a sign ({', '.join(signs)})"
    found: list[int] = []
    for piece in range(PIECES[family]):
        if piece:
            words.expect("|")
        found.extend(words.one_of(meanings, expected) for _ in signs)
    words.end()
    try:
        return Board(family, found)
    except BoardError as error:
        raise line.error(f"another board, because {error}") from error
