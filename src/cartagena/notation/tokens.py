"""Reading a text word by word, always knowing the line and the column."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeVar

from cartagena.rules.refusals import CartagenaError, Refusal

# Errors: a text that the notation cannot read, and a record that cannot be played.

_MOST_SHOWN: Final = 60


class NotationError(CartagenaError):
    """A text that cannot be read: where it goes wrong, and what was expected there.

    `text` is what was found at that column, empty at the end of a line; the message cuts it short.
    Lines and columns count from 1. `nearest` is the word that was probably meant, empty if none is near.
    """

    def __init__(self, text: str, line: int, column: int, expected: str, nearest: str = "") -> None:
        found = repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...") if text else "nothing"
        meant = f"; did you mean {nearest!r}?" if nearest else ""
        super().__init__(f"line {line}, column {column}: expected {expected}, found {found}{meant}")
        self.text = text
        self.line = line
        self.column = column
        self.expected = expected
        self.nearest = nearest


class AmbiguousAction(NotationError):
    """A typed action that fits several; `candidates` are their codes."""

    def __init__(self, text: str, expected: str, candidates: tuple[int, ...]) -> None:
        super().__init__(text, 1, 1, expected)
        self.candidates = candidates


class ReplayError(CartagenaError):
    """A record that can be read but not played: where it goes wrong, and why.

    `line` and `column` are 0 when the record was not read from a text.
    """

    def __init__(self, reason: str, line: int = 0, column: int = 0, refusal: Refusal | None = None) -> None:
        super().__init__(f"line {line}, column {column}: {reason}" if line else reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.refusal = refusal


# Only blank and tab separate words: other characters that look like a blank would go unnoticed.
_BLANKS: Final = " \t"
_WORD: Final = re.compile(r"[,;:|/\[\]]|[^ \t,;:|/\[\]]+")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A piece of one line, with the place where it begins."""

    text: str
    number: int
    column: int = 1

    def error(self, expected: str) -> NotationError:
        """Return the error that something else was expected instead of the whole piece."""
        return NotationError(self.text, self.number, self.column, expected)

    def stripped(self) -> "TextLine":
        """Return the piece without the blanks at its ends."""
        text = self.text.lstrip(_BLANKS)
        return TextLine(text.rstrip(_BLANKS), self.number, self.column + len(self.text) - len(text))

    def split(self) -> tuple["TextLine", "TextLine"] | None:
        """The pieces before and after the first colon; None if there is no colon."""
        before, colon, after = self.text.partition(":")
        if not colon:
            return None
        rest = TextLine(after, self.number, self.column + len(before) + 1)
        return TextLine(before, self.number, self.column).stripped(), rest.stripped()


def lines_of(text: str) -> Iterator[tuple[TextLine, bool]]:
    """The lines of a text without their comments, and whether each is blank; a comment is not blank."""
    for number, whole in enumerate(text.split("\n"), start=1):
        kept = whole.removesuffix("\r").partition("#")[0]
        yield TextLine(kept, number).stripped(), not whole.strip()


class TokenReader:
    """The words and signs of one line, read from left to right."""

    def __init__(self, line: TextLine) -> None:
        self.line = line
        self._found = [(match.group(), match.start()) for match in _WORD.finditer(line.text)]
        self._next = 0

    @property
    def column(self) -> int:
        """Where the next word begins; after the last one, where the line ends."""
        if self.done:
            return self.line.column + len(self.line.text)
        return self.line.column + self._found[self._next][1]

    @property
    def done(self) -> bool:
        """Whether every word has been read."""
        return self._next == len(self._found)

    def peek(self) -> str:
        """The next word without reading it; empty at the end."""
        return "" if self.done else self._found[self._next][0]

    def error(self, expected: str, possible: Iterable[str] = ()) -> NotationError:
        """Return the error that something else was expected instead of the next word."""
        word = self.peek()
        return NotationError(word, self.line.number, self.column, expected, nearest_word(word, possible))

    def take(self) -> str:
        """Read the next word and return it."""
        word = self.peek()
        self._next += 1
        return word

    def accept(self, *wanted: str) -> bool:
        """Read the next words if they are these."""
        last = self._next + len(wanted)
        if tuple(word for word, _ in self._found[self._next : last]) != wanted:
            return False
        self._next = last
        return True

    def expect(self, word: str) -> None:
        """Read this word and no other."""
        if not self.accept(word):
            raise self.error(repr(word))

    def one_of(self, meanings: Mapping[str, _T], expected: str) -> _T:
        """Read one of the words of `meanings` and return what it means."""
        word = self.peek()
        if word not in meanings:
            raise self.error(expected, meanings)
        self.take()
        return meanings[word]

    def number(self, expected: str, least: int, most: int) -> int:
        """Read a whole number in a range."""
        value = whole_number(self.peek())
        if value is None or not least <= value <= most:
            raise self.error(expected)
        self.take()
        return value

    def end(self, expected: str = "the end of the line") -> None:
        """Raise an error if anything more follows."""
        if not self.done:
            raise self.error(expected)


def whole_number(word: str) -> int | None:
    """The number that a word writes with plain digits; None if it is not such a number.

    >>> whole_number("36"), whole_number("036")
    (36, None)
    """
    return int(word) if _NUMBER.fullmatch(word) else None


def nearest_word(word: str, possible: Iterable[str]) -> str:
    """The word that was probably meant; empty if none is near. A number is not mistyped.

    >>> nearest_word("Skulk", ["skull", "pistol", "12"])
    'skull'
    """
    if len(word) > _MOST_SHOWN:
        return ""
    words = [one for one in possible if not one.isdigit()]
    return "".join(get_close_matches(word.lower(), words, n=1))
