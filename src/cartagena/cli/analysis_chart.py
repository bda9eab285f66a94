"""A small chart: how the chances went, a line of blocks for each seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

BLOCKS: Final = "▁▂▃▄▅▆▇█"
ASCII_BLOCKS: Final = "_.-:=+*#"
"""The eight heights of a block in ASCII, for screens that have no blocks."""


@dataclass(frozen=True, slots=True)
class Point:
    """One moment of a line: how high it stands, from 0 to 1, and what is written below."""

    height: float
    mark: str = ""


def blocks_for(encoding: str) -> str:
    """The blocks that a screen of this encoding can show.

    >>> blocks_for("ascii")
    '_.-:=+*#'
    """
    try:
        BLOCKS.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return ASCII_BLOCKS
    return BLOCKS


def draw_line(points: Sequence[Point], *, width: int, blocks: str) -> list[str]:
    """The blocks, and below them the marks if there are any; a long line is drawn shorter.

    >>> draw_line([Point(0.5), Point(0.1, "?"), Point(1.0)], width=60, blocks=ASCII_BLOCKS)
    ['=_#', ' ?']
    """
    columns = [_together(column) for column in _columns(points, width)]
    line = "".join(blocks[min(int(point.height * len(blocks)), len(blocks) - 1)] for point in columns)
    marks = "".join(point.mark or " " for point in columns).rstrip()
    return [line, marks] if marks else [line]


def _columns(points: Sequence[Point], width: int) -> list[Sequence[Point]]:
    """The points of each column, one or several."""
    number = min(len(points), width)
    bounds = [len(points) * column // number for column in range(number + 1)] if number else [0]
    return [points[first:last] for first, last in pairwise(bounds)]


def _together(points: Sequence[Point]) -> Point:
    """One point for several: the last height, and the first mark."""
    marks = [point.mark for point in points if point.mark]
    return Point(points[-1].height, marks[0] if marks else "")
