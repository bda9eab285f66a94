"""Where everything of a table goes on a screen: in two columns, in one, or nowhere if it is too small."""

from dataclasses import dataclass
from typing import Final

from cartagena.terminal.board import Drawing, least_height, least_width
from cartagena.terminal.desk import Desk

HEAD: Final = 1
RIGHT: Final = 31
"""Columns beside the board for whose turn it is, the wishes and what they would do."""
WIDE_RIGHT: Final = 38
WIDE: Final = 110
"""From this width on there is room for longer words at the right."""
_GAP: Final = 3
"""Columns between the board and the words at its right, where there is room."""
_PADDING: Final = 1
"""An empty column before those words."""
_NARROWEST: Final = 42
_ENOUGH: Final = 24
"""Lines that every terminal has; where many hands need more, the last ones are cut off."""
_LEAST_LOG: Final = 4
_LEAST_NOTE: Final = 4
_LEAST_WISHES: Final = 5
_BETWEEN: Final = 2
"""Empty lines between the turn, the wishes and the note."""
_ALL: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenLayout:
    """The board as it is drawn, how wide its column is, and how high each panel; the others take the rest."""

    drawing: Drawing
    left: int
    heights: dict[str, int]
    is_stacked: bool = False


def lay_out(desk: Desk, width: int, height: int) -> ScreenLayout | None:
    """The table on a screen of this size; None if it is too small.

    Before the deal everything is in one column: a link needs the whole width.
    """
    if desk.moment.view is None:
        return _stacked(desk, width, height)
    for least, arrange in ((_least_beside, _beside), (_least_stacked, _stacked)):
        columns, lines = least(desk, width)
        if width >= columns and height >= lines:
            return arrange(desk, width, height)
    return None


def least_sizes(desk: Desk) -> tuple[tuple[int, int], tuple[int, int]]:
    """The columns and lines that a table needs: with the words at its right, and with the words below."""
    return _least_beside(desk, 0), _least_stacked(desk, 0)


def _least_beside(desk: Desk, width: int) -> tuple[int, int]:
    columns = least_width(desk.brush.names.ruleset.family) + RIGHT
    return columns, min(_ENOUGH, _around(desk, max(width, columns), RIGHT))


def _least_stacked(desk: Desk, width: int) -> tuple[int, int]:
    columns = max(least_width(desk.brush.names.ruleset.family), _NARROWEST)
    wide = max(width, columns)
    return columns, _around(desk, wide, 0) + _words(desk, wide) + _LEAST_WISHES


def _around(desk: Desk, width: int, right: int) -> int:
    """The lines of everything that is not at the right of the board, but for the log."""
    board = least_height(desk.brush.names.ruleset.family)
    return HEAD + len(desk.keys(width)) + board + len(desk.cards(width - right))


def _words(desk: Desk, width: int) -> int:
    """The lines of everything at the right of the board, but for the wishes."""
    return len(desk.turn(width)) + _BETWEEN + _LEAST_NOTE


def _beside(desk: Desk, width: int, height: int) -> ScreenLayout:
    right, keys = WIDE_RIGHT if width >= WIDE else RIGHT, len(desk.keys(width))
    lines = height - HEAD - keys
    drawing = desk.board(width - right, lines - len(desk.cards(width - right)) - _LEAST_LOG)
    # Words far from the board would be overlooked.
    left = min(width - right, max(drawing.width, least_width(desk.brush.names.ruleset.family)) + _GAP)
    wishes = min(len(desk.wishes(_ALL)), lines - _words(desk, width - left))
    heights = _heights(desk, drawing, left, width - left - _PADDING, wishes)
    return ScreenLayout(drawing=drawing, left=left, heights=heights | {"foot": keys})


def _stacked(desk: Desk, width: int, height: int) -> ScreenLayout:
    spare = height - _around(desk, width, 0) - _words(desk, width)
    wishes = min(len(desk.wishes(_ALL)), spare)
    drawing = desk.board(width, least_height(desk.brush.names.ruleset.family) + spare - wishes)
    heights = _heights(desk, drawing, width, width - _PADDING, wishes)
    heights |= {"left": heights["board"] + heights["cards"], "foot": len(desk.keys(width))}
    return ScreenLayout(drawing=drawing, left=width, heights=heights, is_stacked=True)


def _heights(desk: Desk, drawing: Drawing, left: int, right: int, wishes: int) -> dict[str, int]:
    cards, turn = len(desk.cards(left)), len(desk.turn(right))
    heights = {"board": len(drawing.lines), "cards": cards, "turn": turn, "wishes": wishes}
    return {name: max(1, lines) for name, lines in heights.items()}
