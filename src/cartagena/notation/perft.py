"""Perft files: positions as text, each with the number of ways that play can go on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cartagena.notation.position_text import parse_position
from cartagena.notation.tokens import NotationError, TextLine, TokenReader, lines_of
from cartagena.rules.perft import perft
from cartagena.rules.position import Position

DEEPEST: Final = 99
"""The greatest depth that a perft file may name."""

_MOST_WAYS: Final = 999_999_999


@dataclass(frozen=True, slots=True, kw_only=True)
class PerftCase:
    """A position, and how many ways of each depth there are, as pairs of depth and number."""

    name: str
    position: Position
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PerftCount:
    """One count made again: what the file says and what was found."""

    name: str
    depth: int
    expected: int
    found: int

    @property
    def agrees(self) -> bool:
        """Whether the tree of play has not changed."""
        return self.expected == self.found


def read_perft(path: str | Path) -> tuple[PerftCase, ...]:
    """The cases of a perft file; raises NotationError."""
    return parse_perft(Path(path).read_text(encoding="utf-8"))


def parse_perft(text: str) -> tuple[PerftCase, ...]:
    """The cases of a text: `id NAME`, a position, `perft DEPTH NUMBER` lines; raises NotationError."""
    lines = [line for line, _ in lines_of(text)]
    starts = [place for place, line in enumerate(lines) if line.text.startswith("id ")]
    if not starts or any(line.text for line in lines[: starts[0]]):
        raise NotationError("", 1, 1, "'id NAME' at the beginning")
    return tuple(
        _read_case(lines, start, stop) for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True)
    )


def check_perft(case: PerftCase, deepest: int = DEEPEST) -> Iterator[PerftCount]:
    """Count the ways of a case again, one depth after the other, down to the deepest wanted."""
    for depth, expected in case.counts:
        if depth <= deepest:
            found = perft(case.position, depth)
            yield PerftCount(name=case.name, depth=depth, expected=expected, found=found)


def _read_case(lines: list[TextLine], start: int, stop: int) -> PerftCase:
    mine = lines[start + 1 : stop]
    counted = [line for line in mine if line.text.startswith("perft ")]
    # The lines of other cases are left blank, so that an error in the position names the line of the file.
    block = [""] * (start + 1) + ["" if line in counted else line.text for line in mine]
    return PerftCase(
        name=lines[start].text.removeprefix("id ").strip(),
        position=parse_position("\n".join(block)),
        counts=tuple(map(_read_count, counted)),
    )


def _read_count(line: TextLine) -> tuple[int, int]:
    words = TokenReader(line)
    words.expect("perft")
    depth = words.number("a depth from 1 on", 1, DEEPEST)
    ways = words.number("how many ways there are", 0, _MOST_WAYS)
    words.end()
    return depth, ways
