"""Cards on the wire: words, and letters where there are many."""

from collections.abc import Iterable
from typing import Final

from cartagena.notation.names import CARD_BY_WORD
from cartagena.rules.refusals import CartagenaError


class MessageError(CartagenaError):
    """A message cannot be read; the sentence says why."""


WORDS: Final = {family: sorted(words, key=words.__getitem__) for family, words in CARD_BY_WORD.items()}
"""The words of a family's cards, by number."""

NUMBER_BY_WORD: Final = {word: card for cards in CARD_BY_WORD.values() for word, card in cards.items()}
"""No word names a card of both games."""

LETTERS: Final = "abcdefghijklmn"
"""A card as one letter, by its number."""

_TO_LETTERS: Final = bytes.maketrans(bytes(range(len(LETTERS))), LETTERS.encode())


def words_of(family: str, cards: Iterable[int]) -> tuple[str, ...]:
    """The words of cards."""
    return tuple(map(WORDS[family].__getitem__, cards))


def word_of(family: str, card: int | None) -> str | None:
    """The word of a card, None if it is unknown."""
    return None if card is None else WORDS[family][card]


def card_of(word: str) -> int:
    """The card that a word names."""
    if word not in NUMBER_BY_WORD:
        raise MessageError(f"no card is called {word!r}")
    return NUMBER_BY_WORD[word]


def known_card_of(word: str | None) -> int | None:
    """The card that a word names, None if it is unknown."""
    return None if word is None else card_of(word)


def cards_of(words: Iterable[str]) -> tuple[int, ...]:
    """The cards that words name."""
    return tuple(map(card_of, words))


def letters_of(cards: Iterable[int]) -> str:
    """Cards as letters.

    >>> letters_of([0, 0, 13])
    'aan'
    """
    return bytes(cards).translate(_TO_LETTERS).decode()


def cards_in(letters: str) -> tuple[int, ...]:
    """The cards that letters name."""
    if not set(letters) <= set(LETTERS):
        raise MessageError(f"cards are letters from a to n, not {letters!r}")
    return tuple(map(LETTERS.index, letters))
