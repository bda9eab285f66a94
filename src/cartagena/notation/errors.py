"""Errors: a text that the notation cannot read, and a record that cannot be played."""

from typing import Final

from cartagena.rules.refusals import CartagenaError, Refusal

_MOST_SHOWN: Final = 60


class NotationError(CartagenaError):
    """A text that cannot be read: where it goes wrong, and what was expected there.

    `text` is what was found from that column on, empty at the end of a line; the message cuts it short.
    Lines and columns count from 1.
    """

    def __init__(self, text: str, line: int, column: int, expected: str) -> None:
        found = repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...") if text else "nothing"
        super().__init__(f"line {line}, column {column}: expected {expected}, found {found}")
        self.text = text
        self.line = line
        self.column = column
        self.expected = expected


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
