"""The way from the start to home as lines of text, and which place is where."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rich.text import Text

from cartagena.rules.board import PIECES, space_of_place, spaces_of
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, SLOOP, START, places_in
from cartagena.rules.ruleset import SPACE_LIMIT
from cartagena.terminal.choices import ChosenAction
from cartagena.terminal.glyphs import DIM, ENDS, LIT, SEA, SEGMENTS, Brush, Lights

_NUMBER: Final = 2
_MARKS: Final = 2
_LABEL: Final = 9
_LEAST_CELL: Final = 7
"""Columns of a space: its number, its sign and both marks; or a blank and three pirates."""
_LINES: Final = 2
"""Lines of a row: the signs, and below them the pirates."""


class Spot(NamedTuple):
    """Where a place is drawn: from line `top` and column `left`, `width` columns wide."""

    top: int
    left: int
    width: int
    height: int
    place: int


@dataclass(slots=True)
class Drawing:
    """Lines of text, and where on them each place is."""

    lines: list[Text] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    @property
    def width(self) -> int:
        """How many columns the widest line has."""
        return max((len(line.plain) for line in self.lines), default=0)

    def place_at(self, line: int, column: int) -> int | None:
        """The place that is drawn there."""
        for spot in self.spots:
            if spot.top <= line < spot.top + spot.height and spot.left <= column < spot.left + spot.width:
                return spot.place
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDrawing:
    """The board of one moment, ready to be drawn; `wish` says whose ghost stands where."""

    brush: Brush
    view: View
    lights: Lights = field(default_factory=dict)
    wish: ChosenAction | None = None

    def draw(self, width: int, height: int) -> Drawing:
        """Everything within a width; rows stand apart if the height allows."""
        drawing, rows = Drawing(), rows_of(self.view.ruleset.family)
        cell, signs = self._signs(width // len(rows[0]))
        is_airy = height >= len(rows) * (_LINES + 1) + 3
        width = cell * len(rows[0])
        self._draw_end(drawing, START, width)
        for number, row in enumerate(rows):
            if row[0] == facts_of(self.view.ruleset.family).sloop + 1:
                self._draw_sea(drawing, width)
            elif is_airy and number:
                drawing.lines.append(Text())
            self._draw_row(drawing, row, cell, signs)
        self._draw_end(drawing, HOME, width)
        return drawing

    # Rows of spaces.

    def _signs(self, room: int) -> tuple[int, list[str]]:
        """How wide a space is, and each sign as it fits there: letter and name, the name, or the letter."""
        letters = [self.brush.sign(sign) for sign in range(len(self.view.ruleset.signs))]
        names = [self.brush.names.sign(sign) for sign in range(len(letters))]
        both = [f"{letter} {name}" for letter, name in zip(letters, names, strict=True)]
        for signs in (both, names):
            cell = max(map(len, signs)) + _NUMBER + _MARKS + 1
            if cell <= room:
                return cell, signs
        return room, letters

    def _draw_row(self, drawing: Drawing, row: list[int], cell: int, signs: list[str]) -> None:
        top = len(drawing.lines)
        ground = SEGMENTS[rows_of(self.view.ruleset.family).index(row) % len(SEGMENTS)]
        upper = [self._upper(place, cell, signs) for place in row]
        lower = [self._lower(place, cell) for place in row]
        drawing.lines.extend(_filled(parts, ground, cell * len(row)) for parts in (upper, lower))
        spots = (Spot(top, at * cell, cell, _LINES, place) for at, place in enumerate(row))
        drawing.spots.extend(spots)

    def _upper(self, place: int, cell: int, signs: list[str]) -> Text:
        number = f"{space_of_place(self.view.ruleset.family, place):>{_NUMBER}}"
        return self._marked(place, f"{number} {signs[self.view.board.sign_at(place)]}", cell)

    def _marked(self, place: int, text: str, cell: int) -> Text:
        light = self.lights.get(place)
        left, right = (" ", " ") if light is None else self.brush.glyphs.marks[light]
        shown = Text(f"{left}{text}{right}", LIT[light])
        shown.append(" " * (cell - len(shown.plain)), "not reverse not underline")
        return shown

    def _lower(self, place: int, cell: int) -> Text:
        crowd = Text(" ").append_text(self.brush.crowd(self.view.pirates, place))
        standing = sum(places.count(place) for places in self.view.pirates)
        if self._ghost_at(place) and standing < SPACE_LIMIT:
            crowd.append(f"+{self._ghost_letter()}", DIM)
        return crowd.append(" " * (cell - len(crowd.plain)))

    def _ghost_at(self, place: int) -> bool:
        return (
            self.wish is not None
            and self.wish.explanation is not None
            and self.wish.explanation.target == place
        )

    def _ghost_letter(self) -> str:
        crew = (
            self.view.turn_seat
            if self.wish is None or self.wish.action.crew is None
            else self.wish.action.crew
        )
        return self.brush.names.letter(crew).lower()

    # The start, the sea and home.

    def _draw_end(self, drawing: Drawing, place: int, width: int) -> None:
        name = self.brush.say(f"table.{'start' if place == START else 'home'}.{self.view.ruleset.family}")
        drawing.spots.append(Spot(len(drawing.lines), 0, width, 1, place))
        label = self._marked(place, name, _LABEL + _MARKS)
        drawing.lines.append(_filled([label, self.brush.counted(self.view.pirates, place)], ENDS, width))

    def _draw_sea(self, drawing: Drawing, width: int) -> None:
        """R9.6: the sloop at its dock, before or behind the water."""
        water = Text(self.brush.glyphs.water * width, SEA)
        name = self.brush.say(f"terminal.sloop.{self.view.dock}")
        label = self._marked(SLOOP, name, len(name) + _MARKS)
        sloop = _filled([label, self.brush.counted(self.view.pirates, SLOOP)], SEA, width)
        sea = [sloop, water] if self.view.dock == 1 else [water, sloop]
        drawing.spots.append(Spot(len(drawing.lines) + sea.index(sloop), 0, width, 1, SLOOP))
        drawing.lines.extend(sea)


def _filled(parts: list[Text], ground: str, width: int) -> Text:
    """Parts of a line on one ground, as wide as the board."""
    line = Text("", ground).join(parts)
    line.style = ground
    return line.append(" " * (width - len(line.plain)))


def rows_of(family: str) -> list[list[int]]:
    """The places of each piece of the board, in travel order."""
    places = places_in(spaces_of(family))
    length = len(places) // PIECES[family]
    return [places[first : first + length] for first in range(0, len(places), length)]


def least_width(family: str) -> int:
    """How many columns a board needs at least."""
    return _LEAST_CELL * len(rows_of(family)[0])


def least_height(family: str) -> int:
    """How many lines a board needs at least."""
    return _LINES * PIECES[family] + (4 if facts_of(family).has_crossing else 2)
